"""A threshold that needs no learning."""

from __future__ import annotations

import numpy as np


def otsu(pixels: np.ndarray) -> int:
    """The level that parts the brightnesses into two classes with the least spread within. Dark is at most it."""
    counts = np.bincount(pixels.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)
    above = below[-1] - below
    sum_below = np.cumsum(counts * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = sum_below / below - (sum_below[-1] - sum_below) / above
        between = np.where((below > 0) & (above > 0), below * above * apart**2, -1.0)
    return int(np.argmax(between))
