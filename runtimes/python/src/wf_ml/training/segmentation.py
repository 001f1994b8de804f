"""Learning a mask, pixel by pixel and as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, Optional

import torch
from torch import nn

from wf_ml.training.loop import Tensors


@dataclass
class Segmentation:
    """Cross entropy makes every pixel count, soft Dice the shape. The score is the mean Dice of the images."""

    augment: Optional[Callable[[torch.Tensor], torch.Tensor]] = None
    """Turns or mirrors images at random; an image and its mask come as two channels of one."""
    watch: str = "dice"

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor:
        images, masks = batch
        if self.augment is not None:
            both = self.augment(torch.cat([images, masks], dim=1))
            images, masks = both[:, :-1], both[:, -1:]
        return _loss(model(images), masks)

    def scores(self, model: nn.Module, data: Tensors) -> Dict[str, float]:
        losses, overlaps = [], []
        for images, masks in zip(data[0].split(32), data[1].split(32)):
            logits = model(images)
            losses.append(float(_loss(logits, masks)) * len(images))
            predicted = (logits > 0).float()
            both = (predicted * masks).sum(dim=(1, 2, 3))
            sums = predicted.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3))
            overlaps.append(torch.where(sums > 0, 2 * both / sums.clamp(min=1), torch.ones_like(sums)))
        return {"val_loss": sum(losses) / len(data[0]), "dice": float(torch.cat(overlaps).mean())}


def _loss(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    entropy = nn.functional.binary_cross_entropy_with_logits(logits, masks)
    likely = torch.sigmoid(logits)
    both = (likely * masks).sum(dim=(1, 2, 3))
    shape = 1.0 - (2.0 * both + 1.0) / (likely.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3)) + 1.0)
    return entropy + shape.mean()
