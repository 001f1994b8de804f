"""Prepared X-rays with their masks, as tensors."""

from __future__ import annotations

from pathlib import Path
from typing import List

import numpy as np
import torch

from wf_ml.errors import DataError
from wf_ml.images import expect_size, read_gray, read_mask
from wf_ml.rows import read_rows
from wf_ml.training.loop import Tensors


def to_input(images: List[np.ndarray]) -> torch.Tensor:
    """Bytes to numbers around 0, with a channel."""
    return torch.from_numpy(np.stack(images)).unsqueeze(1).float() / 127.5 - 1.0


def load_pairs(folder: Path) -> Tensors:
    """Images and masks, in the order of the rows. All must have the size of the first."""
    rows = read_rows(folder, files=("image", "mask"))
    if not rows:
        raise DataError("the dataset has no rows", folder)
    images: List[np.ndarray] = []
    masks: List[np.ndarray] = []
    for row in rows:
        image = read_gray(row["image"])
        if images:
            expect_size(image, images[0].shape[0], images[0].shape[1], row["image"])
        images.append(image)
        masks.append(read_mask(row["mask"], like=image.shape))
    return to_input(images), torch.from_numpy(np.stack(masks)).unsqueeze(1).float()
