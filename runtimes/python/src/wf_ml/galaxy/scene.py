"""A picture of a galaxy as a survey's camera gives it: neighbours, stars, seeing, the noise of the sky."""

from __future__ import annotations

import math

import numpy as np

from wf_ml.galaxy.painting import OLD_STARS, YOUNG_STARS, Frame, Image, Rng, blur, coloured, sersic, spot, stretched
from wf_ml.galaxy.shapes import PAINTERS


def photograph(rng: Rng, label: str, size: int) -> np.ndarray:
    """An RGB picture of `size` pixels a side, 8 bit."""
    light = PAINTERS[label](rng, size)
    add_neighbours(rng, light)
    add_stars(rng, light)
    light = blur(light, rng.uniform(0.7, 1.4))
    depth = rng.uniform(0.02, 0.06)
    photons = rng.normal(size=light.shape) * np.sqrt(depth**2 + 0.0012 * np.maximum(light, 0.0))
    light = light + photons + rng.uniform(0.0, 0.02) * np.array([1.0, 0.95, 1.05])
    return (stretched(light) * 255.0 + 0.5).astype(np.uint8)


def away_from_centre(rng: Rng, size: int, least: float) -> tuple[float, float]:
    while True:
        x, y = rng.uniform(0.0, size, size=2)
        if math.hypot(x - size / 2.0, y - size / 2.0) >= least:
            return float(x), float(y)


def add_neighbours(rng: Rng, light: Image) -> None:
    size = light.shape[0]
    for _ in range(int(rng.poisson(1.6))):
        frame = Frame(size, away_from_centre(rng, size, 0.2 * size), rng.uniform(0, math.pi), rng.uniform(0.35, 1.0))
        colour = OLD_STARS if rng.random() < 0.6 else YOUNG_STARS
        profile = sersic(frame.radius, rng.uniform(1.0, 3.0), rng.uniform(1.0, 2.5))
        light += coloured(profile, colour) * rng.uniform(0.05, 0.5)


def add_stars(rng: Rng, light: Image) -> None:
    size = light.shape[0]
    for _ in range(int(rng.poisson(1.3))):
        x, y = away_from_centre(rng, size, 0.12 * size)
        colour = np.array([1.0, 1.0, 1.0]) + rng.uniform(-0.25, 0.25) * np.array([1.0, 0.1, -1.0])
        spot(light, x, y, rng.uniform(0.45, 0.6), colour * math.exp(rng.uniform(-0.5, 3.2)))
