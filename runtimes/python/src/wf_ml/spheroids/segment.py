"""From images to spheroids: the network, then the connected parts of its mask."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import List

import numpy as np
import torch
from torch import nn

from wf_ml.components import fill_holes, label, sizes
from wf_ml.errors import DataError
from wf_ml.models.saved import Saved, load_model

LEAST_AREA = 20
"""Pixels. What is smaller is dust: the smallest spheroids that the network was shown have three times as many."""


@dataclass(frozen=True)
class Found:
    """The spheroids in one image."""

    mask: np.ndarray
    areas: List[int]
    """In pixels, the largest first."""

    @property
    def count(self) -> int:
        return len(self.areas)


def load_spheroid_model(path: Path) -> Saved:
    saved = load_model(path)
    if saved.network != "unet" or saved.about.get("kind") != "spheroids":
        raise DataError("this model does not segment spheroids", path, "train one with workflows/spheroids-train.ts")
    return saved


def normalised(images: np.ndarray) -> torch.Tensor:
    """Bytes, images x height x width, to numbers around 0 with a channel. Each image's own median is its grey."""
    pixels = torch.from_numpy(images.astype(np.float32))
    grey = pixels.flatten(1).median(dim=1).values[:, None, None]
    return ((pixels - grey) / 64.0).unsqueeze(1)


def masks_of(model: nn.Module, images: np.ndarray, multiple: int) -> np.ndarray:
    """Masks of images of one size, whatever it is: what is missing to a multiple is filled up with the edge."""
    height, width = images.shape[1:]
    below, right = -height % multiple, -width % multiple
    inputs = normalised(images)
    if below or right:
        inputs = nn.functional.pad(inputs, (0, right, 0, below), mode="replicate")
    with torch.no_grad():
        logits = model(inputs.contiguous(memory_format=torch.channels_last))
    return (logits[:, 0, :height, :width] > 0).numpy()


def measured(mask: np.ndarray, least_area: int = LEAST_AREA) -> Found:
    """The parts of a mask that are large enough, without holes."""
    labels, count = label(mask)
    areas = sizes(labels, count)
    kept = np.flatnonzero(areas >= least_area) + 1
    if len(kept) < count:
        mask = np.isin(labels, kept)
    if count and len(kept):
        mask = fill_holes(mask)
        labels, count = label(mask)
        areas = sizes(labels, count)
    else:
        areas = areas[kept - 1]
    return Found(mask, sorted((int(area) for area in areas), reverse=True))
