"""From a chest to a radiograph: what each part takes from the beam, and what the detector makes of it."""

from __future__ import annotations

import math
from typing import List, Sequence, Tuple

import numpy as np

from wf_ml.lung.anatomy import Chest, Plane, View, ellipse, soft


Point = Tuple[float, float]


def density(chest: Chest, seen: View, random: np.random.Generator) -> Plane:
    """How much of the beam is taken: 0 is air, 1 a chest without lungs."""
    x, y = seen.x, seen.y
    trunk = np.sqrt(np.clip(1.0 - (x / (chest.width + chest.fat + 0.20)) ** 2, 0.04, 1.0))
    took = seen.body * (0.50 + 0.50 * trunk)
    depth = np.sqrt(np.clip(1.0 - np.clip(np.abs(np.abs(seen.across) - 0.5) / 0.62, 0.0, 1.0) ** 2, 0.0, 1.0))
    top, bottom = seen.down
    lower = np.clip((y - top) / (bottom - top), 0.0, 1.0)
    air = random.uniform(0.34, 0.54) * (0.55 + 0.45 * depth) * (0.72 + 0.28 * np.sqrt(lower))
    took -= air * seen.lungs + 0.22 * air * seen.behind
    took += random.uniform(0.03, 0.10) * _clouds(x, y, random) * seen.body
    took += 0.10 * seen.heart + 0.16 * seen.abdomen * seen.body
    took += _spine(x, y) * 0.10 * chest.bone
    took += _ribs(chest, seen) * 0.075 * chest.bone
    took += _clavicles(chest, x, y) * seen.body * 0.15 * chest.bone
    took += _shoulder_blades(chest, x, y) * seen.body * 0.06 * chest.bone
    took += _vessels(seen, random) * 0.10 * seen.lungs
    for side in (-1.0, 1.0):
        cup = ellipse(x, y, (side * 0.45, bottom - 0.16), (0.36, 0.34))
        took += 0.20 * chest.breast * np.clip(cup, 0.0, None) ** 0.5
    return took


def expose(took: Plane, random: np.random.Generator) -> np.ndarray:
    """A film: noise of the beam, and a window of brightness that differs from image to image. Dense is bright."""
    size = took.shape[0]
    ramp = np.linspace(-0.5, 0.5, size, dtype=took.dtype)
    tilt = random.uniform(-0.30, 0.30) * ramp[None, :] + random.uniform(-0.25, 0.25) * ramp[:, None]
    light = np.exp(-1.9 * np.clip(took + tilt, 0.0, None))
    dose = math.exp(random.uniform(math.log(1500.0), math.log(12000.0)))
    grain = random.standard_normal(took.shape, dtype=np.float32)
    grain += 0.5 * (np.roll(grain, 1, axis=0) + np.roll(grain, 1, axis=1))  # a detector smears its noise
    film = np.log(np.clip(light + grain * np.sqrt(light / dose), 1e-4, None)) / -1.9
    low, high = np.quantile(film, [random.uniform(0.0, 0.06), random.uniform(0.94, 1.0)])
    reach = max(float(high - low), 1e-6)
    shown = np.clip((film - float(low)) / reach + 0.04, 0.0, 1.0)
    shown **= math.exp(random.uniform(math.log(0.42), math.log(1.4)))
    dark, bright = random.uniform(0.0, 0.16), random.uniform(0.84, 1.0)
    return np.clip((dark + (bright - dark) * shown) * 255.0 + 0.5, 0, 255).astype(np.uint8)


def lines(x: Plane, y: Plane, paths: Sequence[Sequence[Point]], half_width: float, edge: float) -> Plane:
    """Lines through points."""
    nearest = np.full_like(x, 9.0)
    for path in paths:
        for (ax, ay), (bx, by) in zip(path, path[1:]):
            dx, dy = bx - ax, by - ay
            from_x, from_y = x - ax, y - ay
            along = np.clip(from_x * (dx / (dx * dx + dy * dy)) + from_y * (dy / (dx * dx + dy * dy)), 0.0, 1.0)
            np.minimum(nearest, (from_x - along * dx) ** 2 + (from_y - along * dy) ** 2, out=nearest)
    return soft(half_width - np.sqrt(nearest), edge)


