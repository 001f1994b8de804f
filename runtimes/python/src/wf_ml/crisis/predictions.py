"""What a model thinks of each tweet, as CSV: ``id,label,predicted`` and a probability for each class."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import List

import numpy as np

from wf_ml.errors import DataError

FIXED = ["id", "label", "predicted"]


@dataclass(frozen=True)
class Predictions:
    classes: List[str]
    ids: List[str]
    labels: List[str]
    probabilities: np.ndarray

    @property
    def truth(self) -> np.ndarray:
        return np.array([self.classes.index(label) for label in self.labels])

    @property
    def predicted(self) -> np.ndarray:
        return self.probabilities.argmax(axis=1)


def write_predictions(path: Path, made: Predictions) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow([*FIXED, *made.classes])
        for name, label, guess, shares in zip(made.ids, made.labels, made.predicted, made.probabilities):
            table.writerow([name, label, made.classes[int(guess)], *(f"{share:.6f}" for share in shares)])


def read_predictions(path: Path) -> Predictions:
    if not path.is_file():
        raise DataError("there are no such predictions", path)
    with open(path, encoding="utf-8", newline="") as file:
        head, *lines = list(csv.reader(file)) or [[]]
    if head[: len(FIXED)] != FIXED or len(head) < len(FIXED) + 2 or not lines:
        raise DataError("this is no table of predictions", path)
    shares = np.array([[float(cell) for cell in line[len(FIXED) :]] for line in lines])
    return Predictions(head[len(FIXED) :], [line[0] for line in lines], [line[1] for line in lines], shares)


def aligned(text: Predictions, image: Predictions) -> Predictions:
    """The predictions from images in the order of those from texts. Both must speak of the same tweets."""
    if text.classes != image.classes or sorted(text.ids) != sorted(image.ids):
        raise DataError("the two models speak of different tweets or classes", hint="predict the same part with both")
    place = {name: index for index, name in enumerate(image.ids)}
    order = [place[name] for name in text.ids]
    return Predictions(image.classes, text.ids, text.labels, image.probabilities[order])
