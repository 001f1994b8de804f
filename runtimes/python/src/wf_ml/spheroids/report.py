"""The page about a model that finds spheroids."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple

import numpy as np

from wf_ml import atomic
from wf_ml.metrics.classification import confusion_matrix
from wf_ml.metrics.segmentation import dice
from wf_ml.plots.curves import curves
from wf_ml.plots.distributions import boxes
from wf_ml.plots.inline import with_outline
from wf_ml.plots.matrix import confusion
from wf_ml.report.page import Number, Shot, figures, gallery, numbers, page, paragraph, parameters
from wf_ml.report.provenance import fingerprint, provenance
from wf_ml.report.study import study_table

if TYPE_CHECKING:
    from wf_ml.spheroids.evaluate import Case, Outcome

EXAMPLES = 9
FOUND, TRUE, OTSU = (255, 110, 20), (40, 200, 90), (220, 60, 200)


def write_report(path: Path, outcome: "Outcome", study: Any = None) -> None:
    scores, about, cases = outcome.scores(), outcome.saved.about, outcome.cases
    spheroids = sum(case.truth.count for case in cases)
    shown = numbers(
        [
            Number("count error", f"{scores['count_error']:.1%}", f"too many or too few, of {spheroids} spheroids"),
            Number("Dice", f"{scores['dice']:.3f}", "how well outlines agree; 1 is perfect"),
            Number("Otsu's count error", f"{scores['baseline_count_error']:.0%}", "what a threshold alone would give"),
            Number("images", str(len(cases)), "held out, seen by nobody before"),
        ]
    )
    history, best = about["history"], float(about["best_epoch"])
    losses = {"training": [e["loss"] for e in history], "validation": [e["val_loss"] for e in history]}
    overlap = {
        "U-Net": [dice(case.found.mask, case.truth.mask) for case in cases],
        "Otsu": [dice(case.baseline.mask, case.truth.mask) for case in cases],
    }
    wrong = [case for case in cases if case.found.count != case.truth.count]
    sections: List[Tuple[str, Sequence[str]]] = [
        ("", [shown]),
        (
            "Counts and outlines",
            [
                figures(
                    [
                        (_counts(cases), "How many spheroids an image has, and how many were found."),
                        (
                            boxes("Dice by image", overlap, "Dice", (0.0, 1.0)),
                            "Agreement of the outlines, a dot an image.",
                        ),
                    ]
                )
            ],
        ),
        ("Counted wrongly", [_shots(wrong) if wrong else paragraph("None.")]),
        ("Examples", [_shots([case for case in cases if case not in wrong])]),
        ("Training", [figures([(curves("loss", losses, y_label="loss", marked=best), "The kept epoch is marked.")])]),
        ("Search", [_search(study)]),
        ("Settings", [parameters({"training images": about["images"], **about["settings"]})]),
        ("Where this comes from", [provenance({"test images": fingerprint(case.path for case in cases)})]),
    ]
    lead = (
        "Spheroids in droplets, found by a U-Net in images that it had not seen, beside the truth and Otsu's threshold."
    )
    atomic.write_bytes(path, page("Spheroids", lead, sections).encode("utf-8"))


def _search(study: Any) -> str:
    if study is None:
        return paragraph("None: the settings were given.")
    return study_table(study, "Settings that were tried in short trainings.", "validation Dice")


def _counts(cases: Sequence["Case"]) -> str:
    most = 1 + max(max(case.truth.count, case.found.count) for case in cases)
    matrix = confusion_matrix([case.truth.count for case in cases], [case.found.count for case in cases], most)
    return confusion("true and found counts", matrix, [str(count) for count in range(most)])


def _shots(cases: Sequence["Case"]) -> str:
    return gallery([_example(case) for case in cases[:EXAMPLES]])


def _example(case: "Case") -> Tuple[Sequence[Shot], str]:
    image = np.asarray(case.image)
    shots = [
        ("found", with_outline(image, case.found.mask, FOUND)),
        ("true", with_outline(image, case.truth.mask, TRUE)),
        ("Otsu", with_outline(image, case.baseline.mask, OTSU)),
    ]
    return shots, f"{case.path.stem}: {case.found.count} found, {case.truth.count} true, {case.baseline.count} by Otsu"
