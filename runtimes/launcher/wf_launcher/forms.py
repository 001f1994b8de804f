"""The forms of values, manifests and records. A document comes from where a task could have written it, so that every
name, path and hash in it is refused unless it has the form that it must have, before anything becomes a path."""

from . import canonical
from .names import is_hash, is_inside, is_plain

_HASHED = ("file", "directory", "dataset", "json")
_STATES = ("succeeded", "failed")


def check_value(value):
    """Raises ValueError, which says what is wrong."""
    kind = _member(value, "kind")
    if kind == "list":
        for item in _list(value, "items"):
            check_value(item)
    elif kind in _HASHED:
        _check_content(value)
        if kind == "file":
            _check_name(_member(value, "name"))
    elif kind != "absent":
        raise ValueError("not a kind of value: {!r}".format(kind))


def read_manifest(content, kind):
    """The manifest of a directory or of a dataset. Raises ValueError, which says what is wrong."""
    manifest = canonical.parse(content)
    if _member(manifest, "kind") != kind:
        raise ValueError("not the manifest of a {}".format(kind))
    (_check_directory if kind == "directory" else _check_dataset)(manifest)
    return manifest


def check_record(document, attempt):
    """What is relied upon on a site; who wants more, looks at more. Raises ValueError, which says what is wrong."""
    if _member(document, "attempt") != attempt:
        raise ValueError("the record of {!r} instead of {!r}".format(document["attempt"], attempt))
    state, failure = _member(document, "state"), _member(document, "failure")
    if state not in _STATES or (state == "succeeded") != (failure is None):
        raise ValueError("not a state: {!r}".format(state))
    if failure is not None and not all(isinstance(_member(failure, name), str) for name in ("class", "message")):
        raise ValueError("a failure without a class or a message")
    outputs = _member(document, "outputs")
    if not isinstance(outputs, dict):
        raise ValueError("outputs are no object")
    for value in outputs.values():
        check_value(value)
    for picture in _list(document, "pictures") if "pictures" in document else ():
        check_value(_member(picture, "file"))
    if "checkpoint" in document:
        check_value(document["checkpoint"])
    if not all(isinstance(line, dict) for line in _list(document, "metrics")):
        raise ValueError("a line of metrics is no object")


def check_checkpoint_note(note):
    """What `task.json` of an attempt says of its checkpoint. Raises ValueError, which says what is wrong."""
    if not isinstance(_member(note, "output"), str) or note.get("kind") not in ("file", "directory"):
        raise ValueError("not the output that is a checkpoint: {!r}".format(note))
    if not is_inside(_member(note, "path")):
        raise ValueError("the path {!r} leaves the sandbox".format(note["path"]))
    if not (_member(note, "from") is None or is_hash(note["from"])):
        raise ValueError("not a content hash: {!r}".format(note["from"]))


def _check_directory(manifest):
    paths = set()
    for entry in _list(manifest, "entries"):
        _check_content(entry)
        path = _member(entry, "path")
        if not is_inside(path):
            raise ValueError("it holds the path {!r}".format(path))
        if path in paths:
            raise ValueError("it holds the path {!r} twice".format(path))
        paths.add(path)
    for path in _list(manifest, "folders") if "folders" in manifest else ():
        if not is_inside(path):
            raise ValueError("it holds the path {!r}".format(path))


def _check_dataset(manifest):
    columns = _member(manifest, "columns")
    if not isinstance(columns, dict):
        raise ValueError("its columns are no object")
    for column in columns:
        if not is_plain(column):
            raise ValueError("it holds the column {!r}".format(column))
    file_columns = [column for column in columns if columns[column] == "file"]
    for row in _list(manifest, "rows"):
        for column in columns:
            cell = _member(row, column)
            if column in file_columns:
                _check_content(cell)
                _check_name(_member(cell, "name"))


def _check_content(described):
    content_hash, size = _member(described, "hash"), _member(described, "size")
    if not is_hash(content_hash):
        raise ValueError("not a content hash: {!r}".format(content_hash))
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise ValueError("not a size: {!r}".format(size))


def _check_name(name):
    if not is_plain(name):
        raise ValueError("it holds the file name {!r}".format(name))


def _member(document, name):
    if not isinstance(document, dict) or name not in document:
        raise ValueError("{} is missing".format(name))
    return document[name]


def _list(document, name):
    found = _member(document, name)
    if not isinstance(found, list):
        raise ValueError("{} is no list".format(name))
    return found
