"""Datasets as wf lays them out: a folder for each column of files, and ``rows.jsonl`` with a row a line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Sequence

from wf_ml.errors import DataError

Row = Dict[str, Any]


def read_rows(folder: Path, files: Sequence[str] = (), values: Sequence[str] = ()) -> List[Row]:
    """The rows in their order. Columns in `files` become paths that exist; those in `values` are there as they are."""
    listing = folder / "rows.jsonl"
    if not listing.is_file():
        raise DataError("this is no dataset: it has no rows.jsonl", folder)
    rows = []
    for number, line in enumerate(listing.read_text("utf-8").splitlines(), start=1):
        where = f"{listing}:{number}"
        try:
            given = json.loads(line)
        except json.JSONDecodeError as error:
            raise DataError(f"this is no JSON ({error.msg})", where) from error
        missing = [name for name in (*files, *values) if name not in given]
        if missing:
            raise DataError(f"the row has no {missing[0]}", where)
        paths = {name: folder / given[name] for name in files}
        for path in paths.values():
            if not path.is_file():
                raise DataError("a row names a file that is not there", path)
        rows.append({**given, **paths})
    return rows


def write_rows(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes ``rows.jsonl``. Paths are those of files that already lie under `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "rows.jsonl", "w", encoding="utf-8") as listing:
        for row in rows:
            relative = {
                name: value.relative_to(folder).as_posix() if isinstance(value, Path) else value
                for name, value in row.items()
            }
            listing.write(json.dumps(relative, ensure_ascii=False) + "\n")


def copy_rows(folder: Path, rows: Iterable[Row]) -> None:
    """Writes a dataset of its own out of rows of others: their files are copied, under their own names."""
    copied = []
    for row in rows:
        own: Row = dict(row)
        for name, value in row.items():
            if isinstance(value, Path):
                own[name] = folder / name / value.name
                own[name].parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(value, own[name])
        copied.append(own)
    write_rows(folder, copied)
