"""A small residual network."""

from __future__ import annotations

from typing import List

import torch
from torch import nn


class _Residual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            # Every second pixel is taken before the convolution and not by it: torch 1.13 writes past the end of its
            # memory in the gradient of a 1x1 convolution with a stride, fewer than 8 channels and channels_last.
            self.shortcut = nn.Sequential(
                nn.MaxPool2d(1, stride), nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs)
            )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.path(x) + self.shortcut(x))


class ResNet(nn.Module):
    """`stages` stages of `blocks` residual blocks; each stage after the first halves the image. Gives logits."""

    def __init__(
        self,
        classes: int,
        in_channels: int = 3,
        width: int = 16,
        stages: int = 3,
        blocks: int = 1,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        layers: List[nn.Module] = [
            nn.Conv2d(in_channels, width, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
        ]
        channels = width
        for stage in range(stages):
            for block in range(blocks):
                wide = width * 2**stage
                layers.append(_Residual(channels, wide, 2 if stage > 0 and block == 0 else 1))
                channels = wide
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Dropout(dropout), nn.Linear(channels, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x).mean(dim=(2, 3)))
