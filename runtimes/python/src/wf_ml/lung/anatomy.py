"""The chest of a made-up patient, as soft shapes over a plane: x from -1 to 1, y from -1 (neck) to 1 (abdomen).

As on a radiograph, the patient faces us: the right lung is on the left, and the heart bulges to the right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Tuple

import numpy as np

Plane = np.ndarray
"""A value for each pixel."""

EDGE = 0.012


def soft(distance: Plane, edge: float = EDGE) -> Plane:
    """1 where the distance is above 0, 0 where it is below, and a slope between."""
    rise = np.clip(distance * (0.25 / edge) + 0.5, 0.0, 1.0)
    return rise * rise * (3.0 - 2.0 * rise)


def ellipse(x: Plane, y: Plane, centre: Tuple[float, float], radii: Tuple[float, float], turn: float = 0.0) -> Plane:
    """1 in the middle, 0 at the border, below 0 outside."""
    dx, dy = x - centre[0], y - centre[1]
    cosine, sine = math.cos(turn), math.sin(turn)
    along, across = dx * cosine + dy * sine, dy * cosine - dx * sine
    return 1.0 - np.sqrt((along / radii[0]) ** 2 + (across / radii[1]) ** 2 + 1e-9)


@dataclass(frozen=True)
class Chest:
    """What stays with a patient from one image to the next."""

    width: float
    apex: float
    apex_side: float
    base: float
    dome: float
    heart: float
    heart_turn: float
    knob: float
    shoulder: float
    fat: float
    breast: float
    rib_gap: float
    rib_slope: float
    bone: float

    @staticmethod
    def sample(random: np.random.Generator) -> "Chest":
        return Chest(
            width=random.uniform(0.62, 0.82),
            apex=random.uniform(-0.86, -0.72),
            apex_side=random.uniform(0.30, 0.38),
            base=random.uniform(0.40, 0.66),
            dome=random.uniform(0.16, 0.28),
            heart=random.uniform(0.85, 1.25),
            heart_turn=random.uniform(0.45, 0.85),
            knob=random.uniform(0.06, 0.12),
            shoulder=random.uniform(-0.80, -0.62),
            fat=random.uniform(0.10, 0.30),
            breast=random.uniform(0.0, 0.5) if random.random() < 0.5 else 0.0,
            rib_gap=random.uniform(0.15, 0.19),
            rib_slope=random.uniform(0.18, 0.34),
            bone=random.uniform(0.5, 1.3),
        )


@dataclass(frozen=True)
class View:
    """A chest at one moment, before the camera: every plane is between 0 and 1."""

    x: Plane
    y: Plane
    lungs: Plane
    behind: Plane
    """How much lung lies behind heart and diaphragm: seen faintly, and not counted as lung."""
    heart: Plane
    abdomen: Plane
    body: Plane
    across: Plane
    """-1 at the right chest wall, 0 at the spine, 1 at the left chest wall."""
    down: Tuple[float, float]
    """Where the lungs begin and end."""


def view(chest: Chest, x: Plane, y: Plane, breath: float, turn: float) -> View:
    """`breath` lowers the diaphragm; `turn` is how far the patient is turned about the long axis."""
    base = chest.base + breath
    sides, full, domes = [], [], []
    wall = np.full_like(x, 1.0)
    for side in (-1.0, 1.0):
        own = side * x
        breadth = chest.width * (1.0 - side * 0.35 * turn)
        inner = 0.10 + 0.02 * side - side * 0.3 * turn
        # The left half of the diaphragm is a little lower, as the liver is on the right.
        low = base + (0.05 if side > 0 else 0.0)
        height = low - chest.apex
        rise = np.clip((low - y) / height, 0.0, 1.0)
        middle = chest.apex_side * breadth / 0.72
        outer = middle + (breadth - middle) * np.sqrt(np.clip(1.0 - rise**2.6, 0.0, 1.0)) ** 1.05
        taper = np.clip((y - chest.apex) / (0.42 * height), 0.0, 1.0)
        medial = middle - (middle - inner) * np.sqrt(np.clip(1.0 - (1.0 - taper) ** 2, 0.0, 1.0))
        part = np.clip((own - inner) / (breadth - inner), -0.3, 1.3)
        fall = np.where(part > 0.42, 1.0, 0.35) * ((part - 0.42) / 0.58) ** 2
        diaphragm = low - chest.dome * (1.0 - fall) + 0.04
        side_of = soft(own - medial) * soft(outer - own) * soft(y - chest.apex)
        full.append(side_of * soft(low + 0.12 - y, 0.05))
        sides.append(side_of * soft(diaphragm - y))
        domes.append(np.where(side * x > 0, soft(y - diaphragm), 0.0))
        wall = np.where(own > 0, np.maximum(outer, 0.2), wall)
    heart = _heart(chest, x, y, base, turn)
    lungs = np.maximum(*sides) * (1.0 - heart)
    return View(
        x=x,
        y=y,
        lungs=lungs,
        behind=np.maximum(*full) - lungs,
        heart=heart,
        abdomen=np.maximum(*domes),
        body=_body(chest, x, y),
        across=x / wall,
        down=(chest.apex, base),
    )


def _heart(chest: Chest, x: Plane, y: Plane, base: float, turn: float) -> Plane:
    """Heart, great vessels and the knob of the aorta."""
    shift = 0.25 * turn
    size = chest.heart
    muscle = ellipse(x, y, (0.13 * size + shift, base - 0.22), (0.40 * size, 0.27 * size), chest.heart_turn)
    right = ellipse(x, y, (-0.06 + shift, base - 0.24), (0.14 * size, 0.24), 0.0)
    band = 0.12 + 0.03 * np.cos(4.0 * y) - np.abs(x - shift - 0.01)
    knob = ellipse(x, y, (0.11 + shift, chest.apex + 0.40), (chest.knob, chest.knob * 1.15))
    trunk = ellipse(x, y, (0.075 + shift, chest.apex + 0.64), (0.095, 0.17))
    return np.maximum.reduce(
        [soft(muscle, 0.03), soft(right, 0.05), soft(band, 0.02), soft(knob, 0.08), soft(trunk, 0.1)]
    )


def _body(chest: Chest, x: Plane, y: Plane) -> Plane:
    """Neck, shoulders, arms held away, and a trunk that the image cuts off below."""
    out = np.abs(x)
    beyond = np.clip(out - 0.19, 0.0, None)
    slope = chest.shoulder - 0.30 + 0.44 * beyond / (beyond + 0.35) + 0.10 * beyond**2
    trunk = chest.width + chest.fat + 0.04 * np.cos(3.0 * y)
    armpit = np.maximum(trunk - out, 0.8 * (chest.shoulder + 0.46 + 0.7 * (out - trunk) - y))
    return np.maximum(soft(y - slope, 0.02), soft(0.20 - out + 0.03 * y, 0.02)) * soft(armpit, 0.02)
