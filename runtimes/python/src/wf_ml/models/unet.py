"""U-Net: an encoder, a decoder, and between them the details that the encoder would lose."""

from __future__ import annotations

from typing import List

import torch
from torch import nn


def _block(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    """`levels` halvings, `width` channels at full size and twice as many at each level. Gives logits.

    Height and width must be multiples of ``2 ** levels``.
    """

    def __init__(self, in_channels: int = 1, out_channels: int = 1, width: int = 8, levels: int = 3) -> None:
        super().__init__()
        widths = [width * 2**level for level in range(levels + 1)]
        self.down = nn.ModuleList(_block(a, b) for a, b in zip([in_channels, *widths[:-1]], widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * w, w, 2, stride=2) for w in reversed(widths[:-1]))
        self.join = nn.ModuleList(_block(2 * w, w) for w in reversed(widths[:-1]))
        self.head = nn.Conv2d(width, out_channels, 1)
        self.multiple = 2**levels

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        skipped: List[torch.Tensor] = []
        for level, block in enumerate(self.down):
            x = block(x if level == 0 else nn.functional.max_pool2d(x, 2))
            skipped.append(x)
        skipped.pop()
        for up, join in zip(self.up, self.join):
            x = join(torch.cat([skipped.pop(), up(x)], dim=1))
        return self.head(x)
