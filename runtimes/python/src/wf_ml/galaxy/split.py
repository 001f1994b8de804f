"""Splits a dataset of images and labels: each class in the same proportions."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.log import log
from wf_ml.split import Item, divide


def split(images: Path, outs: Sequence[Path], ratios: Sequence[float], seed: int) -> None:
    given = {row["image"].name: row for row in rows.read_rows(images, files=["image"], values=["label"])}
    items = [Item(key=name, group=name, label=row["label"]) for name, row in given.items()]
    division = divide(items, (ratios[0], ratios[1], ratios[2]), seed)
    for out, (part, names) in zip(outs, division.parts().items()):
        rows.copy_rows(out, [given[name] for name in names])
        log(**{part: len(names)})
        print(f"{len(names):6d}  {part}")


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--images", type=Path, required=True, help="the dataset: image, label")
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--val", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--ratios", type=float, nargs=3, default=[0.65, 0.15, 0.2])
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args(argv)
    split(given.images, [given.train, given.val, given.test], given.ratios, given.seed)


if __name__ == "__main__":
    command.run(main)
