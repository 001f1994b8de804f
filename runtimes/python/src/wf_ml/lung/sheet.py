"""A contact sheet of made-up X-rays, with the masks below them."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command
from wf_ml.images import write_png
from wf_ml.lung.generate import radiograph
from wf_ml.plots.sheet import contact_sheet


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="a PNG")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--rows", type=int, default=2)
    parser.add_argument("--size", type=int, default=128)
    given = parser.parse_args(argv)
    lines = []
    for row in range(given.rows):
        patients = range(row * given.columns, (row + 1) * given.columns)
        pairs = [radiograph(given.seed, patient, 0, given.size) for patient in patients]
        lines += [[image for image, _ in pairs], [mask for _, mask in pairs]]
    write_png(given.out, contact_sheet(lines))


if __name__ == "__main__":
    command.run(main)
