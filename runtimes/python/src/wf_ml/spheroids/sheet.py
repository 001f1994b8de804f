"""A contact sheet of made-up droplets: as they are, with the spheroids outlined, and what Otsu's threshold finds."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

import numpy as np

from wf_ml import command, seeds
from wf_ml.images import write_png
from wf_ml.plots.inline import with_outline
from wf_ml.plots.sheet import contact_sheet
from wf_ml.spheroids.baseline import otsu_spheroids
from wf_ml.spheroids.report import OTSU, TRUE
from wf_ml.spheroids.scene import SIZE, scene


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="a PNG")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--rows", type=int, default=2)
    given = parser.parse_args(argv)
    lines = []
    for row in range(given.rows):
        numbers = range(row * given.columns, (row + 1) * given.columns)
        made = [scene(seeds.rng(given.seed, "droplet", number), SIZE) for number in numbers]
        lines.append([np.repeat(image[:, :, None], 3, axis=2) for image, _, _ in made])
        lines.append([with_outline(image, mask, TRUE) for image, mask, _ in made])
        lines.append([with_outline(image, otsu_spheroids(image).mask, OTSU) for image, _, _ in made])
    write_png(given.out, contact_sheet(lines, levels=40), effort=9)


if __name__ == "__main__":
    command.run(main)
