"""What a text model thinks of tweets."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.crisis.predictions import Predictions, write_predictions
from wf_ml.crisis.vocabulary import encoded
from wf_ml.log import log
from wf_ml.metrics.classification import accuracy, confusion_matrix
from wf_ml.models.saved import load_model
from wf_ml.seeds import prepare_torch
from wf_ml.training.classification import class_numbers, probabilities_of


def infer_text(model: Path, tweets: Path) -> Predictions:
    saved = load_model(model)
    given = rows.read_rows(tweets, values=["id", "tokens", "label"])
    labels = [row["label"] for row in given]
    class_numbers(labels, saved.about["classes"])
    tokens = encoded([row["tokens"] for row in given], saved.about["vocabulary"], saved.about["length"])
    shares = probabilities_of(saved.model(), tokens)
    return Predictions(saved.about["classes"], [row["id"] for row in given], labels, shares)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--tweets", type=Path, required=True, help="a dataset: id, tokens, label")
    parser.add_argument("--out", type=Path, required=True, help="CSV")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    made = infer_text(given.model, given.tweets)
    write_predictions(given.out, made)
    log(accuracy=accuracy(confusion_matrix(made.truth, made.predicted, len(made.classes))))


if __name__ == "__main__":
    command.run(main)
