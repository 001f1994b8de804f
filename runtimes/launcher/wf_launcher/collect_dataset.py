"""Reads a folder that a task wrote as a dataset: one sub-folder for each file column. `rows.jsonl` names the rows, or
files with the same stem make a row. Hidden files in a column are left out, as when a dataset is imported."""

import os
import stat

from . import canonical
from .names import code_units, is_inside, native, text
from .quick_json import MOST_NESTED

ROWS_FILE = "rows.jsonl"


def read(reader, boundary):
    columns = reader.output.get("columns") or {}
    file_columns = sorted((column for column in columns if columns[column] == "file"), key=code_units)
    names = {text(name) for name in os.listdir(reader.root)}
    _check_entries(reader, names, file_columns)
    files = {column: _files(reader, boundary, column) for column in file_columns}
    if ROWS_FILE in names:
        rows = _rows_of_file(reader, columns, files, boundary)
    else:
        rows = _rows_of_stems(reader, columns, file_columns, files)
    refs = _Refs(reader, boundary, {path for paths in files.values() for path in paths})
    cells = [
        {column: refs.of(cell) if columns[column] == "file" else cell for column, cell in row.items()} for row in rows
    ]
    content_hash = reader.bytes(canonical.canonical({"kind": "dataset", "columns": columns, "rows": cells}))
    size = sum(row[column]["size"] for row in cells for column in file_columns)
    count = len(cells) * len(file_columns)
    return {"kind": "dataset", "hash": content_hash, "size": size, "files": count, "rows": len(cells)}


class _Refs:
    """Files as a manifest names them; one that several rows name is read once."""

    def __init__(self, reader, boundary, in_columns):
        self._reader = reader
        self._boundary = boundary
        self._in_columns = in_columns
        self._known = {}

    def of(self, path):
        if path not in self._known:
            full = self._reader.root + "/" + native(path)
            is_plain = path in self._in_columns and stat.S_ISREG(os.lstat(full).st_mode)
            piece = self._reader.file(full, self._boundary, is_plain)
            self._known[path] = {"hash": piece.hash, "size": piece.size, "name": path.rpartition("/")[2]}
        return self._known[path]


def _check_entries(reader, names, file_columns):
    for column in file_columns:
        if column not in names:
            raise reader.invalid("the column {} is missing".format(column))
    extra = sorted(name for name in names.difference(file_columns, [ROWS_FILE]) if not name.startswith("."))
    if extra:
        raise reader.invalid("{} is neither a file column nor {}".format(extra[0], ROWS_FILE))


def _files(reader, boundary, column):
    """The paths of a column's files, relative to the dataset."""
    folder = reader.folder(reader.root + "/" + native(column), boundary)
    names = sorted((text(name) for name in os.listdir(folder)), key=code_units)
    return [column + "/" + name for name in names if not name.startswith(".")]


def _rows_of_stems(reader, columns, file_columns, files):
    values = sorted(set(columns).difference(file_columns))
    if values:
        raise reader.invalid("the column {} holds values, and there is no {}".format(values[0], ROWS_FILE))
    by_column = {column: _by_stem(reader, files[column]) for column in file_columns}
    stems = sorted({stem for found in by_column.values() for stem in found}, key=code_units)
    for stem in stems:
        for column in file_columns:
            if stem not in by_column[column]:
                lonely = next(found[stem] for found in by_column.values() if stem in found)
                raise reader.invalid("{} has no partner in column {}".format(lonely, column))
    return [{column: by_column[column][stem] for column in file_columns} for stem in stems]


def _by_stem(reader, paths):
    found = {}
    for path in paths:
        stem = os.path.splitext(path.rpartition("/")[2])[0]
        twin = found.setdefault(stem, path)
        if twin != path:
            raise reader.invalid("{} and {} have the same stem".format(twin, path))
    return found


def _rows_of_file(reader, columns, files, boundary):
    rows = []
    source = reader.resolve(reader.root + "/" + ROWS_FILE, boundary)
    with open(source, "rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                rows.append(_checked_row(reader, columns, line, number))
    named = {row[column] for row in rows for column in files}
    for paths in files.values():
        for path in paths:
            if path not in named and not os.path.isdir(reader.root + "/" + native(path)):
                raise reader.invalid("{} is named by no row of {}".format(path, ROWS_FILE))
    return rows


def _checked_row(reader, columns, line, number):
    where = "{}:{}".format(ROWS_FILE, number)
    try:
        row = canonical.parse(line, MOST_NESTED)
        canonical.canonical(row)
    except (ValueError, RecursionError) as error:
        raise reader.invalid("{}: not valid JSON: {}".format(where, error)) from None
    if not isinstance(row, dict) or set(row) != set(columns):
        raise reader.invalid("{}: a row has the columns {}".format(where, ", ".join(sorted(columns))))
    for column, cell in row.items():
        if columns[column] == "file":
            if not is_inside(cell):
                raise reader.invalid("{}: {!r} is no path in the dataset".format(where, cell))
            if not os.path.lexists(reader.root + "/" + native(cell)):
                raise reader.invalid("{}: {} does not exist".format(where, cell))
    return row
