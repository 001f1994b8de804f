"""Small images inside of a page."""

from __future__ import annotations

import base64
import io
from typing import Tuple

import numpy as np
from PIL import Image


def data_uri(pixels: np.ndarray) -> str:
    """A PNG as text, for the ``src`` of an ``<img>``."""
    if pixels.dtype == bool:
        pixels = pixels.astype(np.uint8) * 255
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG", compress_level=9)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def with_outline(gray: np.ndarray, mask: np.ndarray, colour: Tuple[int, int, int]) -> np.ndarray:
    """The image in grey with the border of the mask drawn into it."""
    rgb = np.repeat(gray[:, :, None], 3, axis=2) if gray.ndim == 2 else gray.copy()
    inner = mask.copy()
    inner[1:] &= mask[:-1]
    inner[:-1] &= mask[1:]
    inner[:, 1:] &= mask[:, :-1]
    inner[:, :-1] &= mask[:, 1:]
    rgb[mask & ~inner] = colour
    return rgb
