"""Segments and counts held-out images, compares with the truth and with Otsu's threshold, and writes a page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from wf_ml import command, rows
from wf_ml.errors import DataError
from wf_ml.images import read_gray, read_mask
from wf_ml.log import log
from wf_ml.metrics.segmentation import dice
from wf_ml.models.saved import Saved
from wf_ml.seeds import prepare_torch
from wf_ml.spheroids.baseline import otsu_spheroids
from wf_ml.spheroids.report import write_report
from wf_ml.spheroids.segment import Found, load_spheroid_model, masks_of, measured


@dataclass(frozen=True)
class Case:
    path: Path
    image: np.ndarray
    truth: Found
    found: Found
    baseline: Found


@dataclass(frozen=True)
class Outcome:
    cases: List[Case]
    saved: Saved

    def scores(self) -> Dict[str, float]:
        """`count_error`: spheroids too many or too few, summed over the images, by how many there are."""
        there = max(sum(case.truth.count for case in self.cases), 1)
        area = max(sum(sum(case.truth.areas) for case in self.cases), 1)
        return {
            "count_error": sum(abs(case.found.count - case.truth.count) for case in self.cases) / there,
            "area_error": sum(abs(sum(case.found.areas) - sum(case.truth.areas)) for case in self.cases) / area,
            "dice": float(np.mean([dice(case.found.mask, case.truth.mask) for case in self.cases])),
            "baseline_count_error": sum(abs(case.baseline.count - case.truth.count) for case in self.cases) / there,
            "baseline_dice": float(np.mean([dice(case.baseline.mask, case.truth.mask) for case in self.cases])),
        }


def evaluate(model: Path, test: Path) -> Outcome:
    saved = load_spheroid_model(model)
    network = saved.model()
    cases: List[Case] = []
    for row in rows.read_rows(test, files=["image", "mask"]):
        image = read_gray(row["image"])
        mask = masks_of(network, image[None], saved.about["multiple"])[0]
        truth = measured(read_mask(row["mask"], like=image.shape), least_area=1)
        cases.append(Case(row["image"], image, truth, measured(mask), otsu_spheroids(image)))
    if not cases:
        raise DataError("the dataset has no rows", test)
    return Outcome(cases, saved)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True, help="a dataset: image, mask")
    parser.add_argument("--report", type=Path, required=True, help="HTML")
    parser.add_argument("--study", type=command.optional_path, help="what the search has tried")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    outcome = evaluate(given.model, given.test)
    study: Any = None if given.study is None else json.loads(given.study.read_text("utf-8"))
    write_report(given.report, outcome, study)
    scores = outcome.scores()
    log(**scores)
    for name, value in scores.items():
        print(f"{name:22s} {value:.4f}")


if __name__ == "__main__":
    command.run(main)
