import math

import numpy as np
import pytest

from wf_ml.metrics.classification import (
    accuracy,
    area_under_roc,
    confusion_matrix,
    macro_accuracy,
    macro_f1,
    precision_by_class,
    recall_by_class,
)
from wf_ml.metrics.segmentation import dice, iou


def test_dice_and_iou() -> None:
    a, b = np.zeros((4, 4), bool), np.zeros((4, 4), bool)
    assert dice(a, b) == iou(a, b) == 1.0
    a[0], b[:2] = True, True
    assert dice(a, b) == pytest.approx(2 * 4 / 12)
    assert iou(a, b) == pytest.approx(4 / 8)
    assert dice(a, ~a) == iou(a, ~a) == 0.0


def test_a_rare_class_counts_as_much_as_a_frequent_one() -> None:
    matrix = confusion_matrix([0] * 8 + [1] * 2, [0] * 8 + [0, 1], 3)
    assert matrix.tolist() == [[8, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert accuracy(matrix) == pytest.approx(0.9)
    assert macro_accuracy(matrix) == pytest.approx(0.75)
    assert recall_by_class(matrix)[1] == 0.5 and math.isnan(recall_by_class(matrix)[2])
    assert precision_by_class(matrix).tolist() == pytest.approx([8 / 9, 1.0, 0.0])
    assert macro_f1(matrix) == pytest.approx((2 * 1 * 8 / 9 / (1 + 8 / 9) + 2 * 0.5 / 1.5) / 2)


def test_area_under_roc_is_the_chance_to_rank_right() -> None:
    random = np.random.default_rng(1)
    truth, scores = random.random(60) < 0.4, np.round(random.random(60), 1)
    pairs = [(s > t) + 0.5 * (s == t) for s in scores[truth] for t in scores[~truth]]
    assert area_under_roc(truth, scores) == pytest.approx(np.mean(pairs))
    assert math.isnan(area_under_roc([1, 1], [0.1, 0.2]))
