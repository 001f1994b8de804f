"""A trained network on X-rays."""

from __future__ import annotations

from pathlib import Path
from typing import List, Sequence, Tuple

import numpy as np
import torch

from wf_ml.components import fill_holes, largest
from wf_ml.errors import DataError
from wf_ml.lung.pairs import to_input
from wf_ml.models.saved import Saved, load_model


def load_unet(path: Path) -> Saved:
    saved = load_model(path)
    if saved.network != "unet" or not {"size", "normalise"} <= set(saved.about):
        raise DataError("the model is none for lungs", path, "name a model that wf_ml.lung.train has written")
    return saved


def predict(model: torch.nn.Module, prepared: List[np.ndarray], sizes: Sequence[Tuple[int, ...]]) -> List[np.ndarray]:
    """A mask for each prepared image, in the height and width of the original. Two lungs, without holes."""
    masks = []
    model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    with torch.no_grad():
        for start in range(0, len(prepared), 32):
            batch = to_input(prepared[start : start + 32]).contiguous(memory_format=torch.channels_last)
            for logits, size in zip(model(batch), sizes[start : start + 32]):
                grown = torch.nn.functional.interpolate(logits[None], size=size, mode="bilinear", align_corners=False)
                masks.append(fill_holes(largest((grown[0, 0] > 0).numpy(), 2)))
    return masks
