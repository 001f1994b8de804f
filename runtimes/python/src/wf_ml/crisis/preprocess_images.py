"""Brings pictures of any shape to one size: what is too long is cut off at both ends, the rest is scaled."""

from __future__ import annotations

from pathlib import Path
from typing import List, Optional, Sequence

import numpy as np

from wf_ml import command, rows
from wf_ml.images import read_rgb, resize, write_png
from wf_ml.log import log


def square(pixels: np.ndarray, size: int) -> np.ndarray:
    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return resize(np.ascontiguousarray(pixels[top : top + side, left : left + side]), size, size)


def preprocess_images(images: Path, out: Path, size: int) -> int:
    made: List[rows.Row] = []
    for row in rows.read_rows(images, files=["image"], values=["id", "label"]):
        own = out / "image" / f"{row['image'].stem}.png"
        write_png(own, square(read_rgb(row["image"]), size))
        made.append({"image": own, "id": row["id"], "label": row["label"]})
    rows.write_rows(out, made)
    return len(made)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--images", type=Path, required=True, help="a dataset: image, id, label")
    parser.add_argument("--out", type=Path, required=True, help="a dataset: image, id, label")
    parser.add_argument("--size", type=int, default=64, help="pixels along a side")
    given = parser.parse_args(argv)
    log(images=preprocess_images(given.images, given.out, given.size))


if __name__ == "__main__":
    command.run(main)
