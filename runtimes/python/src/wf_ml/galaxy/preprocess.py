"""Cuts the middle out of each image, where the galaxy is, and scales it."""

from __future__ import annotations

from pathlib import Path
from typing import List, Optional, Sequence

import numpy as np

from wf_ml import command, rows
from wf_ml.errors import DataError
from wf_ml.images import read_rgb, resize, write_png
from wf_ml.log import log


def centre_crop(pixels: np.ndarray, side: int, where: Path) -> np.ndarray:
    height, width = pixels.shape[:2]
    if min(height, width) < side:
        raise DataError(
            f"the image has {width}x{height} pixels, fewer than the crop of {side}", where, "lower the crop"
        )
    top, left = (height - side) // 2, (width - side) // 2
    return pixels[top : top + side, left : left + side]


def preprocess(images: Path, out: Path, crop: int, size: int) -> int:
    made: List[rows.Row] = []
    for row in rows.read_rows(images, files=["image"], values=["label"]):
        cut = centre_crop(read_rgb(row["image"]), crop, row["image"])
        own = out / "image" / f"{row['image'].stem}.png"
        write_png(own, np.ascontiguousarray(cut) if crop == size else resize(np.ascontiguousarray(cut), size, size))
        made.append({"image": own, "label": row["label"]})
    rows.write_rows(out, made)
    return len(made)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--images", type=Path, required=True, help="the dataset: image, label")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--crop", type=int, default=64, help="pixels along a side that are cut out")
    parser.add_argument("--size", type=int, default=64, help="pixels along a side afterwards")
    given = parser.parse_args(argv)
    log(images=preprocess(given.images, given.out, given.crop, given.size))


if __name__ == "__main__":
    command.run(main)
