"""How well predicted classes agree with true ones. Classes are numbers from 0."""

from __future__ import annotations

from typing import Dict, Sequence, Union

import numpy as np

Labels = Union[Sequence[int], np.ndarray]


def confusion_matrix(truth: Labels, predicted: Labels, classes: int) -> np.ndarray:
    """Row: the true class. Column: the predicted one."""
    matrix = np.zeros((classes, classes), dtype=np.int64)
    np.add.at(matrix, (np.asarray(truth, dtype=np.int64), np.asarray(predicted, dtype=np.int64)), 1)
    return matrix


def accuracy(matrix: np.ndarray) -> float:
    return float(np.trace(matrix) / max(int(matrix.sum()), 1))


def recall_by_class(matrix: np.ndarray) -> np.ndarray:
    """Which part of each true class was found; not a number for a class that does not occur."""
    counts = matrix.sum(axis=1)
    return np.where(counts > 0, np.diag(matrix) / np.maximum(counts, 1), np.nan)


def precision_by_class(matrix: np.ndarray) -> np.ndarray:
    """Which part of what was called a class is one; 0 for a class that was never predicted."""
    return np.diag(matrix) / np.maximum(matrix.sum(axis=0), 1)


def macro_accuracy(matrix: np.ndarray) -> float:
    """The mean recall of the classes that occur: a rare class counts as much as a frequent one."""
    return float(np.nanmean(recall_by_class(matrix)))


def macro_f1(matrix: np.ndarray) -> float:
    occurs = matrix.sum(axis=1) > 0
    recall, precision = np.nan_to_num(recall_by_class(matrix)), precision_by_class(matrix)
    f1 = 2 * recall * precision / np.maximum(recall + precision, 1e-12)
    return float(f1[occurs].mean())


def area_under_roc(truth: Labels, scores: Union[Sequence[float], np.ndarray]) -> float:
    """The chance that a true one (1) scores above a false one (0); ties count half."""
    truth = np.asarray(truth).astype(bool)
    values = np.asarray(scores, dtype=np.float64)
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if positives == 0 or negatives == 0:
        return float("nan")
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(counts) - (counts - 1) / 2.0
    ranks = mean_rank[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2.0) / (positives * negatives))


def summary(matrix: np.ndarray) -> Dict[str, float]:
    return {
        "accuracy": accuracy(matrix),
        "macro_accuracy": macro_accuracy(matrix),
        "macro_f1": macro_f1(matrix),
    }
