"""Counts and areas as CSV, an image a line. Areas are in pixels."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, List

from wf_ml.errors import DataError
from wf_ml.spheroids.segment import Found

COLUMNS = ["image", "count", "total_area", "mean_area", "areas"]


@dataclass(frozen=True)
class Line:
    image: str
    areas: List[int]


def line_of(image: str, found: Found) -> List[str]:
    total = sum(found.areas)
    mean = f"{total / found.count:.1f}" if found.count else ""
    return [image, str(found.count), str(total), mean, " ".join(map(str, found.areas))]


def read_lines(path: Path) -> Iterator[Line]:
    if not path.is_file():
        raise DataError("there is no such table", path)
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        if table.fieldnames != COLUMNS:
            raise DataError(f"this is no table of spheroids: its columns are not {', '.join(COLUMNS)}", path)
        for row in table:
            yield Line(row["image"], [int(area) for area in row["areas"].split()])
