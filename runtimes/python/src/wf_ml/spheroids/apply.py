"""Finds, counts and measures the spheroids in any number of images: the model is loaded once, images come in batches.

Memory does not grow with the number of images: no more than a batch of them, and a few examples, are held at a time.
"""

from __future__ import annotations

import csv
import time
from pathlib import Path
from typing import Iterator, List, Optional, Sequence, Tuple

import numpy as np

from wf_ml import command, rows
from wf_ml.errors import DataError
from wf_ml.images import read_gray, write_png
from wf_ml.log import log
from wf_ml.plots.inline import with_outline
from wf_ml.seeds import prepare_torch
from wf_ml.spheroids.examples import Examples
from wf_ml.spheroids.segment import load_spheroid_model, masks_of, measured
from wf_ml.spheroids.table import COLUMNS, line_of

OUTLINE = (255, 110, 20)


def batches_of(paths: Sequence[Path], size: int) -> Iterator[Tuple[List[Path], np.ndarray]]:
    """Batches of images of one size each; a new size begins a new batch."""
    held: List[Path] = []
    images: List[np.ndarray] = []
    for path in paths:
        image = read_gray(path)
        if images and (len(images) == size or image.shape != images[0].shape):
            yield held, np.stack(images)
            held, images = [], []
        held.append(path)
        images.append(image)
    if images:
        yield held, np.stack(images)


def apply(model: Path, images: Path, masks: Path, table: Path, examples: Path, batch: int, least_area: int) -> int:
    saved = load_spheroid_model(model)
    network = saved.model()
    paths = [row["image"] for row in rows.read_rows(images, files=["image"])]
    if not paths:
        raise DataError("there is no image", images)
    made: List[rows.Row] = []
    chosen = Examples()
    table.parent.mkdir(parents=True, exist_ok=True)
    with open(table, "w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(COLUMNS)
        for held, pixels in batches_of(paths, batch):
            for path, image, mask in zip(held, pixels, masks_of(network, pixels, saved.about["multiple"])):
                found = measured(mask, least_area)
                own = masks / "mask" / f"{path.stem}.png"
                write_png(own, found.mask, effort=1)
                made.append({"mask": own})
                lines.writerow(line_of(path.stem, found))
                chosen.consider(path.stem, found, image)
    rows.write_rows(masks, made)
    write_examples(examples, chosen)
    return len(made)


def write_examples(folder: Path, chosen: Examples) -> None:
    kept: List[rows.Row] = []
    for name, why, found, image in chosen.kept():
        own = folder / "picture" / f"{name}.png"
        write_png(own, with_outline(image, found.mask, OUTLINE))
        kept.append({"picture": own, "about": {"name": name, "why": why, "count": found.count, "areas": found.areas}})
    rows.write_rows(folder, kept)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--images", type=Path, required=True, help="a dataset: image")
    parser.add_argument("--masks", type=Path, required=True, help="a dataset: mask")
    parser.add_argument("--table", type=Path, required=True, help="CSV: counts and areas of each image")
    parser.add_argument("--examples", type=Path, required=True, help="a dataset of a few pictures with outlines")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--least-area", type=int, default=20, help="pixels; what is smaller is dust")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    began = time.monotonic()
    count = apply(given.model, given.images, given.masks, given.table, given.examples, given.batch, given.least_area)
    rate = count / (time.monotonic() - began)
    log(images=count, images_per_second=rate)
    print(f"{count} images, {rate:.0f} a second")


if __name__ == "__main__":
    command.run(main)
