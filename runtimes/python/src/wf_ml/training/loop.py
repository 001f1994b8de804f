"""The training loop: epochs, scores on validation data, checkpoints, early stopping.

Laws: the numbers depend on data, settings, seed, threads and the number of processes alone; stopping after any epoch, or
at any batch when the time is up, and going on from the checkpoint gives exactly the numbers of a training that was
never stopped.
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
from wf_ml.training.world import World, alone

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
    world: Optional[World] = None,
) -> Trained:
    """Trains up to epoch `settings.epochs`, from `start` if given, and keeps `checkpoint` up to date after each one.

    Where `checkpoint` is there already, the training goes on from it. When its time is up, it leaves there what it has,
    and raises `Unfinished`. `network` says how the model was built, so that a checkpoint of another one is refused.
    In a `world` of several processes all of them call this, and get the same.
    """
    world = world or alone()
    network = network or {} if world.size == 1 else {**(network or {}), "processes": world.size}
    for name, data in (("training", train), ("validation", val)):
        if len(data[0]) == 0:
            raise DataError(f"there are no {name} data")
    world.refuse_unless_divisible(len(train[0]), settings.batch)
    train, val = _in_layout(train, world), _in_layout(val, world)
    model.to(world.device)
    if train[0].dim() == 4:
        model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.Adam(_groups(model, settings), weight_decay=settings.weight_decay)
    state = Checkpoint(settings.identity(), network, 0, {}, {}, [], 0, -math.inf, {})
    begin = checkpoint if checkpoint is not None and checkpoint.exists() else start
    if begin is not None:
        state = load_checkpoint(begin, settings, network)
        model.load_state_dict(state.weights)
        optimizer.load_state_dict(state.optimizer)

    training = Training(model, world.wrapped(model), objective, optimizer, train, val, settings, world)
    if checkpoint is None:
        while _has_more(state, settings):
            training.train_one(state)
    else:
        training.train_in_time(state, checkpoint)
    if start is not None and checkpoint is not None and world.is_first and not checkpoint.exists():
        save_checkpoint(checkpoint, state)

    model.load_state_dict(state.best_weights)
    model.to("cpu").eval()
    return Trained(
        history=state.history,
        best_epoch=state.best_epoch,
        best=state.history[state.best_epoch - 1],
        is_stopped_early=state.epoch < settings.epochs,
    )


@dataclass(frozen=True)
class Training:
    """`learner` is the model as all processes of the world train it together."""

    model: nn.Module
    learner: nn.Module
    objective: Objective
    optimizer: torch.optim.Optimizer
    train: Tensors
    val: Tensors
    settings: Settings
    world: World

    def train_in_time(self, state: Checkpoint, checkpoint: Path) -> None:
        with TimeUp() as time_up:
            while _has_more(state, self.settings):
                is_whole = self.train_one(state, time_up)
                if self.world.is_first:
                    save_checkpoint(checkpoint, state)
                # All hear of it, and none leaves before the checkpoint is there.
                is_heard = self.world.has_any(time_up.is_heard)
                if is_heard and (not is_whole or _has_more(state, self.settings)):
                    raise Unfinished(f"the time is up in epoch {state.epoch + 1} of {self.settings.epochs}")

    def train_one(self, state: Checkpoint, time_up: Optional[TimeUp] = None) -> bool:
        """One epoch, or as much of it as there is time for: then false."""
        epoch, world, settings = state.epoch + 1, self.world, self.settings
        began = time.monotonic()
        torch.manual_seed(derive(settings.seed, "epoch", epoch))
        for group in self.optimizer.param_groups:
            group["lr"] = group["initial_lr"] * settings.share_of_lr(epoch)
        self.learner.train()
        batches = _batches(len(self.train[0]), settings.batch, world.size)
        done, total = 0, 0.0
        if state.part:
            done, total = state.part["batches"], state.part["loss"] if world.is_first else 0.0
            torch.set_rng_state(state.part["random"])
            state.part = {}
        for number, chosen in list(enumerate(batches, start=1))[done:]:
            if world.size > 1:
                torch.manual_seed(derive(settings.seed, "epoch", epoch, "batch", number, "rank", world.rank))
            total += self._step(chosen, f"in epoch {epoch}, batch {number}")
            if time_up is not None and number < len(batches) and world.has_any(time_up.is_heard):
                state.part = {"batches": number, "loss": world.total(total), "random": torch.get_rng_state()}
                _keep(state, self.model, self.optimizer)
                return False
        total = world.total(total)
        self.model.eval()
        with torch.no_grad():
            scores = world.agreed(self.objective.scores(self.model, self.val) if world.is_first else {})
        for name, value in scores.items():
            _refuse_unless_finite(name, value, f"after epoch {epoch}", settings)
        line: Epoch = {"step": epoch, "loss": total / len(self.train[0]), **scores}
        if world.is_first:
            log(**line)
            shown = "  ".join(f"{name} {value:.4f}" for name, value in line.items() if name != "step")
            print(f"epoch {epoch:3d}  {shown}  {time.monotonic() - began:.1f} s", flush=True)

        state.epoch = epoch
        state.history.append(line)
        _keep(state, self.model, self.optimizer)
        watched = scores[self.objective.watch]
        if watched > state.best_score:
            state.best_epoch, state.best_score, state.best_weights = epoch, watched, state.weights
        return True

    def _step(self, chosen: torch.Tensor, when: str) -> float:
        """The sum of the losses of this process's share of a batch."""
        share = self.world.share(chosen)
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.objective.loss(self.learner, tuple(column[share] for column in self.train))
        value = float(loss.detach())
        _refuse_unless_finite("the loss", value, when, self.settings)
        if self.world.size > 1:
            loss = loss * self.world.weight(len(share), len(chosen))
        loss.backward()
        self.optimizer.step()
        return value * len(share)


def _has_more(state: Checkpoint, settings: Settings) -> bool:
    return state.epoch < settings.epochs and not _is_out_of_patience(state, settings)


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


def _batches(count: int, size: int, processes: int) -> List[torch.Tensor]:
    """In an order that the epoch's seed decides. A last batch that has not two for each process joins the one before:
    one alone has no variance."""
    chunks = list(torch.randperm(count).split(size))
    if len(chunks) > 1 and len(chunks[-1]) < 2 * processes:
        chunks[-2:] = [torch.cat(chunks[-2:])]
    return chunks


def _in_layout(data: Tensors, world: World) -> Tensors:
    """Convolutions on a CPU are about twice as fast when the channels of a pixel lie together."""
    placed = (column.to(world.device) for column in data)
    return tuple(c.contiguous(memory_format=torch.channels_last) if c.dim() == 4 else c for c in placed)


def _is_out_of_patience(state: Checkpoint, settings: Settings) -> bool:
    return settings.patience is not None and state.epoch - state.best_epoch >= settings.patience > 0
