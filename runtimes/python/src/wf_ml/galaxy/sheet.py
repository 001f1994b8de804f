"""A contact sheet of made-up galaxies, a row for each class."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, seeds
from wf_ml.galaxy.generate import SIZE
from wf_ml.galaxy.preprocess import centre_crop
from wf_ml.galaxy.scene import photograph
from wf_ml.galaxy.shapes import PAINTERS
from wf_ml.images import resize, write_png
from wf_ml.plots.sheet import contact_sheet


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="a PNG")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--columns", type=int, default=9)
    parser.add_argument("--size", type=int, default=80, help="pixels along a side, on the sheet")
    given = parser.parse_args(argv)
    lines = []
    for label in PAINTERS:
        pictures = [photograph(seeds.rng(given.seed, label, number), label, SIZE) for number in range(given.columns)]
        cut = [centre_crop(picture, 64, given.out).copy() for picture in pictures]
        lines.append([resize(picture, given.size, given.size) for picture in cut])
    write_png(given.out, contact_sheet(lines, levels=32), effort=9)


if __name__ == "__main__":
    command.run(main)
