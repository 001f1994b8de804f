"""The state of a training after an epoch: all that the next epoch depends on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List

import torch

from wf_ml.errors import DataError
from wf_ml.tensor_file import load_tensors, save_tensors
from wf_ml.training.settings import Settings

Epoch = Dict[str, float]


@dataclass
class Checkpoint:
    """Random numbers need no place here: those of an epoch are a function of the seed and its number."""

    settings: Dict[str, Any]
    network: Dict[str, Any]
    epoch: int
    weights: Dict[str, torch.Tensor]
    optimizer: Dict[str, Any]
    history: List[Epoch]
    best_epoch: int
    best_score: float
    best_weights: Dict[str, torch.Tensor]


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
