"""Finds the declared outputs in the sandbox, checks and hashes them. Nothing is published here: all outputs of an
attempt are known to be good before the first of them enters the store."""

import os
import stat

from . import canonical, collect_dataset
from .failure import Failure, of_os_error
from .names import MOST_DEEP, code_units, is_inside, native, printable, text
from .objects import hash_bytes, hash_file
from .quick_json import MOST_NESTED

_JSON_LIMIT_BYTES = 1 << 20
_MANY_BYTES = 4 << 20


class Piece:
    """A file for the store: one of the sandbox, or bytes that were made from one."""

    __slots__ = ("source", "content", "hash", "size", "is_executable")

    def __init__(self, source, content, content_hash, size, is_executable=False):
        self.source = source
        self.content = content
        self.hash = content_hash
        self.size = size
        self.is_executable = is_executable


class Collected:
    def __init__(self):
        self.values = {}
        self.pieces = []
        self.files = 0
        self.bytes = 0


def is_long(outputs, sandbox):
    """Whether collecting takes long enough to be done aside."""
    total = 0
    for output in outputs:
        if output["kind"] in ("directory", "dataset"):
            return True
        try:
            total += os.stat(sandbox + "/" + native(output["path"])).st_size
        except OSError:
            pass
    return total > _MANY_BYTES


def prepare(outputs, sandbox):
    """Makes the folders that the task may expect: the parent of each output, and those of folder outputs."""
    for output in outputs:
        columns = output.get("columns") or {}
        wanted = [output["path"]] + [output["path"] + "/" + column for column in columns if columns[column] == "file"]
        for path in wanted:
            if not is_inside(path):
                name = output["name"]
                raise Failure("output-invalid", "output {}: the path {!r} leaves the sandbox".format(name, path), name)
        is_folder = output["kind"] in ("directory", "dataset")
        for path in wanted if is_folder else [os.path.dirname(output["path"])]:
            os.makedirs(sandbox + "/" + native(path), exist_ok=True)


def collect(outputs, sandbox, real_sandbox, staged_objects):
    """Raises Failure, which names the output. `staged_objects`: real paths of the attempt's inputs in the store."""
    collected = Collected()
    for output in outputs:
        reader = OutputReader(output, sandbox, real_sandbox, staged_objects, collected)
        try:
            collected.values[output["name"]] = reader.read()
        except UnicodeDecodeError as error:
            raise reader.invalid("a file name is not UTF-8: {!r}".format(error.object)) from None
        except OSError as error:
            message = "output {} cannot be read".format(output["name"])
            raise of_os_error(error, "output-invalid", message, output["name"]) from error
    return collected


