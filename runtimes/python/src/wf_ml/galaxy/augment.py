"""Makes more of a rare class: turned, mirrored, moved and brightened copies, until it has a given number of images."""

from __future__ import annotations

import math
from pathlib import Path
from typing import List, Optional, Sequence

import numpy as np
from PIL import Image

from wf_ml import command, rows, seeds
from wf_ml.errors import DataError
from wf_ml.images import read_rgb, write_png
from wf_ml.log import log


def variant(pixels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The sky has no up and down: any angle will do. What the turn brings in from outside is the mirrored edge."""
    side = pixels.shape[0]
    margin = side // 4
    wide = Image.fromarray(np.pad(pixels, ((margin, margin), (margin, margin), (0, 0)), mode="reflect"))
    zoom = rng.uniform(0.9, 1.12)
    angle = rng.uniform(0.0, 2.0 * math.pi)
    cos, sin = math.cos(angle) / zoom, math.sin(angle) / zoom
    middle = wide.width / 2.0
    x, y = (middle + shift for shift in rng.uniform(-2.0, 2.0, size=2))
    half = side / 2.0
    matrix = (cos, sin, x - half * (cos + sin), -sin, cos, y - half * (cos - sin))
    turned = wide.transform((side, side), Image.AFFINE, matrix, resample=Image.BICUBIC)
    light = np.asarray(turned, dtype=np.float64) * rng.uniform(0.85, 1.15) + rng.normal(0, 2.0, size=(side, side, 3))
    light = light[:, ::-1] if rng.random() < 0.5 else light
    return np.clip(light + 0.5, 0, 255).astype(np.uint8)


def augment(images: Path, out: Path, label: str, number: int, seed: int) -> int:
    """Writes the new images only; as many as the class lacks."""
    given = rows.read_rows(images, files=["image"], values=["label"])
    own = [row for row in given if row["label"] == label]
    if not own:
        known = ", ".join(sorted({row["label"] for row in given})) or "none"
        raise DataError(f'no image has the class "{label}"', images, f"the classes are: {known}")
    made: List[rows.Row] = []
    for index in range(max(0, number - len(own))):
        source = own[index % len(own)]["image"]
        path = out / "image" / f"{source.stem}__{index:05d}.png"
        write_png(path, variant(read_rgb(source), seeds.rng(seed, "augment", label, index)))
        made.append({"image": path, "label": label})
    rows.write_rows(out, made)
    return len(made)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--images", type=Path, required=True, help="the dataset: image, label")
    parser.add_argument("--out", type=Path, required=True, help="a dataset of the new images alone")
    parser.add_argument("--label", required=True, help="the rare class")
    parser.add_argument("--number", type=int, required=True, help="how many images it shall have in all")
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args(argv)
    made = augment(given.images, given.out, given.label, given.number, given.seed)
    log(images=made)
    print(f'{made} more images of "{given.label}"')


if __name__ == "__main__":
    command.run(main)
