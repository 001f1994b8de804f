"""Puts the declared inputs into the sandbox, by link or by copy, and notes how they look."""

import os
import time

from . import canonical, forms
from .failure import Failure, of_os_error
from .input_watch import Watched
from .names import is_inside, is_plain, native
from .objects import copy_file, hash_bytes, quarantine, stat_intact
from .seals import Seals
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


def is_long(inputs, folder, seals):
    """Whether staging takes long enough to be done aside."""
    return any(_is_long(item["value"], item["how"], folder, seals) for item in inputs)


def _is_long(value, how, folder, seals):
    if value["kind"] == "list":
        items = value["items"]
        return len(items) > _MANY_FILES or any(_is_long(item, how, folder, seals) for item in items)
    if value.get("files", 1) > _MANY_FILES:
        return True
    if value.get("size", 0) <= _MANY_BYTES:
        return False
    return how != "link" or not _is_sealed(value, folder, seals)


def _is_sealed(value, folder, seals):
    """What is not has to be read before it is used. The files of a folder are many looks: they are taken as not."""
    if value["kind"] not in ("file", "json"):
        return False
    try:
        return seals.holds(os.stat(folder.object(value["hash"])), value["hash"])
    except (OSError, ValueError):
        return True  # it cannot be staged, and that is told soon


def stage(inputs, sandbox, folder, own=None, seals=None):
    """Law: what is not declared is not there. Raises Failure, which names the input. `own` is not an input but the
    task's own, to change as it likes."""
    staged = Staged()
    seals = seals or Seals(folder.storage, durable=True)
    started = time.monotonic()
    for item in inputs if own is None else inputs + [own]:
        name = item["name"]
        if not is_inside(item["path"]):
            raise Failure("stage-in", "input {}: the path {!r} leaves the sandbox".format(name, item["path"]), name)
        stager = _Stager(staged, sandbox, folder, name, item["how"], seals)
        try:
            stager.check(item["value"])
            stager.make_parents(native(item["path"]))
            path = stager.put(item["value"], item["path"])
            if item is not own:
                staged.paths[name] = path
        except OSError as error:
            raise of_os_error(error, "stage-in", "input {} cannot be staged".format(name), name, sandbox) from error
    staged.seconds = time.monotonic() - started
    return staged


class _Stager:
    """Of one input. Paths are relative to the sandbox, as text."""

    def __init__(self, staged, sandbox, folder, name, how, seals):
        self._seals = seals
        self._staged = staged
        self._sandbox = sandbox
        self._folder = folder
        self._name = name
        self._is_link = how == "link"
        self._is_own = how == "own"

    def check(self, value):
        try:
            forms.check_value(value)
        except (ValueError, RecursionError) as error:
            raise self._failure(str(error)) from None

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
        manifest = self._manifest(value["hash"], "directory")
        for relative in manifest.get("folders", ()):
            self._make(path + "/" + self._inside(relative))
        for entry in manifest["entries"]:
            relative = self._inside(entry["path"])
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

    def _inside(self, relative):
        if not is_inside(relative):
            raise self._failure("its manifest holds the path {!r}".format(relative))
        return relative

    def _native(self, path):
        return self._sandbox + "/" + native(path)

    def _make(self, path):
        os.makedirs(self._native(path), exist_ok=True)

    def _write(self, path, content):
        with open(self._native(path), "xb") as file:
            file.write(content)

    def _file(self, content_hash, size, path):
        source = self._object(content_hash)
        target = self._native(path)
        try:
            found = stat_intact(source, content_hash, size, self._seals)
            if found is None:
                raise self._damaged(content_hash, size)
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
        try:
            return self._folder.object(content_hash)
        except ValueError as error:
            raise self._failure(str(error)) from None

    def _manifest(self, content_hash, kind):
        try:
            with open(self._object(content_hash), "rb") as file:
                content = file.read()
            if hash_bytes(content) != content_hash:
                raise self._damaged(content_hash, None)
            return forms.read_manifest(content, kind)
        except FileNotFoundError:
            raise self._missing(content_hash) from None
        except (ValueError, RecursionError) as error:
            raise self._failure("its manifest {} cannot be used: {}".format(content_hash, error)) from None

    def _missing(self, content_hash):
        return self._failure("object {} is not in the store".format(content_hash))

    def _damaged(self, content_hash, size):
        """It leaves the store, so that whatever made it makes it again."""
        if not quarantine(self._folder, content_hash):
            return self._failure("object {} has another size than {}".format(content_hash, size))
        where = "what is left of it lies in quarantine/" + content_hash
        return self._failure("object {} of the store was damaged; {}".format(content_hash, where))

    def _failure(self, reason):
        return Failure("stage-in", "input {} cannot be staged: {}".format(self._name, reason), self._name)
