"""Brings X-rays and masks to one size, and to the same brightness however they were exposed."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.images import read_gray, read_mask, resize, write_png
from wf_ml.log import log
from wf_ml.lung.prepare import NORMALISE, prepare


def preprocess(xrays: Path, out: Path, size: int, normalise: str) -> int:
    made = []
    for row in rows.read_rows(xrays, files=("image", "mask"), values=("patient",)):
        image = read_gray(row["image"])
        mask = read_mask(row["mask"], like=image.shape)
        own = {"image": out / "image" / row["image"].name, "mask": out / "mask" / row["mask"].name}
        write_png(own["image"], prepare(image, size, normalise))
        write_png(own["mask"], resize(mask, size, size))
        made.append({**own, "patient": row["patient"], "height": image.shape[0], "width": image.shape[1]})
    rows.write_rows(out, made)
    return len(made)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--xrays", type=Path, required=True, help="a dataset: image, mask, patient")
    parser.add_argument("--out", type=Path, required=True, help="the same rows, with the size that they had")
    parser.add_argument("--size", type=int, default=64, help="pixels along a side")
    parser.add_argument("--normalise", choices=NORMALISE, default="equalise")
    given = parser.parse_args(argv)
    log(images=preprocess(given.xrays, given.out, given.size, given.normalise))


if __name__ == "__main__":
    command.run(main)
