"""The processes that train one model: each takes its share of every batch, and all take the same step.

Several are there where wf, torchrun or another hand has started them and said so in the environment. They meet at the
file that WF_RENDEZVOUS names, or else at MASTER_ADDR. One process alone uses all GPUs that it sees.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List

import torch
from torch import distributed, nn

from wf_ml.errors import DataError


@dataclass(frozen=True)
class World:
    rank: int
    size: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        """Whether this is the process that speaks and writes for all."""
        return self.rank == 0

    def wrapped(self, model: nn.Module) -> nn.Module:
        """The model to train with. Its weights are those of `model`; those of the first process count."""
        if self.size > 1:
            ids = [self.device] if self.device.type == "cuda" else None
            return nn.parallel.DistributedDataParallel(model, device_ids=ids)
        if self.device.type == "cuda" and torch.cuda.device_count() > 1:
            return nn.DataParallel(model)
        return model

    def share(self, batch: torch.Tensor) -> torch.Tensor:
        return batch[self.rank :: self.size]

    def weight(self, share: int, whole: int) -> float:
        """Gradients are averaged over processes: with this, the mean over images comes of it."""
        return share * self.size / whole

    def total(self, value: float) -> float:
        if self.size == 1:
            return value
        sum_of_all = torch.tensor([value], dtype=torch.float64, device=self.device)
        distributed.all_reduce(sum_of_all)
        return float(sum_of_all)

    def has_any(self, is_so: bool) -> bool:
        """Whether it is so for any process."""
        return self.total(float(is_so)) > 0

    def agreed(self, scores: Dict[str, float]) -> Dict[str, float]:
        """What the first process found."""
        if self.size == 1:
            return scores
        said: List[Any] = [scores]
        distributed.broadcast_object_list(said, src=0, device=self.device)
        return said[0]

    def refuse_unless_divisible(self, images: int, batch: int) -> None:
        if min(images, batch) < self.size:
            raise DataError(
                f"{self.size} processes cannot share batches of {batch} from {images} images",
                hint="use fewer processes, or larger batches",
            )


def _gpu_or_cpu(index: int = 0) -> torch.device:
    return torch.device("cuda", index) if torch.cuda.is_available() else torch.device("cpu")


def alone() -> World:
    return World(0, 1, _gpu_or_cpu())


@contextmanager
def joined() -> Iterator[World]:
    """The world that the environment tells of."""
    said = os.environ
    size = int(said.get("WF_WORLD_SIZE") or said.get("WORLD_SIZE") or 1)
    if size == 1:
        yield alone()
        return
    rank = int(said.get("WF_RANK") or said["RANK"])
    device = _gpu_or_cpu(int(said.get("WF_LOCAL_RANK") or said.get("LOCAL_RANK") or 0))
    meeting = f"file://{said['WF_RENDEZVOUS']}" if said.get("WF_RENDEZVOUS") else "env://"
    backend = "nccl" if device.type == "cuda" else "gloo"
    distributed.init_process_group(backend, init_method=meeting, rank=rank, world_size=size)
    try:
        yield World(rank, size, device)
    finally:
        distributed.destroy_process_group()
