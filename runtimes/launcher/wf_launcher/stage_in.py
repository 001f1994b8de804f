"""Puts the declared inputs into the sandbox, by link or by copy, and notes how they look."""

import os
import time

from . import canonical
from .failure import Failure, of_os_error
from .input_watch import Watched
from .names import is_inside, is_plain, native
from .objects import copy_file
from .unique_names import with_unique_names

_MANY_FILES = 100
_MANY_BYTES = 4 << 20
ROWS_FILE = "rows.jsonl"


class Staged:
    """What was staged: `paths` by input for `task.json`, and what is watched for changes."""

    def __init__(self):
        self.files = 0
        self.bytes = 0
        self.seconds = 0.0
        self.paths = {}
        self.watched = []

    def document(self):
        return {"files": self.files, "bytes": self.bytes, "seconds": round(self.seconds, 6)}


def is_long(inputs):
    """Whether staging takes long enough to be done aside."""
    return any(_is_long(item["value"], item["how"]) for item in inputs)


def _is_long(value, how):
    if value["kind"] == "list":
        return len(value["items"]) > _MANY_FILES or any(_is_long(item, how) for item in value["items"])
    return value.get("files", 1) > _MANY_FILES or (how != "link" and value.get("size", 0) > _MANY_BYTES)


def stage(inputs, sandbox, folder, own=None):
    """Law: what is not declared is not there. Raises Failure, which names the input. `own` is not an input but the
    task's own, to change as it likes."""
    staged = Staged()
    started = time.monotonic()
    for item in inputs if own is None else inputs + [own]:
        name = item["name"]
        if not is_inside(item["path"]):
            raise Failure("stage-in", "input {}: the path {!r} leaves the sandbox".format(name, item["path"]), name)
        stager = _Stager(staged, sandbox, folder, name, item["how"])
        try:
            stager.make_parents(native(item["path"]))
            path = stager.put(item["value"], item["path"])
            if item is not own:
                staged.paths[name] = path
        except OSError as error:
            raise of_os_error(error, "stage-in", "input {} cannot be staged".format(name), name) from error
    staged.seconds = time.monotonic() - started
    return staged


class _Stager:
    """Of one input. Paths are relative to the sandbox, as text."""

    def __init__(self, staged, sandbox, folder, name, how):
        self._staged = staged
        self._sandbox = sandbox
        self._folder = folder
        self._name = name
        self._is_link = how == "link"
        self._is_own = how == "own"

    def make_parents(self, path):
        parent = os.path.dirname(path)
        if parent:
            os.makedirs(self._sandbox + "/" + parent, exist_ok=True)

    def put(self, value, path):
        """Returns what `task.json` says of the value: its path, a list of such, or None for what is absent."""
        return getattr(self, "_put_" + value["kind"])(value, path)

    def _put_file(self, value, path):
        self._file(value["hash"], value["size"], path)
        return path

    _put_json = _put_file

    def _put_absent(self, _value, _path):
        return None

    def _put_directory(self, value, path):
        self._make(path)
        made = set()
        for entry in self._manifest(value["hash"], "directory")["entries"]:
            relative = entry["path"]
            if not is_inside(relative):
                raise self._failure("its manifest holds the path {!r}".format(relative))
            parent = os.path.dirname(relative)
            if parent and parent not in made:
                made.add(parent)
                os.makedirs(self._native(path + "/" + parent), exist_ok=True)
            self._file(entry["hash"], entry["size"], path + "/" + relative)
        return path

    def _put_dataset(self, value, path):
        self._make(path)
        manifest = self._manifest(value["hash"], "dataset")
        columns = manifest["columns"]
        file_columns = sorted(column for column in columns if columns[column] == "file")
        for column in file_columns:
            if not is_plain(column):
                raise self._failure("its manifest holds the column {!r}".format(column))
            self._make(path + "/" + column)
        lines = []
        for row in with_unique_names(manifest["rows"], file_columns):
            line = dict(row)
            for column in file_columns:
                file = row[column]
                if not is_plain(file["name"]):
                    raise self._failure("its manifest holds the file name {!r}".format(file["name"]))
                line[column] = column + "/" + file["name"]
                self._file(file["hash"], file["size"], path + "/" + line[column])
            lines.append(canonical.canonical(line) + b"\n")
        self._write(path + "/" + ROWS_FILE, b"".join(lines))
        return path

    def _put_list(self, value, path):
        self._make(path)
        return [self._put_item(item, "{}/{:06d}".format(path, index)) for index, item in enumerate(value["items"])]

    def _put_item(self, item, path):
        if item["kind"] == "json":
            return self.put(item, path + ".json")
        if item["kind"] == "file":
            if not is_plain(item["name"]):
                raise self._failure("it holds the file name {!r}".format(item["name"]))
            self._make(path)
            return self.put(item, path + "/" + item["name"])
        return self.put(item, path)

    def _native(self, path):
        return self._sandbox + "/" + native(path)

    def _make(self, path):
        os.makedirs(self._native(path), exist_ok=True)

    def _write(self, path, content):
        with open(self._native(path), "wb") as file:
            file.write(content)

    def _file(self, content_hash, size, path):
        source = self._object(content_hash)
        target = self._native(path)
        try:
            found = os.stat(source)
            if self._is_link:
                os.symlink(source, target)
            else:
                copy_file(source, target, found.st_mode & 0o555 | (0o200 if self._is_own else 0))
        except FileNotFoundError:
            raise self._missing(content_hash) from None
        if not self._is_own:
            self._staged.watched.append(Watched(self._name, path, target, source, found, content_hash, self._is_link))
        self._staged.files += 1
        self._staged.bytes += size

    def _object(self, content_hash):
        if len(content_hash) != 64 or not content_hash.isalnum():
            raise self._failure("not a content hash: {!r}".format(content_hash))
        return self._folder.object(content_hash)

    def _manifest(self, content_hash, kind):
        try:
            with open(self._object(content_hash), "rb") as file:
                manifest = canonical.parse(file.read())
        except FileNotFoundError:
            raise self._missing(content_hash) from None
        except ValueError as error:
            raise self._failure("its manifest {} is damaged: {}".format(content_hash, error)) from None
        if manifest.get("kind") != kind:
            raise self._failure("object {} is not the manifest of a {}".format(content_hash, kind))
        return manifest

    def _missing(self, content_hash):
        return self._failure("object {} is not in the store".format(content_hash))

    def _failure(self, reason):
        return Failure("stage-in", "input {} cannot be staged: {}".format(self._name, reason), self._name)
