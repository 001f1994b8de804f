"""What hides parts of a lung or misleads: disease, gas in the belly, devices, labels, edges of the film."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from wf_ml.lung.anatomy import Plane, View, ellipse, soft
from wf_ml.lung.film import lines

# Strokes of the letters that mark a side, in a box from 0 to 1.
LETTERS = {
    "L": [(0.0, 0.0), (0.0, 1.0), (0.7, 1.0)],
    "R": [(0.0, 1.0), (0.0, 0.0), (0.6, 0.1), (0.6, 0.4), (0.0, 0.5), (0.7, 1.0)],
}


def opacities(seen: View, random: np.random.Generator) -> Plane:
    """Lung that is not filled with air, yet is lung: patches, a white lower lobe, water in the angle of the pleura."""
    top, bottom = seen.down
    haze = np.zeros_like(seen.x)
    for _ in range(int(random.choice([0, 1, 2, 3], p=[0.20, 0.35, 0.30, 0.15]))):
        side = random.choice([-1.0, 1.0])
        centre = (side * random.uniform(0.2, 0.6), random.uniform(top + 0.15, bottom))
        radii = (random.uniform(0.12, 0.32), random.uniform(0.12, 0.34))
        blob = np.clip(ellipse(seen.x, seen.y, centre, radii, random.uniform(0, np.pi)), 0.0, None)
        haze = np.maximum(haze, random.uniform(0.35, 1.0) * soft(blob - 0.35, 0.17))
    if random.random() < 0.28:
        side = random.choice([-1.0, 1.0])
        level = bottom - random.uniform(0.0, 0.30)
        surface = level - 0.20 * np.clip(np.abs(seen.across) - 0.45, 0.0, None)
        haze = np.maximum(haze, random.uniform(0.6, 1.0) * np.where(side * seen.x > 0, soft(seen.y - surface, 0.05), 0))
    return np.clip(haze * 0.46, 0.0, None) * seen.lungs


def belly_gas(seen: View, random: np.random.Generator) -> Plane:
    """Air where no lung is: the stomach's bubble under the left half of the diaphragm, and bowel."""
    _, bottom = seen.down
    gas = np.zeros_like(seen.x)
    if random.random() < 0.6:
        bubble = (random.uniform(0.30, 0.5), bottom + random.uniform(0.04, 0.2))
        gas += np.minimum(
            1.0, 3 * np.clip(ellipse(seen.x, seen.y, bubble, (0.17, random.uniform(0.07, 0.14))), 0, None)
        )
    for _ in range(int(random.integers(0, 4))):
        loop = (random.uniform(-0.6, 0.6), random.uniform(bottom + 0.2, 1.0))
        gas += 0.7 * np.clip(ellipse(seen.x, seen.y, loop, (random.uniform(0.08, 0.2), 0.09)), 0, None)
    return np.clip(gas, 0.0, 1.0) * seen.abdomen * random.uniform(0.2, 0.45)


def devices(seen: View, random: np.random.Generator) -> Plane:
    """Metal and plastic: a pacemaker with its lead, electrodes with wires, a catheter."""
    x, y = seen.x, seen.y
    top, bottom = seen.down
    metal = np.zeros_like(x)
    if random.random() < 0.12:
        box = (random.uniform(0.45, 0.6), top + random.uniform(0.22, 0.34))
        metal += 0.45 * soft(ellipse(x, y, box, (0.11, 0.09)), 0.06)
        lead = [box, (0.2, box[1] - 0.06), (0.02, top + 0.5), (0.08, bottom - 0.3), (0.22, bottom - 0.12)]
        metal += 0.25 * lines(x, y, [lead], 0.008, 0.006)
    if random.random() < 0.25:
        for _ in range(int(random.integers(1, 4))):
            spot = (random.uniform(-0.75, 0.75), random.uniform(top + 0.1, bottom + 0.1))
            end = (spot[0] + random.uniform(-0.4, 0.4), 1.1)
            metal += 0.30 * soft(ellipse(x, y, spot, (0.035, 0.035)), 0.2)
            metal += 0.16 * lines(
                x, y, [[spot, ((spot[0] + end[0]) / 2 + 0.1, (spot[1] + 1.1) / 2), end]], 0.006, 0.006
            )
    if random.random() < 0.15:
        metal += 0.20 * lines(
            x, y, [[(-0.5, -1.1), (-0.3, top + 0.15), (-0.06, top + 0.3), (-0.07, 0.1)]], 0.008, 0.006
        )
    return metal


def mark(film: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Letters of lead, names that were blacked out, and the edges of the collimator, on the finished film."""
    marked = film.copy()
    height, width = film.shape
    if random.random() < 0.6:
        _letter(marked, random)
    for _ in range(int(random.choice([0, 1, 2], p=[0.6, 0.25, 0.15]))):
        tall, wide = int(height * random.uniform(0.03, 0.08)), int(width * random.uniform(0.08, 0.16))
        left = int(random.uniform(0, width - wide))
        first = 0 if random.random() < 0.7 else height - tall
        marked[first : first + tall, left : left + wide] = 0
    if random.random() < 0.3:
        edge = int(random.uniform(0.01, 0.05) * height)
        shade = 255 if random.random() < 0.3 else int(random.uniform(0, 25))
        for strip in random.choice(4, size=int(random.integers(1, 3)), replace=False):
            turned = np.rot90(marked, int(strip))
            turned[:edge] = shade
    return marked


def _letter(film: np.ndarray, random: np.random.Generator) -> None:
    height, width = film.shape
    name = str(random.choice(["L", "R"]))
    size = random.uniform(0.05, 0.08)
    place: Tuple[float, float] = (0.04, random.uniform(0.03, 0.3))
    if name == "L":
        place = (0.90, place[1])
    rows, columns = np.mgrid[0:height, 0:width]
    x, y = (columns / width - place[0]) / size, (rows / height - place[1]) / size
    drawn = lines(x, y, [LETTERS[name]], 0.09, 0.06)
    film[:] = np.maximum(film, (drawn * 250).astype(np.uint8))
