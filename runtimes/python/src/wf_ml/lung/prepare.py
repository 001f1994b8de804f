"""How an X-ray is brought to what the network sees: one size, and the same brightness however it was exposed."""

from __future__ import annotations

import numpy as np

from wf_ml.images import resize

NORMALISE = ("equalise", "stretch", "none")


def prepare(image: np.ndarray, size: int, normalise: str = "equalise") -> np.ndarray:
    """`size` x `size` bytes."""
    small = resize(image, size, size)
    if normalise == "equalise":
        return equalise(small)
    return stretch(small) if normalise == "stretch" else small


def equalise(image: np.ndarray) -> np.ndarray:
    """Every brightness becomes its rank, so that no exposure or film curve is left."""
    counts = np.bincount(image.ravel(), minlength=256)
    rank = np.cumsum(counts) - counts / 2.0
    return np.clip(rank[image] / image.size * 255.0 + 0.5, 0, 255).astype(np.uint8)


def stretch(image: np.ndarray) -> np.ndarray:
    """From the darkest to the brightest hundredth."""
    low, high = np.quantile(image, [0.01, 0.99])
    return np.clip((image - low) / max(high - low, 1.0) * 255.0 + 0.5, 0, 255).astype(np.uint8)
