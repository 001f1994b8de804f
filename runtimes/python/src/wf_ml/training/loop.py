"""The training loop: epochs, scores on validation data, checkpoints, early stopping.

Laws: the numbers depend on data, settings, seed and threads alone; stopping after any epoch, or at any batch when the
time is up, and going on from the checkpoint gives exactly the numbers of a training that was never stopped.
"""

from __future__ import annotations

import copy
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Protocol, Tuple

import torch
from torch import nn

from wf_ml.errors import DataError, Unfinished
from wf_ml.log import log
from wf_ml.seeds import derive
from wf_ml.training.checkpoint import Checkpoint, Epoch, load_checkpoint, save_checkpoint
from wf_ml.training.settings import Settings
from wf_ml.training.time_up import TimeUp

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

    Where `checkpoint` is there already, the training goes on from it. When its time is up, it leaves there what it has,
    and raises `Unfinished`. `network` says how the model was built, so that a checkpoint of another one is refused.
    """
    for name, data in (("training", train), ("validation", val)):
        if len(data[0]) == 0:
            raise DataError(f"there are no {name} data")
    train, val = _in_layout(train), _in_layout(val)
    if train[0].dim() == 4:
        model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.Adam(_groups(model, settings), weight_decay=settings.weight_decay)
    state = Checkpoint(settings.identity(), network or {}, 0, {}, {}, [], 0, -math.inf, {})
    begin = checkpoint if checkpoint is not None and checkpoint.exists() else start
    if begin is not None:
        state = load_checkpoint(begin, settings, network or {})
        model.load_state_dict(state.weights)
        optimizer.load_state_dict(state.optimizer)

    if checkpoint is None:
        while _has_more(state, settings):
            _train_one(model, objective, optimizer, train, val, settings, state)
    else:
        _train_in_time(model, objective, optimizer, train, val, settings, state, checkpoint)
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


def _train_in_time(
    model: nn.Module,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    train: Tensors,
    val: Tensors,
    settings: Settings,
    state: Checkpoint,
    checkpoint: Path,
) -> None:
    with TimeUp() as time_up:
        while _has_more(state, settings):
            is_whole = _train_one(model, objective, optimizer, train, val, settings, state, time_up)
            save_checkpoint(checkpoint, state)
            if time_up.is_heard and (not is_whole or _has_more(state, settings)):
                raise Unfinished(f"the time is up in epoch {state.epoch + 1} of {settings.epochs}")


def _has_more(state: Checkpoint, settings: Settings) -> bool:
    return state.epoch < settings.epochs and not _is_out_of_patience(state, settings)


def _train_one(
    model: nn.Module,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    train: Tensors,
    val: Tensors,
    settings: Settings,
    state: Checkpoint,
    time_up: Optional[TimeUp] = None,
) -> bool:
    """One epoch, or as much of it as there is time for: then false."""
    epoch = state.epoch + 1
    began = time.monotonic()
    torch.manual_seed(derive(settings.seed, "epoch", epoch))
    for group in optimizer.param_groups:
        group["lr"] = group["initial_lr"] * settings.share_of_lr(epoch)
    model.train()
    batches = _batches(len(train[0]), settings.batch)
    done, total = 0, 0.0
    if state.part:
        done, total = state.part["batches"], state.part["loss"]
        torch.set_rng_state(state.part["random"])
        state.part = {}
    for number, chosen in list(enumerate(batches, start=1))[done:]:
        batch = tuple(column[chosen] for column in train)
        optimizer.zero_grad(set_to_none=True)
        loss = objective.loss(model, batch)
        value = float(loss.detach())
        _refuse_unless_finite("the loss", value, f"in epoch {epoch}, batch {number}", settings)
        loss.backward()
        optimizer.step()
        total += value * len(batch[0])
        if time_up is not None and time_up.is_heard and number < len(batches):
            state.part = {"batches": number, "loss": total, "random": torch.get_rng_state()}
            _keep(state, model, optimizer)
            return False
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
    _keep(state, model, optimizer)
    if scores[objective.watch] > state.best_score:
        state.best_epoch, state.best_score, state.best_weights = epoch, scores[objective.watch], state.weights
    return True


def _keep(state: Checkpoint, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    state.weights = copy.deepcopy(model.state_dict())
    state.optimizer = copy.deepcopy(optimizer.state_dict())


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


def _batches(count: int, size: int) -> List[torch.Tensor]:
    """In an order that the epoch's seed decides. A last batch of one joins the one before: it has no variance."""
    chunks = list(torch.randperm(count).split(size))
    if len(chunks) > 1 and len(chunks[-1]) == 1:
        chunks[-2:] = [torch.cat(chunks[-2:])]
    return chunks


def _in_layout(data: Tensors) -> Tensors:
    """Convolutions on a CPU are about twice as fast when the channels of a pixel lie together."""
    return tuple(c.contiguous(memory_format=torch.channels_last) if c.dim() == 4 else c for c in data)


def _is_out_of_patience(state: Checkpoint, settings: Settings) -> bool:
    return settings.patience is not None and state.epoch - state.best_epoch >= settings.patience > 0
