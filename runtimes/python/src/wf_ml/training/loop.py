"""The training loop: epochs, scores on validation data, checkpoints, early stopping.

Laws: the numbers depend on data, settings, seed and threads alone; stopping after any epoch and going on from its
checkpoint gives exactly the numbers of a training that was never stopped.
"""

from __future__ import annotations

import copy
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Protocol, Tuple

import torch
from torch import nn

from wf_ml.errors import DataError
from wf_ml.log import log
from wf_ml.seeds import derive
from wf_ml.training.checkpoint import Checkpoint, Epoch, load_checkpoint, save_checkpoint
from wf_ml.training.settings import Settings

Tensors = Tuple[torch.Tensor, ...]
"""Inputs first, then targets; all with the same first dimension."""


class Objective(Protocol):
    """What is learned. Random numbers that `loss` draws from torch repeat like all others."""

    watch: str
    """The score that decides which epoch is the best one; higher is better."""

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor: ...

    def scores(self, model: nn.Module, data: Tensors) -> Dict[str, float]: ...


@dataclass(frozen=True)
class Trained:
    """The model that was given has the weights of the best epoch now."""

    history: List[Epoch]
    best_epoch: int
    best: Epoch
    is_stopped_early: bool


def fit(
    model: nn.Module,
    objective: Objective,
    train: Tensors,
    val: Tensors,
    settings: Settings,
    network: Optional[Dict[str, Any]] = None,
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
) -> Trained:
    """Trains up to epoch `settings.epochs`, from `start` if given, and keeps `checkpoint` up to date after each one.

    `network` says how the model was built, so that a checkpoint of another one is refused.
    """
    for name, data in (("training", train), ("validation", val)):
        if len(data[0]) == 0:
            raise DataError(f"there are no {name} data")
    train, val = _in_layout(train), _in_layout(val)
    if train[0].dim() == 4:
        model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.Adam(_groups(model, settings), weight_decay=settings.weight_decay)
    state = Checkpoint(settings.identity(), network or {}, 0, {}, {}, [], 0, -math.inf, {})
    if start is not None:
        state = load_checkpoint(start, settings, network or {})
        model.load_state_dict(state.weights)
        optimizer.load_state_dict(state.optimizer)

    while state.epoch < settings.epochs and not _is_out_of_patience(state, settings):
        _train_one(model, objective, optimizer, train, val, settings, state)
        if checkpoint is not None:
            save_checkpoint(checkpoint, state)
    if start is not None and checkpoint is not None and not checkpoint.exists():
        save_checkpoint(checkpoint, state)

    model.load_state_dict(state.best_weights)
    model.eval()
    return Trained(
        history=state.history,
        best_epoch=state.best_epoch,
        best=state.history[state.best_epoch - 1],
        is_stopped_early=state.epoch < settings.epochs,
    )


def _train_one(
    model: nn.Module,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    train: Tensors,
    val: Tensors,
    settings: Settings,
    state: Checkpoint,
) -> None:
    epoch = state.epoch + 1
    began = time.monotonic()
    torch.manual_seed(derive(settings.seed, "epoch", epoch))
    for group in optimizer.param_groups:
        group["lr"] = group["initial_lr"] * settings.share_of_lr(epoch)
    model.train()
    total = 0.0
    for number, batch in enumerate(_batches(train, settings.batch), start=1):
        optimizer.zero_grad(set_to_none=True)
        loss = objective.loss(model, batch)
        value = float(loss.detach())
        _refuse_unless_finite("the loss", value, f"in epoch {epoch}, batch {number}", settings)
        loss.backward()
        optimizer.step()
        total += value * len(batch[0])
    model.eval()
    with torch.no_grad():
        scores = objective.scores(model, val)
    for name, value in scores.items():
        _refuse_unless_finite(name, value, f"after epoch {epoch}", settings)
    line: Epoch = {"step": epoch, "loss": total / len(train[0]), **scores}
    log(**line)
    shown = "  ".join(f"{name} {value:.4f}" for name, value in line.items() if name != "step")
    print(f"epoch {epoch:3d}  {shown}  {time.monotonic() - began:.1f} s", flush=True)

    state.epoch = epoch
    state.history.append(line)
    state.weights = copy.deepcopy(model.state_dict())
    state.optimizer = copy.deepcopy(optimizer.state_dict())
    if scores[objective.watch] > state.best_score:
        state.best_epoch, state.best_score, state.best_weights = epoch, scores[objective.watch], state.weights


def _refuse_unless_finite(name: str, value: float, when: str, settings: Settings) -> None:
    if not math.isfinite(value):
        raise DataError(
            f"{name} is {value} {when}",
            hint=f"lower the learning rate ({settings.lr:g}), and look for values in the data that are no numbers",
        )


def _groups(model: nn.Module, settings: Settings) -> List[Dict[str, Any]]:
    """All weights at one learning rate, or those of the model's `head` at their own."""
    rates = {"": settings.lr} if settings.head_lr is None else {"": settings.lr, "head.": settings.head_lr}
    groups: Dict[str, List[nn.Parameter]] = {prefix: [] for prefix in rates}
    for name, weight in model.named_parameters():
        groups["head." if "head." in groups and name.startswith("head.") else ""].append(weight)
    return [{"params": groups[prefix], "lr": rate, "initial_lr": rate} for prefix, rate in rates.items()]


def _batches(data: Tensors, size: int) -> Iterator[Tensors]:
    """In an order that the epoch's seed decides. A last batch of one joins the one before: it has no variance."""
    chunks = list(torch.randperm(len(data[0])).split(size))
    if len(chunks) > 1 and len(chunks[-1]) == 1:
        chunks[-2:] = [torch.cat(chunks[-2:])]
    for chunk in chunks:
        yield tuple(column[chunk] for column in data)


def _in_layout(data: Tensors) -> Tensors:
    """Convolutions on a CPU are about twice as fast when the channels of a pixel lie together."""
    return tuple(c.contiguous(memory_format=torch.channels_last) if c.dim() == 4 else c for c in data)


def _is_out_of_patience(state: Checkpoint, settings: Settings) -> bool:
    return settings.patience is not None and state.epoch - state.best_epoch >= settings.patience > 0
