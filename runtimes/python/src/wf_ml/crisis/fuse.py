"""Late fusion: learns on validation data how much to believe each of two models.

A class's score is ``text weight * log p(text) + image weight * log p(image) + bias``: what two independent witnesses
give together, with trust in each and a share for each class that fit best.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Sequence

import numpy as np
import torch
from torch import nn

from wf_ml import atomic, command
from wf_ml.crisis.predictions import Predictions, aligned, read_predictions
from wf_ml.errors import DataError
from wf_ml.log import log
from wf_ml.metrics.classification import accuracy, confusion_matrix
from wf_ml.seeds import prepare_torch

LEAST_PROBABILITY = 1e-3
PULL = 0.01
"""How strongly weights are held at 1 and biases at 0; a few hundred tweets say little."""


@dataclass(frozen=True)
class Fusion:
    classes: List[str]
    text_weight: float
    image_weight: float
    bias: List[float]

    def apply(self, text: Predictions, image: Predictions) -> Predictions:
        seen = aligned(text, image)
        score = self.text_weight * _logs(text) + self.image_weight * _logs(seen) + np.array(self.bias)
        score = np.exp(score - score.max(axis=1, keepdims=True))
        return Predictions(text.classes, text.ids, text.labels, score / score.sum(axis=1, keepdims=True))


def fit_fusion(text: Predictions, image: Predictions) -> Fusion:
    seen = aligned(text, image)
    truth = torch.from_numpy(text.truth)
    logs = [torch.from_numpy(_logs(part)) for part in (text, seen)]
    weights = torch.ones(2, dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(len(text.classes), dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS([weights, bias], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        search.zero_grad()
        score = weights[0] * logs[0] + weights[1] * logs[1] + bias
        value = nn.functional.cross_entropy(score, truth)
        value = value + PULL * (((weights - 1) ** 2).sum() + (bias**2).sum())
        value.backward()  # type: ignore[no-untyped-call]
        return value

    search.step(loss)  # type: ignore[arg-type]
    found = [float(value) for value in (*weights.detach(), *bias.detach())]
    if not np.isfinite(found).all():
        raise DataError(
            "no weights fit the predictions of the two models", hint="look at the models: they may have learned nothing"
        )
    return Fusion(text.classes, found[0], found[1], found[2:])


def _logs(made: Predictions) -> np.ndarray:
    return np.log(np.maximum(made.probabilities, LEAST_PROBABILITY))


def load_fusion(path: Path) -> Fusion:
    if not path.is_file():
        raise DataError("there is no such fusion", path)
    return Fusion(**json.loads(path.read_text("utf-8")))


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--text", type=Path, required=True, help="predictions from texts, of validation data")
    parser.add_argument("--image", type=Path, required=True, help="predictions from images, of the same tweets")
    parser.add_argument("--out", type=Path, required=True, help="JSON")
    given = parser.parse_args(argv)
    prepare_torch(0, 1)
    text, image = read_predictions(given.text), read_predictions(given.image)
    fusion = fit_fusion(text, image)
    atomic.write_bytes(given.out, json.dumps(vars(fusion)).encode("utf-8"))
    made = fusion.apply(text, image)
    reached = accuracy(confusion_matrix(made.truth, made.predicted, len(made.classes)))
    log(accuracy=reached, text_weight=fusion.text_weight, image_weight=fusion.image_weight)
    print(f"text {fusion.text_weight:.2f}  image {fusion.image_weight:.2f}  accuracy {reached:.4f}")


if __name__ == "__main__":
    command.run(main)
