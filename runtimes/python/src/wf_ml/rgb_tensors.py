"""Colour images of a dataset as one tensor."""

from __future__ import annotations

from typing import List, Sequence

import numpy as np
import torch

from wf_ml.images import expect_size, read_rgb
from wf_ml.rows import Row


def rgb_tensor(rows: Sequence[Row]) -> torch.Tensor:
    """Images x 3 x height x width, from -1 to 1. All must have the size of the first one."""
    pixels: List[np.ndarray] = []
    for row in rows:
        image = read_rgb(row["image"])
        if pixels:
            expect_size(image, pixels[0].shape[0], pixels[0].shape[1], row["image"])
        pixels.append(image)
    return torch.from_numpy(np.stack(pixels)).permute(0, 3, 1, 2).float().div_(127.5).sub_(1.0)
