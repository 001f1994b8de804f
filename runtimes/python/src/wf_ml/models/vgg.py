"""A VGG-like classifier: pairs of convolutions between poolings, then a small head."""

from __future__ import annotations

from typing import List

import torch
from torch import nn


class Vgg(nn.Module):
    """`stages` halvings, `width` channels in the first and twice as many in each further one. Gives logits."""

    def __init__(
        self, classes: int, in_channels: int = 3, width: int = 16, stages: int = 4, dropout: float = 0.2
    ) -> None:
        super().__init__()
        layers: List[nn.Module] = []
        channels = in_channels
        for stage in range(stages):
            wide = width * 2**stage
            for _ in range(2):
                layers += [
                    nn.Conv2d(channels, wide, 3, padding=1, bias=False),
                    nn.BatchNorm2d(wide),
                    nn.ReLU(inplace=True),
                ]
                channels = wide
            layers.append(nn.MaxPool2d(2))
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Dropout(dropout), nn.Linear(channels, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x).mean(dim=(2, 3)))
