"""Datasets made of datasets. Law: what the project's data package makes of the same, to the bit."""

from ..unique_names import with_unique_names
from .documents import Refusal

_FILE = ("hash", "size", "name")


def column(content, value, name):
    manifest = _read(content, value)
    kind = _kind_of(manifest["columns"], name)
    if kind == "file":
        return [dict(row[name], kind="file") for row in manifest["rows"]]
    return [{"kind": "json", "value": row[name]} for row in manifest["rows"]]


def pick(content, value, names):
    manifest = _read(content, value)
    columns = {name: _kind_of(manifest["columns"], name) for name in names}
    return _dataset(content, columns, [{name: row[name] for name in names} for row in manifest["rows"]])


def merge(content, values, kinds):
    """All rows, in order. A dataset without columns and rows adds nothing."""
    manifests = [_read(content, value) for value in values]
    manifests = [manifest for manifest in manifests if manifest["rows"] or manifest["columns"]]
    columns = manifests[0]["columns"] if manifests else kinds
    for manifest in manifests:
        if manifest["columns"] != columns:
            raise Refusal(
                "datasets with different columns cannot be merged: {} and {}".format(
                    sorted(columns.items()), sorted(manifest["columns"].items())
                )
            )
    rows = [row for manifest in manifests for row in manifest["rows"]]
    return _dataset(content, columns, with_unique_names(rows, _file_columns(columns), _stem))


def table(content, lists, kinds):
    """Rows from lists that are walked side by side."""
    lengths = {name: len(items) for name, items in lists.items()}
    if len(set(lengths.values())) > 1:
        raise Refusal("the columns of a dataset have different lengths: {}".format(lengths))
    columns = {name: _kind_of_list(name, items, kinds) for name, items in lists.items()}
    rows = [
        {name: _cell(items[index]) for name, items in lists.items()} for index in range(max(lengths.values(), default=0))
    ]
    return _dataset(content, columns, with_unique_names(rows, _file_columns(columns), _stem))


def _read(content, value):
    if value["kind"] != "dataset":
        raise Refusal("a dataset is wanted where a {} is".format(value["kind"]))
    return content.manifest(value["hash"], "dataset")


def _dataset(content, columns, rows):
    file_columns = _file_columns(columns)
    return {
        "kind": "dataset",
        "hash": content.put_manifest({"kind": "dataset", "columns": columns, "rows": rows}),
        "size": sum(row[name]["size"] for row in rows for name in file_columns),
        "files": len(rows) * len(file_columns),
        "rows": len(rows),
    }


def _file_columns(columns):
    return sorted(name for name in columns if columns[name] == "file")


def _kind_of(columns, name):
    if name not in columns:
        raise Refusal("the dataset has no column {!r}; it has {}".format(name, ", ".join(sorted(columns))))
    return columns[name]


def _kind_of_list(name, items, kinds):
    if not items:
        return kinds.get(name, "file")
    wanted = items[0]["kind"]
    if wanted not in ("file", "json") or any(item["kind"] != wanted for item in items):
        raise Refusal("column {!r} must hold files, or JSON values, and nothing else".format(name))
    return "file" if wanted == "file" else "value"


def _cell(item):
    return {key: item[key] for key in _FILE} if item["kind"] == "file" else item["value"]


def _stem(name):
    """What tasks align rows by: the name without its last ending."""
    dot = name.rfind(".")
    return name[:dot] if dot > 0 else name