def _clouds(x: Plane, y: Plane, random: np.random.Generator) -> Plane:
    """Smooth differences between -1 and 1: muscle, fat, and lung that is aired here more than there."""
    field = np.zeros_like(x)
    for _ in range(5):
        field += np.sin(random.uniform(-7, 7) * x + random.uniform(-7, 7) * y + random.uniform(0, 2 * math.pi))
    return np.clip(field / 2.5, -1.0, 1.0)


def _spine(x: Plane, y: Plane) -> Plane:
    vertebra = 0.75 + 0.25 * np.cos(2.0 * np.pi * y / 0.17)
    return soft(0.085 - np.abs(x), 0.02) * vertebra


def _ribs(chest: Chest, seen: View) -> Plane:
    """Behind: from the spine out and down. In front: fainter, and steeper."""
    out = np.abs(seen.across)
    top, bottom = seen.down
    within = soft(1.06 - out, 0.03) * soft(seen.y - top + 0.02, 0.04) * soft(bottom + 0.25 - seen.y, 0.05)
    behind = seen.y + 0.10 * np.sin(np.pi * np.clip(out, 0.0, 1.0)) - chest.rib_slope * out**1.7
    front = seen.y + 0.45 * out - 0.50 * out**2.5 + 0.4 * chest.rib_gap
    bars = np.zeros_like(out)
    for path, weight, reach in ((behind, 1.0, soft(out - 0.14, 0.03)), (front, 0.55, soft(out - 0.34, 0.05))):
        phase = np.abs(((path / chest.rib_gap) % 1.0) - 0.5)
        bar = soft(0.21 - phase, 0.03)
        rim = np.exp(-(((phase - 0.18) / 0.05) ** 2))
        bars += weight * reach * (0.75 * bar + 0.35 * rim)
    return bars * within * (0.7 + 0.5 * np.clip(out, 0.0, 1.0) ** 3)


def _clavicles(chest: Chest, x: Plane, y: Plane) -> Plane:
    points = ((0.09, 0.28), (0.28, 0.21), (0.50, 0.09), (0.80, 0.03))
    paths = [[(side * across, chest.apex + down) for across, down in points] for side in (-1.0, 1.0)]
    return 0.7 * lines(x, y, paths, 0.036, 0.010) + 0.3 * lines(x, y, paths, 0.020, 0.02)


def _shoulder_blades(chest: Chest, x: Plane, y: Plane) -> Plane:
    blades = np.zeros_like(x)
    for side in (-1.0, 1.0):
        plate = ellipse(x, y, (side * (chest.width + 0.06), chest.apex + 0.42), (0.15, 0.36), side * 0.25)
        joint = ellipse(x, y, (side * (chest.width + 0.24), chest.apex + 0.14), (0.16, 0.14))
        blades = np.maximum(blades, np.maximum(soft(plate, 0.06), 1.3 * soft(joint, 0.08)))
    return blades


def _vessels(seen: View, random: np.random.Generator) -> Plane:
    """Branches out of each hilum that thin out towards the chest wall, and a haze around it."""
    top, bottom = seen.down
    root = top + 0.55 * (bottom - top)
    thick: List[List[Point]] = []
    thin: List[List[Point]] = []
    haze = np.zeros_like(seen.x)
    for side in (-1.0, 1.0):
        hilum = (side * 0.17, root - 0.03 * side)
        haze += np.clip(ellipse(seen.x, seen.y, hilum, (0.18, 0.26)), 0.0, None)
        for _ in range(6):
            angle = random.uniform(-1.35, 1.35)
            middle = _step(hilum, side, angle, random.uniform(0.12, 0.24))
            thick.append([hilum, middle])
            thin.append([middle, _step(middle, side, angle + random.uniform(-0.35, 0.35), random.uniform(0.10, 0.24))])
    return (
        0.9 * haze + 0.6 * lines(seen.x, seen.y, thick, 0.012, 0.010) + 0.4 * lines(seen.x, seen.y, thin, 0.007, 0.009)
    )


def _step(start: Point, side: float, angle: float, length: float) -> Point:
    return start[0] + side * length * math.cos(angle), start[1] + length * math.sin(angle)
