"""The state of a training after an epoch, or amid one: all that the rest of it depends on."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List

import torch

from wf_ml.errors import DataError
from wf_ml.tensor_file import load_tensors, save_tensors
from wf_ml.training.settings import Settings

Epoch = Dict[str, float]


@dataclass
class Checkpoint:
    """Random numbers of whole epochs need no place here: they are a function of the seed and the epoch's number."""

    settings: Dict[str, Any]
    network: Dict[str, Any]
    epoch: int
    weights: Dict[str, torch.Tensor]
    optimizer: Dict[str, Any]
    history: List[Epoch]
    best_epoch: int
    best_score: float
    best_weights: Dict[str, torch.Tensor]
    part: Dict[str, Any] = field(default_factory=dict)
    """Of an epoch that is not over: `batches` done, their `loss`, and the state of the `random` numbers."""


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    save_tensors(path, vars(checkpoint))


def load_checkpoint(path: Path, settings: Settings, network: Dict[str, Any]) -> Checkpoint:
    """A checkpoint of the same training; one of another is refused with what differs."""
    content = load_tensors(path, "the checkpoint")
    if not isinstance(content, dict) or set(content) != set(Checkpoint.__dataclass_fields__):
        raise DataError("this is not a checkpoint of wf-ml", path)
    checkpoint = Checkpoint(**content)
    for ours, theirs in ((settings.identity(), checkpoint.settings), (network, checkpoint.network)):
        for name in sorted({*ours, *theirs}):
            if ours.get(name) != theirs.get(name):
                raise DataError(
                    f"the checkpoint was trained with {name} {theirs.get(name)}, not {ours.get(name)}",
                    path,
                    "start without a checkpoint, or with the same settings",
                )
    return checkpoint
