"""Learning classes: cross-entropy, with the classes' recalls on validation data as the score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Sequence

import numpy as np
import torch
from torch import nn

from wf_ml.errors import DataError
from wf_ml.metrics.classification import accuracy, confusion_matrix, macro_accuracy
from wf_ml.training.loop import Tensors

Augment = Callable[[torch.Tensor], torch.Tensor]


@dataclass
class Classification:
    """Batches are inputs and class numbers."""

    classes: int
    augment: Optional[Augment] = None
    """Changes the inputs of a training batch at random, with torch's own random numbers."""
    smoothing: float = 0.0
    watch: str = "macro_accuracy"
    """`macro_accuracy`, or `likelihood` (what the true class is given, as a geometric mean) where the probabilities
    themselves are used."""

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor:
        inputs, truth = batch
        if self.augment is not None:
            inputs = self.augment(inputs)
        return nn.functional.cross_entropy(model(inputs), truth, label_smoothing=self.smoothing)

    def scores(self, model: nn.Module, data: Tensors) -> Dict[str, float]:
        inputs, truth = data
        logits = logits_of(model, inputs)
        matrix = confusion_matrix(truth.numpy(), logits.argmax(dim=1).numpy(), self.classes)
        loss = float(nn.functional.cross_entropy(logits, truth))
        return {
            "val_loss": loss,
            "likelihood": math.exp(-loss),
            "accuracy": accuracy(matrix),
            "macro_accuracy": macro_accuracy(matrix),
        }


def logits_of(model: nn.Module, inputs: torch.Tensor, batch: int = 128) -> torch.Tensor:
    with torch.no_grad():
        return torch.cat([model(part) for part in inputs.split(batch)])


def probabilities_of(model: nn.Module, inputs: torch.Tensor) -> np.ndarray:
    return torch.softmax(logits_of(model, inputs), dim=1).numpy()


def class_numbers(labels: Sequence[str], classes: List[str]) -> torch.Tensor:
    numbers = {name: number for number, name in enumerate(classes)}
    unknown = sorted(set(labels) - set(numbers))
    if unknown:
        raise DataError(
            f'class "{unknown[0]}" does not occur in the training data', hint=f"known: {', '.join(classes)}"
        )
    return torch.tensor([numbers[label] for label in labels], dtype=torch.int64)


def flipped(images: torch.Tensor) -> torch.Tensor:
    """Each image mirrored left to right, or not."""
    chosen = (torch.rand(len(images)) < 0.5)[:, None, None, None]
    return torch.where(chosen, images.flip(3), images).contiguous(memory_format=torch.channels_last)


def turned(images: torch.Tensor) -> torch.Tensor:
    """Each square image in one of its eight orientations: for what has no up and down."""
    images = flipped(images)
    quarter = torch.randint(0, 4, (len(images),))[:, None, None, None]
    for turns in (1, 2):
        images = torch.where((quarter & turns) > 0, torch.rot90(images, turns, (2, 3)), images)
    return images.contiguous(memory_format=torch.channels_last)
