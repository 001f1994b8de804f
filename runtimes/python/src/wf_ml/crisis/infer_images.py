"""What an image model thinks of the pictures of tweets."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.crisis.predictions import Predictions, write_predictions
from wf_ml.errors import DataError
from wf_ml.log import log
from wf_ml.metrics.classification import accuracy, confusion_matrix
from wf_ml.models.saved import load_model
from wf_ml.rgb_tensors import rgb_tensor
from wf_ml.seeds import prepare_torch
from wf_ml.training.classification import class_numbers, probabilities_of


def infer_images(model: Path, images: Path) -> Predictions:
    saved = load_model(model)
    given = rows.read_rows(images, files=["image"], values=["id", "label"])
    if not given:
        raise DataError("there is no example", images)
    labels = [row["label"] for row in given]
    class_numbers(labels, saved.about["classes"])
    shares = probabilities_of(saved.model(), rgb_tensor(given))
    return Predictions(saved.about["classes"], [row["id"] for row in given], labels, shares)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--images", type=Path, required=True, help="a dataset: image, id, label")
    parser.add_argument("--out", type=Path, required=True, help="CSV")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    made = infer_images(given.model, given.images)
    write_predictions(given.out, made)
    log(accuracy=accuracy(confusion_matrix(made.truth, made.predicted, len(made.classes))))


if __name__ == "__main__":
    command.run(main)