class OutputReader:
    """Reads one output. Paths are native and absolute; relative ones, as text, are for people and manifests."""

    def __init__(self, output, sandbox, real_sandbox, staged_objects, collected):
        self.output = output
        self.root = sandbox + "/" + native(output["path"])
        self._seen_sandbox = sandbox
        self._sandbox = real_sandbox
        self._staged_objects = staged_objects
        self._collected = collected

    def read(self):
        if not os.path.lexists(self.root):
            if self.output.get("optional"):
                return {"kind": "absent"}
            message = "output {} was not written: {} is missing".format(self.output["name"], self.output["path"])
            raise Failure("output-missing", message, self.output["name"])
        return getattr(self, "_read_" + self.output["kind"])()

    def invalid(self, reason):
        name = self.output["name"]
        return Failure("output-invalid", "output {} ({}): {}".format(name, self.output["path"], reason), name)

    def _read_file(self):
        piece = self.file(self.root, self._sandbox)
        return {"kind": "file", "hash": piece.hash, "size": piece.size, "name": text(os.path.basename(self.root))}

    def _read_json(self):
        source = self.resolve(self.root, self._sandbox)
        if os.stat(source).st_size > _JSON_LIMIT_BYTES:
            raise self.invalid("a JSON value may have {} bytes at most".format(_JSON_LIMIT_BYTES))
        try:
            with open(source, "rb") as file:
                value = canonical.parse(file.read(), MOST_NESTED)
            content = canonical.canonical(value)
        except (ValueError, RecursionError) as error:
            raise self.invalid("not valid JSON: {}".format(error)) from None
        content_hash = self.bytes(content)
        return {"kind": "json", "hash": content_hash, "size": len(content), "value": value}

    def _read_directory(self):
        boundary = self.folder(self.root, self._sandbox)
        entries, empty = [], []
        for path, entry in self._walk(boundary, "", (boundary,)):
            if entry is None:
                empty.append(text(path))
                continue
            is_plain = entry.is_file(follow_symlinks=False)
            piece = self.file(entry.path if is_plain else self.root + "/" + path, boundary, is_plain)
            described = {"path": text(path), "hash": piece.hash, "size": piece.size}
            if piece.is_executable:
                described["executable"] = True
            entries.append(described)
        entries.sort(key=lambda described: code_units(described["path"]))
        manifest = {"kind": "directory", "entries": entries}
        if empty:
            manifest["folders"] = sorted(empty, key=code_units)
        content_hash = self.bytes(canonical.canonical(manifest))
        size = sum(described["size"] for described in entries)
        return {"kind": "directory", "hash": content_hash, "size": size, "files": len(entries)}

    def _read_dataset(self):
        boundary = self.folder(self.root, self._sandbox)
        return collect_dataset.read(self, boundary)

    def _walk(self, folder, prefix, above):
        """(path in the output, entry) of all that is no folder; (path, None) of folders that hold nothing. A link to a
        folder of the output shows what is in that folder under its own name. `above`: real paths of `folder` and of
        those that it lies in."""
        is_empty = True
        for entry in os.scandir(folder):
            is_empty = False
            path = prefix + entry.name
            if not entry.is_dir():
                yield path, entry
                continue
            if len(above) == MOST_DEEP:
                raise self.invalid("its folders lie more than {} deep".format(MOST_DEEP))
            real = entry.path
            if entry.is_symlink():
                real = self.folder(self.root + "/" + path, above[0], "it")
                if real in above:
                    raise self.invalid("{} is a link to a folder that it lies in".format(self.shown(self.root + "/" + path)))
            for inner in self._walk(real, path + "/", above + (real,)):
                yield inner
        if is_empty and prefix:
            yield prefix[:-1], None

    def _real(self, path):
        """The path without links; without a search where the sandbox and all below it are none."""
        below = path[len(self._seen_sandbox) :]
        place = self._seen_sandbox
        for part in below.split("/"):  # the first is empty: the sandbox itself
            place += "/" + part if part else ""
            if os.path.islink(place):
                return os.path.realpath(path)
        return self._sandbox + below

    def resolve(self, path, boundary):
        """The regular file that `path` is or leads to. Law: no link leaves the boundary, except to a declared input."""
        real = self._real(path)
        if not real.startswith(boundary + "/") and real not in self._staged_objects:
            raise self.invalid("{} leads out of it".format(self.shown(path)))
        try:
            mode = os.stat(real).st_mode
        except FileNotFoundError:
            raise self.invalid("{} is a link to nothing".format(self.shown(path))) from None
        if not stat.S_ISREG(mode):
            raise self.invalid("{} is not a regular file".format(self.shown(path)))
        return real

    def folder(self, path, boundary, called="the sandbox"):
        """The real path of a folder inside the boundary, or of the boundary itself."""
        real = self._real(path)
        if real != boundary and not real.startswith(boundary + "/"):
            raise self.invalid("{} leads out of {}".format(self.shown(path), called))
        if not os.path.isdir(real):
            raise self.invalid("{} is not a folder".format(self.shown(path)))
        return real

    def shown(self, path):
        """A path for people, seen from the sandbox."""
        start = len(self.root) - len(native(self.output["path"]))
        return printable(path[start:])

    def file(self, path, boundary, is_plain=False):
        """`is_plain`: known to be a regular file, in a folder that is inside the boundary."""
        source = path if is_plain else self.resolve(path, boundary)
        content_hash, size = hash_file(source)
        is_executable = bool(os.stat(source).st_mode & 0o100)
        piece = Piece(source, None, content_hash, size, is_executable)
        self._collected.pieces.append(piece)
        self._collected.files += 1
        self._collected.bytes += size
        return piece

    def bytes(self, content):
        content_hash = hash_bytes(content)
        self._collected.pieces.append(Piece(None, content, content_hash, len(content)))
        if self.output["kind"] == "json":
            self._collected.files += 1
            self._collected.bytes += len(content)
        return content_hash
