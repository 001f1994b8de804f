"""A disc from above, with arms, knots of young stars along them, dust at their inner edge, sometimes a bar."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wf_ml.galaxy.painting import (
    GLOWING_GAS,
    OLD_STARS,
    YOUNG_STARS,
    Frame,
    Image,
    Rng,
    brightness,
    coloured,
    near_centre,
    sersic,
    smooth_noise,
    spot,
    tint,
)


@dataclass(frozen=True)
class Arms:
    """Logarithmic spirals: along an arm the azimuth grows with the logarithm of the radius."""

    count: int
    start: float
    winding: float
    inner: float
    length: float

    def phase(self, frame: Frame) -> Image:
        return frame.azimuth - self.start - self.winding * np.log(np.maximum(frame.radius, 0.5) / self.inner)

    def azimuth(self, radius: float, arm: int) -> float:
        return self.start + self.winding * math.log(radius / self.inner) + 2.0 * math.pi * arm / self.count


def draw_arms(rng: Rng) -> Arms:
    length = rng.uniform(5.0, 10.5)
    return Arms(
        count=int(rng.choice([2, 2, 2, 3, 4])),
        start=rng.uniform(0.0, 2.0 * math.pi),
        winding=rng.choice([-1.0, 1.0]) / math.tan(math.radians(rng.uniform(13.0, 30.0))),
        inner=length * rng.uniform(0.25, 0.55),
        length=length,
    )


def spiral(rng: Rng, size: int) -> Image:
    centre, angle, ratio = near_centre(rng, size), rng.uniform(0.0, math.pi), rng.uniform(0.5, 1.0)
    frame = Frame(size, centre, angle, ratio)
    arms = draw_arms(rng)
    contrast = rng.uniform(0.3, 0.95)
    phase = arms.phase(frame) + 0.45 * smooth_noise(rng, size, 3.0)
    crest = np.exp(rng.uniform(1.6, 3.2) * (np.cos(arms.count * phase) - 1.0))
    outside = 1.0 / (1.0 + np.exp(-(frame.radius - arms.inner) / (0.25 * arms.inner + 0.4)))
    disc = np.exp(-frame.radius / arms.length) * 2.3
    youth = rng.uniform(0.1, 0.65)
    light = coloured(disc * (1.0 - 0.6 * contrast * outside), tint(rng, blend(youth * 0.7)))
    grainy = 1.0 + 0.22 * smooth_noise(rng, size, 1.3)
    light += coloured(disc * crest * outside * contrast * 1.9 * grainy, tint(rng, blend(youth + 0.35)))
    behind = np.exp(3.0 * (np.cos(arms.count * (phase + math.copysign(0.32, arms.winding))) - 1.0))
    dust = rng.uniform(0.2, 0.8) * contrast * behind * outside
    light *= np.exp(-dust[..., None] * np.array([0.7, 1.0, 1.25]))
    add_knots(rng, light, arms, centre, angle, ratio, contrast)
    bulge = sersic(frame.radius * ratio**0.4, rng.uniform(1.2, 3.4), 2.2) * rng.uniform(0.5, 1.6)
    light += coloured(bulge, tint(rng, OLD_STARS))
    if rng.random() < 0.35:
        along = angle + math.atan2(ratio * math.sin(arms.start), math.cos(arms.start))
        bar = Frame(size, centre, along, 0.32)
        light += coloured(np.exp(-((bar.radius / (1.15 * arms.inner + 1.0)) ** 3)) * 1.1, tint(rng, OLD_STARS))
    return light * brightness(rng) * 1.25


def blend(youth: float) -> np.ndarray:
    return (1.0 - youth) * OLD_STARS + youth * YOUNG_STARS


def add_knots(
    rng: Rng, light: Image, arms: Arms, centre: tuple[float, float], angle: float, ratio: float, contrast: float
) -> None:
    for _ in range(int(rng.integers(6, 30))):
        radius = arms.inner + rng.exponential(0.9) * arms.length
        if radius > 3.6 * arms.length:
            continue
        azimuth = arms.azimuth(radius, int(rng.integers(arms.count))) + rng.normal(0.0, 0.16)
        along, across = radius * math.cos(azimuth), radius * math.sin(azimuth) * ratio
        x = centre[0] + along * math.cos(angle) - across * math.sin(angle)
        y = centre[1] + along * math.sin(angle) + across * math.cos(angle)
        colour = GLOWING_GAS if rng.random() < 0.3 else YOUNG_STARS
        amount = rng.uniform(0.4, 1.8) * contrast * math.exp(-radius / (1.8 * arms.length))
        spot(light, x, y, rng.uniform(0.5, 1.0), colour * amount)
