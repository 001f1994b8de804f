"""How well two masks agree."""

from __future__ import annotations

import numpy as np


def dice(predicted: np.ndarray, truth: np.ndarray) -> float:
    """Twice what both have by the sum of what each has; 1 where both are empty."""
    predicted, truth = predicted.astype(bool), truth.astype(bool)
    total = int(predicted.sum()) + int(truth.sum())
    return 1.0 if total == 0 else 2.0 * int((predicted & truth).sum()) / total


def iou(predicted: np.ndarray, truth: np.ndarray) -> float:
    """What both have by what either has; 1 where both are empty."""
    predicted, truth = predicted.astype(bool), truth.astype(bool)
    union = int((predicted | truth).sum())
    return 1.0 if union == 0 else int((predicted & truth).sum()) / union
