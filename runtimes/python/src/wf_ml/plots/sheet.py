"""Many small pictures on one sheet."""

from __future__ import annotations

from typing import Sequence

import numpy as np

GAP, PAPER = 4, 250


def contact_sheet(rows: Sequence[Sequence[np.ndarray]], levels: int = 64) -> np.ndarray:
    """Rows of pictures of one size. Fewer levels of brightness make a smaller file, and nobody sees it."""
    tall, wide = rows[0][0].shape[:2]
    columns = max(len(row) for row in rows)
    shape = (GAP + len(rows) * (tall + GAP), GAP + columns * (wide + GAP), *rows[0][0].shape[2:])
    sheet = np.full(shape, PAPER, np.uint8)
    step = 255.0 / (levels - 1)
    for down, row in enumerate(rows):
        for across, picture in enumerate(row):
            pixels = picture.astype(np.uint8) * 255 if picture.dtype == bool else picture
            top, left = GAP + down * (tall + GAP), GAP + across * (wide + GAP)
            sheet[top : top + tall, left : left + wide] = np.round(np.round(pixels / step) * step).astype(np.uint8)
    return sheet
