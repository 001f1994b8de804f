"""Compares predicted masks with the truth, and writes a report for people who read X-rays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Optional, Sequence

import numpy as np

from wf_ml import command
from wf_ml.log import log, log_image, log_summary
from wf_ml.lung.report import report, shots
from wf_ml.lung.scores import score_cases, write_scores


def read_json(path: Path) -> object:
    return json.loads(path.read_text("utf-8"))


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--predicted", type=Path, required=True, help="a dataset: mask, name")
    parser.add_argument("--truth", type=Path, required=True, help="a dataset: image, mask, patient")
    parser.add_argument("--trained", type=Path, required=True, help="what the training has told")
    parser.add_argument("--split", type=Path, required=True, help="what the split has told")
    parser.add_argument("--study", type=command.optional_path, help="what the search has tried")
    parser.add_argument("--page", type=Path, required=True, help="the report")
    parser.add_argument("--scores", type=Path, required=True, help="a line for each image, as CSV")
    given = parser.parse_args(argv)
    cases = score_cases(given.predicted, given.truth)
    study = None if given.study is None else read_json(given.study)
    write_scores(given.scores, cases)
    page = report(cases, read_json(given.trained), read_json(given.split), study)
    given.page.write_text(page, "utf-8")
    means = {
        "test_dice": float(np.mean([case.dice for case in cases])),
        "test_iou": float(np.mean([case.iou for case in cases])),
        "baseline_dice": float(np.mean([case.baseline_dice for case in cases])),
    }
    log(**means)
    ordered = sorted(cases, key=lambda case: case.dice)
    for name, case in (("worst", ordered[0]), ("median", ordered[len(ordered) // 2])):
        log_image(name, np.concatenate([pixels for _, pixels in shots(case)], axis=1))
    log_summary(worst=ordered[0].name, images=len(cases), patients=len({case.patient for case in cases}))
    print("  ".join(f"{name} {value:.4f}" for name, value in means.items()))


if __name__ == "__main__":
    command.run(main)
