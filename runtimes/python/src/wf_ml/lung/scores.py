"""How well masks of test images agree with the truth, image by image, beside the baseline."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import List, Tuple

import numpy as np

from wf_ml.errors import DataError
from wf_ml.images import read_gray, read_mask
from wf_ml.lung.baseline import otsu_lungs
from wf_ml.metrics.segmentation import dice, iou
from wf_ml.rows import read_rows
from wf_ml.seeds import rng


@dataclass(frozen=True)
class Case:
    name: str
    patient: str
    image: np.ndarray
    truth: np.ndarray
    predicted: np.ndarray
    baseline: np.ndarray
    dice: float
    iou: float
    baseline_dice: float


def score_cases(predicted: Path, truth: Path) -> List[Case]:
    """Every test image must have a predicted mask."""
    masks = {row["name"]: row["mask"] for row in read_rows(predicted, files=("mask",), values=("name",))}
    cases = []
    for row in read_rows(truth, files=("image", "mask"), values=("patient",)):
        name = row["image"].stem
        if name not in masks:
            raise DataError("the image has no predicted mask", row["image"])
        image = read_gray(row["image"])
        true, own, simple = read_mask(row["mask"], image.shape), read_mask(masks[name], image.shape), otsu_lungs(image)
        cases.append(
            Case(name, row["patient"], image, true, own, simple, dice(own, true), iou(own, true), dice(simple, true))
        )
    if not cases:
        raise DataError("there are no test images", truth)
    return cases


def interval(values: List[float], seed: int) -> Tuple[float, float]:
    """Where the mean lies with 95 % confidence, by drawing the images again and again."""
    given = np.asarray(values)
    means = given[rng(seed, "bootstrap").integers(0, len(given), size=(2000, len(given)))].mean(axis=1)
    return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def write_scores(path: Path, cases: List[Case]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["image", "patient", "dice", "iou", "baseline_dice"])
        for case in cases:
            table.writerow([case.name, case.patient, *(f"{v:.6f}" for v in (case.dice, case.iou, case.baseline_dice))])
