"""The five kinds of galaxies that volunteers of Galaxy Zoo tell apart, as light."""

from __future__ import annotations

import math
from typing import Callable, Dict

import numpy as np

from wf_ml.galaxy.painting import (
    OLD_STARS,
    Frame,
    Image,
    Rng,
    brightness,
    coloured,
    near_centre,
    sersic,
    smooth_noise,
    tint,
)
from wf_ml.galaxy.spiral import blend, spiral


def smooth(rng: Rng, size: int, ratio: float, half_light: float) -> Image:
    """Old stars without structure, in shells that may be slightly boxy or discy."""
    frame = Frame(size, near_centre(rng, size), rng.uniform(0.0, math.pi), ratio)
    boxiness = rng.normal(0.0, 0.03) * np.cos(4.0 * frame.azimuth)
    light = sersic(frame.radius * (1.0 + boxiness), half_light, rng.uniform(1.2, 4.2))
    return coloured(light, tint(rng, blend(rng.uniform(0.0, 0.4)))) * brightness(rng)


def round_smooth(rng: Rng, size: int) -> Image:
    return smooth(rng, size, rng.uniform(0.85, 1.0), rng.uniform(4.0, 10.0))


def in_between_smooth(rng: Rng, size: int) -> Image:
    return smooth(rng, size, rng.uniform(0.45, 0.80), rng.uniform(5.0, 12.0))


def cigar_shaped_smooth(rng: Rng, size: int) -> Image:
    return smooth(rng, size, rng.uniform(0.18, 0.37), rng.uniform(8.0, 15.0))


def edge_on(rng: Rng, size: int) -> Image:
    """A thin disc from the side, mostly with a bulge and often with a lane of dust along its middle."""
    frame = Frame(size, near_centre(rng, size), rng.uniform(0.0, math.pi), 1.0)
    length = rng.uniform(6.0, 12.5)
    height = length * rng.uniform(0.12, 0.24)
    above = frame.across - rng.normal(0.0, 1.4) * height * (frame.x / (3.0 * length)) ** 3
    disc = np.exp(-np.abs(frame.x) / length) / np.cosh(above / height) ** 2 * 3.0
    light = coloured(disc, tint(rng, blend(rng.uniform(0.05, 0.5))))
    bulge_radius = np.hypot(frame.x, frame.across / rng.uniform(0.65, 0.95))
    bulge = sersic(bulge_radius, rng.uniform(1.8, 4.6), 2.0) * rng.uniform(0.4, 1.5)
    light += coloured(bulge, tint(rng, OLD_STARS))
    if rng.random() < 0.75:
        lane = above - rng.normal(0.0, 0.25) * height
        patchy = 1.0 + 0.35 * smooth_noise(rng, size, 1.6)
        depth = rng.uniform(0.7, 2.0) * patchy * np.exp(-0.5 * (lane / (0.36 * height)) ** 2)
        depth *= np.exp(-np.abs(frame.x) / (1.8 * length))
        light *= np.exp(-depth[..., None] * np.array([0.75, 1.0, 1.3]))
    return light * brightness(rng)


#: The names of the classes, numbered as in the literature so that they sort in that order.
PAINTERS: Dict[str, Callable[[Rng, int], Image]] = {
    "0-round-smooth": round_smooth,
    "1-in-between-smooth": in_between_smooth,
    "2-cigar-shaped-smooth": cigar_shaped_smooth,
    "3-edge-on": edge_on,
    "4-spiral": spiral,
}
