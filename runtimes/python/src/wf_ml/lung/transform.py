"""Flipped and turned copies. An image and its mask go the same way."""

from __future__ import annotations

import numpy as np
from PIL import Image


def flip(pixels: np.ndarray) -> np.ndarray:
    """Left and right change places."""
    return np.ascontiguousarray(pixels[:, ::-1])


def rotate(pixels: np.ndarray, degrees: float) -> np.ndarray:
    """Against the clock, about the middle. What comes in from outside is black, and no mask."""
    if pixels.dtype == bool:
        turned = Image.fromarray(pixels.astype(np.uint8) * 255).rotate(degrees, resample=Image.BILINEAR)
        return np.asarray(turned) > 127
    return np.asarray(Image.fromarray(pixels).rotate(degrees, resample=Image.BILINEAR))
