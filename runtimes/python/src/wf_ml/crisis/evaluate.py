"""Fuses what two models think of held-out tweets, compares all three with the truth, and writes a page about it."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from wf_ml import command, rows
from wf_ml.crisis.fuse import Fusion, load_fusion
from wf_ml.crisis.predictions import Predictions, aligned, read_predictions
from wf_ml.crisis.report import write_report
from wf_ml.errors import DataError
from wf_ml.log import log
from wf_ml.metrics.classification import accuracy, confusion_matrix, macro_f1
from wf_ml.models.saved import Saved, load_model


@dataclass(frozen=True)
class Outcome:
    """`made` has the predictions of "text", "image" and "fusion", all in one order; `tweets` the rows in that order."""

    made: Dict[str, Predictions]
    tweets: List[rows.Row]
    fusion: Fusion
    models: Dict[str, Saved]

    def matrix(self, name: str) -> np.ndarray:
        one = self.made[name]
        return confusion_matrix(one.truth, one.predicted, len(one.classes))

    def scores(self) -> Dict[str, float]:
        """`text_accuracy`, `text_macro_f1`, and so for image and fusion; `fusion_gain` over the better single one."""
        found: Dict[str, float] = {}
        for name in self.made:
            found[f"{name}_accuracy"] = accuracy(self.matrix(name))
            found[f"{name}_macro_f1"] = macro_f1(self.matrix(name))
        found["fusion_gain"] = found["fusion_accuracy"] - max(found["text_accuracy"], found["image_accuracy"])
        return found


def evaluate(text: Path, image: Path, fusion: Path, tweets: Path, text_model: Path, image_model: Path) -> Outcome:
    from_text, from_image, fused = read_predictions(text), read_predictions(image), load_fusion(fusion)
    by_id = {row["id"]: row for row in rows.read_rows(tweets, files=["image"], values=["id", "text", "label"])}
    missing = [name for name in from_text.ids if name not in by_id]
    if missing:
        raise DataError(f'tweet "{missing[0]}" was predicted and is not there', tweets)
    return Outcome(
        made={
            "text": from_text,
            "image": aligned(from_text, from_image),
            "fusion": fused.apply(from_text, from_image),
        },
        tweets=[by_id[name] for name in from_text.ids],
        fusion=fused,
        models={"text": load_model(text_model), "image": load_model(image_model)},
    )


def write_table(path: Path, outcome: Outcome) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    classes = outcome.fusion.classes
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        shares = [f"{name}_{label}" for name in outcome.made for label in classes]
        table.writerow(["id", "label", *outcome.made, *shares])
        for at, tweet in enumerate(outcome.tweets):
            guesses = [classes[int(one.predicted[at])] for one in outcome.made.values()]
            values = [f"{share:.4f}" for one in outcome.made.values() for share in one.probabilities[at]]
            table.writerow([tweet["id"], tweet["label"], *guesses, *values])


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--text", type=Path, required=True, help="predictions from texts, of test data")
    parser.add_argument("--image", type=Path, required=True, help="predictions from images, of the same tweets")
    parser.add_argument("--fusion", type=Path, required=True, help="how much to believe each of them")
    parser.add_argument("--tweets", type=Path, required=True, help="the dataset: image, id, text, label")
    parser.add_argument("--text-model", type=Path, required=True, help="for the page: how it was trained")
    parser.add_argument("--image-model", type=Path, required=True, help="for the page: how it was trained")
    parser.add_argument("--table", type=Path, required=True, help="CSV: what each model took each tweet for")
    parser.add_argument("--report", type=Path, required=True, help="HTML")
    parser.add_argument("--text-study", type=command.optional_path, help="what the search for the text model has tried")
    parser.add_argument("--image-study", type=command.optional_path, help="the same for the image model")
    given = parser.parse_args(argv)
    outcome = evaluate(given.text, given.image, given.fusion, given.tweets, given.text_model, given.image_model)
    write_table(given.table, outcome)
    paths = {"text": given.text_study, "image": given.image_study}
    studies: Dict[str, Any] = {n: json.loads(p.read_text("utf-8")) for n, p in paths.items() if p is not None}
    write_report(given.report, outcome, studies)
    scores = outcome.scores()
    log(**scores)
    for name, value in scores.items():
        print(f"{name:18s} {value:.4f}")


if __name__ == "__main__":
    command.run(main)
