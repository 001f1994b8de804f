"""The report on lung segmentation."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from wf_ml.images import resize
from wf_ml.lung.outline import BASELINE, PREDICTED, TRUTH
from wf_ml.lung.scores import Case, interval
from wf_ml.plots.curves import curves
from wf_ml.plots.distributions import boxes
from wf_ml.plots.inline import with_outline
from wf_ml.report.page import Number, Shot, figures, gallery, numbers, page, paragraph, parameters, table
from wf_ml.report.provenance import provenance
from wf_ml.report.study import study_table

SIDE = 192


def report(cases: Sequence[Case], trained: Any, split: Any, study: Optional[Any] = None) -> str:
    dice, iou = [case.dice for case in cases], [case.iou for case in cases]
    simple = [case.baseline_dice for case in cases]
    low, high = interval(dice, seed=0)
    patients = len({case.patient for case in cases})
    lead = (
        f"{len(cases)} X-rays of {patients} patients, none of whom was seen in training. "
        f"The U-Net agrees with the drawn masks to a mean Dice of {np.mean(dice):.3f}; "
        f"a threshold without learning reaches {np.mean(simple):.3f}."
    )
    sections: List[Tuple[str, Sequence[str]]] = [
        (
            "",
            [
                numbers(
                    [
                        Number("Dice, U-Net", f"{np.mean(dice):.3f}", f"95 % interval {low:.3f} to {high:.3f}"),
                        Number("IoU, U-Net", f"{np.mean(iou):.3f}", f"median {np.median(iou):.3f}"),
                        Number("worst image", f"{min(dice):.3f}", "Dice"),
                        Number("Dice, baseline", f"{np.mean(simple):.3f}", "Otsu's threshold, two largest parts"),
                    ]
                )
            ],
        ),
        ("How the scores are spread", [_spread(dice, iou, simple)]),
        ("Predictions beside the truth", [_examples(cases)]),
        ("Training", [_training(trained)]),
    ]
    if study is not None:
        tried = "Settings that were tried on a third of the training images."
        sections.append(("Search", [study_table(study, tried, "validation Dice")]))
    sections += [
        ("Data", [_data(split)]),
        ("Parameters", [_parameters(trained)]),
        ("Provenance", [provenance({"trained with": f"torch {trained['torch']}, {trained['threads']} threads"})]),
    ]
    return page("Lungs in chest X-rays", lead, sections)


def _spread(dice: Sequence[float], iou: Sequence[float], simple: Sequence[float]) -> str:
    return figures(
        [
            (
                boxes("Dice of every test image", {"U-Net": dice, "baseline": simple}, "Dice"),
                "Every dot is a test image; the box spans the middle half, the bar is the median. "
                "Dice is 1 where two masks are the same, and 0 where they share nothing.",
            ),
            (
                boxes("Dice and IoU of the U-Net", {"Dice": dice, "IoU": iou}, "score"),
                "The U-Net alone. IoU is the shared area by the joint area, and the stricter one of the two.",
            ),
        ]
    )


def _examples(cases: Sequence[Case]) -> str:
    """The worst, some between, and the best, so that nobody sees chosen ones."""
    ordered = sorted(cases, key=lambda case: case.dice)
    places = sorted({round(share * (len(ordered) - 1)) for share in (0.0, 0.05, 0.25, 0.5, 0.75, 1.0)})
    items = [
        (
            shots(ordered[place]),
            f"{ordered[place].name}: Dice {ordered[place].dice:.3f}, rank {place + 1} of {len(cases)}",
        )
        for place in places
    ]
    words = "From the worst to the best. Outlines: truth in green, U-Net in red, baseline in yellow."
    return paragraph(words) + gallery(items)


def shots(case: Case) -> List[Shot]:
    """The X-ray with the outline of the truth, of the U-Net and of the baseline."""

    def drawn(mask: np.ndarray, colour: Tuple[int, int, int]) -> np.ndarray:
        return with_outline(resize(case.image, SIDE, SIDE), resize(mask, SIDE, SIDE), colour)

    return [
        ("truth", drawn(case.truth, TRUTH)),
        ("U-Net", drawn(case.predicted, PREDICTED)),
        ("baseline", drawn(case.baseline, BASELINE)),
    ]


def _training(trained: Any) -> str:
    history, best = trained["history"], trained["best_epoch"]
    early = " It was stopped early." if trained["is_stopped_early"] else ""
    loss = {"training": [e["loss"] for e in history], "validation": [e["val_loss"] for e in history]}
    return figures(
        [
            (
                curves("Loss by epoch", loss, y_label="loss", marked=best),
                f"Loss over the epochs. The dashed line is epoch {best}, whose weights were kept.{early}",
            ),
            (
                curves("Dice by epoch", {"validation": [e["dice"] for e in history]}, y_label="Dice", marked=best),
                "Mean Dice of the validation images, which chooses the epoch. Test images are not looked at.",
            ),
        ]
    )


def _data(split: Any) -> str:
    rows = [[part, str(split[part]["images"]), str(split[part]["patients"])] for part in ("train", "val", "test")]
    parts = table(rows, ["part", "images", "patients"])
    words = "A patient is in one part only. Training images were flipped and turned in addition."
    left_out = split["rejected"]
    if left_out:
        words += f" Left out before the split: {', '.join(f'{n} ({why})' for n, why in sorted(left_out.items())[:20])}."
    return parts + paragraph(words)


def _parameters(trained: Any) -> str:
    network, settings = trained["network"], trained["settings"]
    falls = settings["horizon"]
    return parameters(
        {
            "network": f"U-Net, {network['levels']} levels, {network['width']} channels at full size, "
            f"{network['weights']:,} weights",
            "images": f"{trained['images']:,} for training, {trained['size']} x {trained['size']} pixels, "
            f"brightness: {trained['normalise']}",
            "learning rate": settings["lr"],
            "which falls over": "no epochs: it stays" if falls is None else f"{falls} epochs",
            "images a batch": settings["batch"],
            "weight decay": settings["weight_decay"],
            "seed": settings["seed"],
        }
    )
