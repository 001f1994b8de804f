"""Joins the tables of all pieces to one, and writes a page with counts, areas and examples."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import List, Optional, Sequence, Tuple

import numpy as np

from wf_ml import atomic, command, rows
from wf_ml.errors import DataError
from wf_ml.images import read_rgb
from wf_ml.log import log
from wf_ml.plots.distributions import histogram
from wf_ml.report.page import Number, Shot, figures, gallery, numbers, page, table
from wf_ml.report.provenance import provenance
from wf_ml.spheroids.segment import Found
from wf_ml.spheroids.table import COLUMNS, line_of, read_lines

EXAMPLES = 60


def join(tables: Sequence[Path], out: Path) -> Tuple[List[int], List[int]]:
    """The counts of all images, and the areas of all spheroids. Two images of one name are told apart by no table."""
    counts: List[int] = []
    areas: List[int] = []
    seen = set()
    out.parent.mkdir(parents=True, exist_ok=True)
    with open(out, "w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(COLUMNS)
        for path in tables:
            for line in read_lines(path):
                if line.image in seen:
                    raise DataError(f'two images have the name "{line.image}"', path, "give each its own name")
                seen.add(line.image)
                lines.writerow(line_of(line.image, Found(np.zeros((0, 0), bool), line.areas)))
                counts.append(len(line.areas))
                areas += line.areas
    return counts, areas


def write_page(path: Path, counts: Sequence[int], areas: Sequence[int], examples: Path, pixel: float) -> None:
    """`pixel` is the side of a pixel in micrometres; 0 where nobody knows it."""
    unit = "µm" if pixel > 0 else "pixels"
    diameters = [2 * math.sqrt(area / math.pi) * (pixel or 1.0) for area in areas]
    middle = f"{float(np.median(diameters)):.1f} {unit}" if diameters else "none"
    shown = numbers(
        [
            Number("images", f"{len(counts):,}", "droplets that were looked at"),
            Number("spheroids", f"{len(areas):,}", "found in all of them"),
            Number("empty droplets", f"{sum(count == 0 for count in counts):,}", "no spheroid found"),
            Number("median diameter", middle, "of a circle of the same area"),
        ]
    )
    most = max(counts, default=0)
    by_count = [(str(count), f"{sum(c == count for c in counts):,}") for count in range(most + 1)]
    charts = (
        [(histogram("diameters", diameters, f"diameter, {unit}", 30), "How large spheroids are.")] if diameters else []
    )
    sections: List[Tuple[str, Sequence[str]]] = [
        ("", [shown]),
        ("Counts", [table(by_count, ["spheroids in a droplet", "droplets"])]),
        ("Sizes", [figures(charts)]),
        ("Examples", [gallery(_examples(examples))]),
        ("Where this comes from", [provenance({"pixel": f"{pixel:g} µm" if pixel > 0 else "size unknown"})]),
    ]
    lead = "Spheroids in droplets: how many, how large, and how they look with their outlines."
    atomic.write_bytes(path, page("Spheroids", lead, sections).encode("utf-8"))


def _examples(folder: Path) -> List[Tuple[Sequence[Shot], str]]:
    """Evenly over all pieces."""
    given = rows.read_rows(folder, files=["picture"], values=["about"])
    step = max(1, math.ceil(len(given) / EXAMPLES))
    return [_example(row) for row in given[::step]]


def _example(row: rows.Row) -> Tuple[Sequence[Shot], str]:
    about = row["about"]
    return [(about["name"], read_rgb(row["picture"]))], f"{about['count']} found ({about['why']})"


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--examples", type=Path, required=True, help="a dataset: picture, about")
    parser.add_argument("--pixel", type=float, default=0.0, help="micrometres along a pixel; 0: unknown")
    parser.add_argument("--table", type=Path, required=True, help="CSV: all tables in one")
    parser.add_argument("--page", type=Path, required=True, help="HTML")
    parser.add_argument("tables", type=Path, nargs="+")
    given = parser.parse_args(argv)
    counts, areas = join(given.tables, given.table)
    write_page(given.page, counts, areas, given.examples, given.pixel)
    log(images=len(counts), spheroids=len(areas), mean_area=float(np.mean(areas)) if areas else 0.0)
    print(f"{len(areas)} spheroids in {len(counts)} images")


if __name__ == "__main__":
    command.run(main)
