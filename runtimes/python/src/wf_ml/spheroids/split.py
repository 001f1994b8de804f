"""Splits images and masks of spheroids into train, validation and test."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.images import read_gray, read_mask
from wf_ml.log import log
from wf_ml.split import Item, divide


def split(images: Path, outs: Sequence[Path], ratios: Sequence[float], seed: int) -> None:
    """Every image and mask is opened, so that a broken one is found now."""
    given = {row["image"].stem: row for row in rows.read_rows(images, files=["image", "mask"])}
    for row in given.values():
        read_mask(row["mask"], like=read_gray(row["image"]).shape)
    division = divide([Item(key=name, group=name) for name in given], (ratios[0], ratios[1], ratios[2]), seed)
    for out, (part, names) in zip(outs, division.parts().items()):
        rows.copy_rows(out, [{key: given[name][key] for key in ("image", "mask")} for name in names])
        log(**{part: len(names)})
        print(f"{len(names):6d}  {part}")


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--images", type=Path, required=True, help="the dataset: image, mask")
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--val", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--ratios", type=float, nargs=3, default=[0.6, 0.15, 0.25])
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args(argv)
    split(given.images, [given.train, given.val, given.test], given.ratios, given.seed)


if __name__ == "__main__":
    command.run(main)
