"""Classifies held-out images, compares with the truth, and writes a table and a page about it."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, List, Optional, Sequence

import numpy as np

from wf_ml import command, rows
from wf_ml.errors import DataError
from wf_ml.galaxy.baseline import load_baseline, shape_of
from wf_ml.galaxy.report import write_report
from wf_ml.images import expect_size, read_rgb
from wf_ml.log import log
from wf_ml.metrics.classification import accuracy, confusion_matrix, macro_accuracy, macro_f1
from wf_ml.models.saved import Saved, load_model
from wf_ml.rgb_tensors import rgb_tensor
from wf_ml.seeds import prepare_torch
from wf_ml.training.classification import class_numbers, probabilities_of


@dataclass(frozen=True)
class Outcome:
    classes: List[str]
    paths: List[Path]
    truth: np.ndarray
    probabilities: np.ndarray
    by_baseline: np.ndarray
    saved: Saved

    @property
    def predicted(self) -> np.ndarray:
        return self.probabilities.argmax(axis=1)

    @property
    def matrix(self) -> np.ndarray:
        return confusion_matrix(self.truth, self.predicted, len(self.classes))

    @property
    def baseline_matrix(self) -> np.ndarray:
        return confusion_matrix(self.truth, self.by_baseline, len(self.classes))


def evaluate(model: Path, test: Path, baseline: Path) -> Outcome:
    saved = load_model(model)
    given = rows.read_rows(test, files=["image"], values=["label"])
    if not given:
        raise DataError("there is no image", test)
    classes, size = saved.about["classes"], saved.about["size"]
    truth = class_numbers([row["label"] for row in given], classes).numpy()
    images = [read_rgb(row["image"]) for row in given]
    for row, image in zip(given, images):
        expect_size(image, size, size, row["image"])
    fitted = load_baseline(baseline)
    guessed = fitted.predict(np.array([shape_of(image) for image in images]))
    return Outcome(
        classes=classes,
        paths=[row["image"] for row in given],
        truth=truth,
        probabilities=probabilities_of(saved.model(), rgb_tensor(given)),
        by_baseline=np.array([classes.index(label) for label in guessed]),
        saved=saved,
    )


def write_table(path: Path, outcome: Outcome) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["image", "label", "predicted", *outcome.classes])
        for image, truth, guess, shares in zip(outcome.paths, outcome.truth, outcome.predicted, outcome.probabilities):
            names = outcome.classes[int(truth)], outcome.classes[int(guess)]
            table.writerow([image.name, *names, *(f"{share:.5f}" for share in shares)])


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True, help="a dataset: image, label")
    parser.add_argument("--baseline", type=Path, required=True)
    parser.add_argument("--table", type=Path, required=True, help="CSV: what each image was taken for")
    parser.add_argument("--report", type=Path, required=True, help="HTML")
    parser.add_argument("--study", type=command.optional_path, help="what the search has tried")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    outcome = evaluate(given.model, given.test, given.baseline)
    write_table(given.table, outcome)
    study: Any = None if given.study is None else json.loads(given.study.read_text("utf-8"))
    write_report(given.report, outcome, study)
    scores = {
        "accuracy": accuracy(outcome.matrix),
        "macro_accuracy": macro_accuracy(outcome.matrix),
        "macro_f1": macro_f1(outcome.matrix),
        "baseline_macro_accuracy": macro_accuracy(outcome.baseline_matrix),
    }
    log(**scores)
    print("  ".join(f"{name} {value:.4f}" for name, value in scores.items()))


if __name__ == "__main__":
    command.run(main)
