"""Makes chest-X-ray-like images with masks of the lungs, several a patient, as a dataset."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import List, Optional, Sequence, Tuple

import numpy as np

from wf_ml import command, parallel, rows, seeds
from wf_ml.errors import DataError
from wf_ml.images import write_png
from wf_ml.log import log
from wf_ml.lung.anatomy import Chest, Plane, view
from wf_ml.lung.film import density, expose
from wf_ml.lung.findings import belly_gas, devices, mark, opacities

SIZE = 128


def radiograph(seed: int, patient: int, shot: int, size: int = SIZE) -> Tuple[np.ndarray, np.ndarray]:
    """One image and its mask. The chest is the patient's; pose, breath, exposure and findings are the shot's."""
    chest = Chest.sample(seeds.rng(seed, "chest", patient))
    random = seeds.rng(seed, "shot", patient, shot)
    x, y = _pose(size, random)
    turn = random.normal(0.0, 0.10) if random.random() < 0.35 else random.normal(0.0, 0.03)
    seen = view(chest, x, y, breath=random.uniform(-0.14, 0.08), turn=float(np.clip(turn, -0.25, 0.25)))
    took = density(chest, seen, random)
    took += opacities(seen, random)
    took -= belly_gas(seen, random)
    took += devices(seen, random)
    return mark(expose(took, random), random), seen.lungs > 0.5


def _pose(size: int, random: np.random.Generator) -> Tuple[Plane, Plane]:
    """The plane of the chest under each pixel: scaled, shifted, turned, and bent a little, as nobody is symmetric."""
    grid = ((np.arange(size) + 0.5) / size * 2.0 - 1.0).astype(np.float32)
    across, down = np.meshgrid(grid, grid)
    angle = math.radians(random.normal(0.0, 3.5) if random.random() < 0.8 else random.uniform(-14, 14))
    zoom = random.uniform(0.86, 1.12)
    across, down = across + random.normal(0.0, 0.045), down + random.normal(0.0, 0.05)
    x = zoom * (math.cos(angle) * across + math.sin(angle) * down)
    y = zoom * (math.cos(angle) * down - math.sin(angle) * across)
    bent_x, bent_y = x.copy(), y.copy()
    for _ in range(4):
        push = np.sin(random.uniform(-4.5, 4.5) * x + random.uniform(-4.5, 4.5) * y + random.uniform(0, 2 * math.pi))
        bent_x += random.normal(0.0, 0.012) * push
        bent_y += random.normal(0.0, 0.014) * push
    return bent_x, bent_y


def shots_of(seed: int, patient: int) -> int:
    """How many images a patient has: one to three."""
    return int(seeds.rng(seed, "shots", patient).choice([1, 2, 3], p=[0.45, 0.35, 0.20]))


def generate(out: Path, patients: int, seed: int, size: int = SIZE, workers: int = 1) -> List[rows.Row]:
    if patients < 1 or size < 32:
        raise DataError(f"{patients} patients with images of {size} pixels cannot be made", hint="at least 1 and 32")
    shots = [(patient, shot) for patient in range(patients) for shot in range(shots_of(seed, patient))]
    made = parallel.each(partial(_make, out, seed, size), shots, workers)
    rows.write_rows(out, made)
    return made


def _make(out: Path, seed: int, size: int, which: Tuple[int, int]) -> rows.Row:
    patient, shot = which
    name = f"p{patient:04d}-{shot + 1}.png"
    image, mask = radiograph(seed, patient, shot, size)
    write_png(out / "image" / name, image)
    write_png(out / "mask" / name, mask)
    return {"image": out / "image" / name, "mask": out / "mask" / name, "patient": f"p{patient:04d}"}


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="the dataset: image, mask, patient")
    parser.add_argument("--patients", type=int, default=140)
    parser.add_argument("--size", type=int, default=SIZE, help="pixels along a side")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1, help="processes; they change no pixel")
    given = parser.parse_args(argv)
    made = generate(given.out, given.patients, given.seed, given.size, given.workers)
    log(images=len(made), patients=given.patients)
    print(f"{len(made)} images of {given.patients} patients")


if __name__ == "__main__":
    command.run(main)
