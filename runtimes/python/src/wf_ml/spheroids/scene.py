"""An image of a droplet with spheroids in it, and where they are."""

from __future__ import annotations

import math
from typing import List, Tuple

import numpy as np

from wf_ml.spheroids.droplet import (
    Droplet,
    Plane,
    Rng,
    add_dirt,
    add_reflections,
    blurred,
    lit,
    place,
    window_around,
)

SIZE = 96
COUNTS = (0, 1, 2, 3, 4)
SHARES = (0.08, 0.42, 0.27, 0.15, 0.08)
GAP = 3.0
"""Pixels that lie between two spheroids at least. Those that touch would be counted as one."""


def scene(rng: Rng, size: int = SIZE) -> Tuple[np.ndarray, np.ndarray, int]:
    """The image in bytes, the mask of the spheroids, and how many there are."""
    droplet = place(rng, size)
    light = lit(rng, droplet)
    add_reflections(rng, light, droplet)
    mask = np.zeros((size, size), dtype=bool)
    wanted = int(rng.choice(COUNTS, p=SHARES))
    placed: List[Tuple[float, float, float]] = []
    for _ in range(wanted):
        spot = _free_spot(rng, droplet, placed, wanted)
        if spot is not None:
            placed.append(spot)
            mask |= _grow(rng, light, *spot)
    add_dirt(rng, light, mask)
    return _developed(rng, light), mask, len(placed)


def _free_spot(
    rng: Rng, droplet: Droplet, placed: List[Tuple[float, float, float]], wanted: int
) -> "Tuple[float, float, float] | None":
    size = droplet.distance.shape[0]
    for _ in range(60):
        radius = size * rng.uniform(0.055, 0.16 if wanted < 3 else 0.105)
        x, y = rng.uniform(0.12 * size, 0.88 * size, size=2)
        room = droplet.distance[int(y), int(x)] - 1.12 * radius - droplet.border
        if room > 0.5 and all(math.hypot(x - a, y - b) > 1.15 * (radius + r) + GAP for a, b, r in placed):
            return float(x), float(y), float(radius)
    return None


def _grow(rng: Rng, light: Plane, x: float, y: float, radius: float) -> np.ndarray:
    """Darkens the light where a spheroid is: a rough ball of cells, denser in the middle, with a bright rim."""
    mask = np.zeros(light.shape, dtype=bool)
    window, columns, rows = window_around(light, x, y, 1.4 * radius + 6.0)
    dx, dy = columns - x, rows - y
    stretch, turn = rng.uniform(0.82, 1.0), rng.uniform(0, math.pi)
    across, down = dx * math.cos(turn) + dy * math.sin(turn), (-dx * math.sin(turn) + dy * math.cos(turn)) / stretch
    around = np.arctan2(down, across)
    rough = 1.0 + sum(
        rng.normal(0, 0.045 / math.sqrt(k)) * np.cos(k * around + rng.uniform(0, 6.28)) for k in range(2, 9)
    )
    inward = radius * np.clip(rough, 0.8, 1.15) - np.hypot(across, down)
    body = 1 / (1 + np.exp(-inward / rng.uniform(0.5, 1.1)))
    thick = np.sqrt(np.clip(inward / radius, 0.0, 1.0))
    depth = rng.uniform(0.14, 0.40)
    grain = blurred(rng.normal(size=inward.shape), rng.uniform(0.8, 1.6))
    grain *= rng.uniform(0.02, 0.06) / max(float(grain.std()), 1e-9)
    core = -rng.uniform(0.0, 0.12) if rng.random() < 0.4 else rng.uniform(0.0, 0.08)
    light[window] -= body * (depth * (0.55 + 0.45 * thick) + grain + core * thick**2)
    light[window] += rng.uniform(0.02, 0.14) * np.exp(-(((inward + 1.3) / 1.1) ** 2))
    mask[window] = inward > 0
    return mask


def _developed(rng: Rng, light: Plane) -> np.ndarray:
    """Focus, the camera's gain, and noise."""
    light = blurred(light, rng.uniform(0.45, 1.0))
    light = (light - 0.5) * rng.uniform(0.8, 1.15) + 0.5 + rng.normal(0, 0.03)
    light = light + rng.normal(0, rng.uniform(0.008, 0.025), size=light.shape)
    return (np.clip(light, 0, 1) * 255 + 0.5).astype(np.uint8)
