"""What a training is told."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Dict, Optional

from wf_ml.errors import DataError


@dataclass(frozen=True)
class Settings:
    epochs: int
    """How many there are in all, those of the checkpoint that it starts from included."""
    lr: float = 1e-3
    head_lr: Optional[float] = None
    """The learning rate of the model's `head`, where it is to have one of its own."""
    batch: int = 8
    weight_decay: float = 0.0
    seed: int = 0
    patience: Optional[int] = None
    """Stops after so many epochs without a better score. Default: never."""
    horizon: Optional[int] = None
    """The learning rate falls along a cosine to nearly nothing after so many epochs. Default: it stays."""

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch < 1:
            raise DataError(f"a training needs an epoch and a batch: {self.epochs} epochs, batches of {self.batch}")
        for rate in (self.lr, self.head_lr):
            if rate is not None and not rate > 0:
                raise DataError(f"the learning rate is {rate}", hint="it is above 0, for instance 0.001")

    def share_of_lr(self, epoch: int) -> float:
        """By what the learning rates are multiplied in an epoch."""
        if self.horizon is None:
            return 1.0
        done = min((epoch - 1) / self.horizon, 1.0)
        return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done))

    def identity(self) -> Dict[str, Any]:
        """What a checkpoint must agree in. How long to train is not among it."""
        return {name: value for name, value in asdict(self).items() if name not in ("epochs", "patience")}
