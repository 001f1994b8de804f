"""A droplet on a microarray in bright field: its dark border, the light that breaks there, bubbles, dust."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Tuple

import numpy as np

Rng = np.random.Generator
Plane = np.ndarray


@dataclass(frozen=True)
class Droplet:
    """A circle, or a square with round corners; `distance` is how many pixels each pixel lies inside of its border."""

    centre: Tuple[float, float]
    distance: Plane
    around: Plane
    """The direction of each pixel from the centre, in radians."""
    border: float
    """How wide the dark border is, in pixels."""


def place(rng: Rng, size: int) -> Droplet:
    x, y = size / 2 + rng.normal(0, 0.025 * size, size=2)
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float64)
    dx, dy = columns - x, rows - y
    reach = size * rng.uniform(0.38, 0.47)
    # A high power makes a circle a square with round corners; spots of an array are of both kinds.
    power = float(rng.choice([2.0, 2.4, 4.0, 6.0]))
    turn = rng.normal(0, 0.06)
    across, down = dx * math.cos(turn) + dy * math.sin(turn), -dx * math.sin(turn) + dy * math.cos(turn)
    around = np.arctan2(down, across)
    uneven = 1.0 + 0.012 * sum(rng.normal() * np.cos(k * around + rng.uniform(0, 6.28)) for k in (2, 3, 5))
    radius = (np.abs(across) ** power + np.abs(down) ** power) ** (1 / power)
    return Droplet((float(x), float(y)), reach * uneven - radius, around, rng.uniform(2.0, 6.0))


def lit(rng: Rng, droplet: Droplet) -> Plane:
    """The light through array and droplet, 0 to 1, without what swims in it."""
    size = droplet.distance.shape[0]
    slope = np.linspace(-0.5, 0.5, size)
    angle = rng.uniform(0, 2 * math.pi)
    light = rng.uniform(0.6, 0.75) + rng.normal(0, 0.06) * (
        slope[None, :] * math.cos(angle) + slope[:, None] * math.sin(angle)
    )
    inside = 1 / (1 + np.exp(-droplet.distance / 0.8))
    light = light - inside * rng.uniform(-0.10, 0.06)
    light = light + inside * rng.uniform(0.0, 0.1) * np.clip(droplet.distance / (0.4 * size), 0, 1)
    shade = rng.uniform(0.18, 0.48) * (0.75 + 0.25 * np.cos(droplet.around - rng.uniform(0, 6.28)))
    return light - shade * np.exp(-(((droplet.distance - 0.5 * droplet.border) / (0.6 * droplet.border)) ** 2))


def add_reflections(rng: Rng, light: Plane, droplet: Droplet) -> None:
    """Bright and dark arcs along the border. The dark ones are as dark as spheroids, and some reach far inside."""
    for _ in range(int(rng.integers(1, 5))):
        _add_arc(rng, light, droplet, rng.uniform(0.15, 0.45), rng.uniform(-2.0, 6.0), rng.uniform(0.7, 1.8))
    for _ in range(int(rng.integers(1, 5))):
        depth = rng.uniform(1.0, 9.0)
        _add_arc(rng, light, droplet, -rng.uniform(0.15, 0.42), droplet.border + depth, rng.uniform(1.2, 3.6))


def _add_arc(rng: Rng, light: Plane, droplet: Droplet, strength: float, depth: float, width: float) -> None:
    away = np.angle(np.exp(1j * (droplet.around - rng.uniform(0, 2 * math.pi))))
    along = np.exp(-((away / rng.uniform(0.17, 0.5)) ** 4))
    light += strength * along * np.exp(-(((droplet.distance - depth) / width) ** 2))


def add_dirt(rng: Rng, light: Plane, taken: np.ndarray) -> None:
    """Single cells, dust that is out of focus, and a bubble where no spheroid is."""
    size = light.shape[0]
    for _ in range(int(rng.poisson(6))):
        x, y = rng.uniform(0, size, size=2)
        _add_disc(light, x, y, rng.uniform(0.6, 1.3), -rng.uniform(0.08, 0.3))
    if rng.random() < 0.4:
        x, y = rng.uniform(0, size, size=2)
        _add_disc(light, x, y, rng.uniform(4, 10), -rng.uniform(0.03, 0.12))
    x, y = rng.uniform(0.25 * size, 0.75 * size, size=2)
    radius = rng.uniform(2.0, 6.0)
    window, columns, rows = window_around(light, x, y, radius + 4)
    if rng.random() < 0.35 and not taken[window].any():
        ring = np.hypot(columns - x, rows - y) - radius
        light[window] -= rng.uniform(0.2, 0.4) * np.exp(-((ring / 0.9) ** 2))
        light[window] += rng.uniform(0.1, 0.3) * np.exp(-(((ring + 0.65 * radius) / (0.4 * radius)) ** 2))


def _add_disc(light: Plane, x: float, y: float, sigma: float, amount: float) -> None:
    window, columns, rows = window_around(light, x, y, 3.5 * sigma)
    light[window] += amount * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * sigma**2))


def window_around(plane: Plane, x: float, y: float, reach: float) -> Tuple[Tuple[slice, slice], Plane, Plane]:
    """The part of a plane that is near a point, and the columns and rows of its pixels."""
    height, width = plane.shape
    left, right = max(0, int(x - reach)), min(width, int(x + reach) + 2)
    top, bottom = max(0, int(y - reach)), min(height, int(y + reach) + 2)
    columns, rows = np.arange(left, right, dtype=float)[None, :], np.arange(top, bottom, dtype=float)[:, None]
    return (slice(top, bottom), slice(left, right)), columns, rows


def blurred(plane: Plane, sigma: float) -> Plane:
    return _kernel(plane.shape[0], sigma) @ plane @ _kernel(plane.shape[1], sigma).T


def _kernel(length: int, sigma: float) -> Plane:
    offsets = np.arange(length)
    kernel = np.exp(-0.5 * ((offsets[:, None] - offsets[None, :]) / sigma) ** 2)
    return kernel / kernel.sum(axis=1, keepdims=True)
