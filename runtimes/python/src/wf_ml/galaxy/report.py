"""The page about a classifier of galaxies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from wf_ml import atomic
from wf_ml.images import read_rgb, resize
from wf_ml.metrics.classification import accuracy, macro_accuracy, precision_by_class, recall_by_class
from wf_ml.plots.curves import curves
from wf_ml.plots.matrix import confusion
from wf_ml.report.page import Number, Shot, figures, gallery, numbers, page, paragraph, parameters, table
from wf_ml.report.provenance import fingerprint, provenance
from wf_ml.report.study import study_table

if TYPE_CHECKING:
    from wf_ml.galaxy.evaluate import Outcome

EXAMPLES = 24


def write_report(path: Path, outcome: "Outcome", study: Any = None) -> None:
    about = outcome.saved.about
    matrix, baseline = outcome.matrix, outcome.baseline_matrix
    history = about["history"]
    shown = numbers(
        [
            Number(
                "macro accuracy", f"{macro_accuracy(matrix):.3f}", "mean share found, every class counting the same"
            ),
            Number("accuracy", f"{accuracy(matrix):.3f}", "share of all images"),
            Number("baseline", f"{macro_accuracy(baseline):.3f}", "macro accuracy of five measured numbers an image"),
            Number("images", str(len(outcome.truth)), "held out, seen by nobody before"),
        ]
    )
    losses = {"training": [e["loss"] for e in history], "validation": [e["val_loss"] for e in history]}
    scores = {"macro accuracy": [e["macro_accuracy"] for e in history], "accuracy": [e["accuracy"] for e in history]}
    best = float(about["best_epoch"])
    sections: List[Tuple[str, Sequence[str]]] = [
        ("", [shown]),
        (
            "What was taken for what",
            [
                figures(
                    [
                        (confusion("confusion matrix", matrix, outcome.classes), "The network."),
                        (confusion("confusion matrix of the baseline", baseline, outcome.classes), "The baseline."),
                    ]
                ),
                _by_class(outcome),
            ],
        ),
        (
            "Training",
            [
                figures(
                    [
                        (
                            curves("loss", losses, y_label="cross-entropy", marked=best),
                            "Loss; the kept epoch is marked.",
                        ),
                        (curves("scores", scores, y_label="share", marked=best), "Scores on validation images."),
                    ]
                )
            ],
        ),
        ("Taken for something else", [_mistakes(outcome)]),
        ("Right ones", [gallery([_example(outcome, index) for index in _some_right(outcome)])]),
        ("Search", [_search(study)]),
        ("Settings", [parameters(_settings(about))]),
        ("Where this comes from", [provenance({"test images": fingerprint(outcome.paths)})]),
    ]
    lead = "Galaxies sorted by their shape: what a network made of images that it had not seen."
    atomic.write_bytes(path, page("Galaxy morphology", lead, sections).encode("utf-8"))


def _search(study: Any) -> str:
    if study is None:
        return paragraph("None: the settings were given.")
    return study_table(study, "Learning rates of body and head, tried in short trainings.", "likelihood")


def _settings(about: Dict[str, Any]) -> Dict[str, object]:
    used = about["settings"]
    return {
        "training images": about["images"],
        "pixels along a side": about["size"],
        "learning rate of the body": used["lr"],
        "learning rate of the head": used["head_lr"],
        "which fall over": f"{used['horizon']} epochs",
        "images a batch": used["batch"],
        "weight decay": used["weight_decay"],
        "seed": used["seed"],
    }


def _by_class(outcome: "Outcome") -> str:
    matrix = outcome.matrix
    recalls, precisions = recall_by_class(matrix), precision_by_class(matrix)
    lines = [
        (name, str(int(matrix[number].sum())), f"{recalls[number]:.2f}", f"{precisions[number]:.2f}")
        for number, name in enumerate(outcome.classes)
    ]
    return table(lines, ["class", "images", "found", "right when named"])


def _mistakes(outcome: "Outcome") -> str:
    wrong = np.flatnonzero(outcome.predicted != outcome.truth)
    if wrong.size == 0:
        return paragraph("None.")
    surest = wrong[np.argsort(-outcome.probabilities[wrong].max(axis=1), kind="stable")]
    words = f"{wrong.size} of {len(outcome.truth)}; those that the network was surest of come first."
    return paragraph(words) + gallery([_example(outcome, int(index)) for index in surest[:EXAMPLES]])


def _some_right(outcome: "Outcome") -> List[int]:
    """A few of each class, as the names sort."""
    chosen: List[int] = []
    each = max(1, EXAMPLES // len(outcome.classes))
    for number in range(len(outcome.classes)):
        right = np.flatnonzero((outcome.truth == number) & (outcome.predicted == number))
        chosen += [int(index) for index in right[:each]]
    return chosen


def _example(outcome: "Outcome", index: int) -> Tuple[Sequence[Shot], str]:
    truth, guess = outcome.classes[int(outcome.truth[index])], outcome.classes[int(outcome.predicted[index])]
    pixels = read_rgb(outcome.paths[index])
    sure = f"{outcome.probabilities[index].max():.0%}"
    words = f"{guess}, {sure} sure" if truth == guess else f"is {truth}, taken for {guess}, {sure} sure"
    return [(outcome.paths[index].stem.split("__")[-1], resize(pixels, 128, 128))], words
