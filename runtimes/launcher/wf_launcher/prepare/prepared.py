"""A runtime that is ready: `runtime.json` in its folder, and `bin` to be put first on PATH."""

import hashlib
import json
import os

from .. import whole_file

FILE = "runtime.json"
VERSION = 2


def read(folder):
    """The document of a runtime that is as it was when it was made; None if there is none, or if it has changed.
    Law: `readPreparedRuntime` in TypeScript judges the same."""
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            document = json.loads(file.read().decode("utf-8"))
        if document["version"] != VERSION:
            return None
        return document if is_as_noted(document["witnesses"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_as_noted(witnesses):
    """Whether these files are as they were. Their hashes are compared last: most changes show in a size."""
    try:
        is_as_large = all(os.stat(path).st_size == size for path, (size, _) in witnesses.items())
        return is_as_large and all(_stamp(path) == stamp for path, stamp in witnesses.items())
    except OSError:
        return False


def document_of(wish, how, verdict, interpreter, moved=None):
    """`interpreter` is what `bin` leads to. Of files that will be `moved` (from, to), the later places are noted."""
    files = [interpreter] + [found["file"] for found in verdict.packages.values() if found.get("file")]
    return {
        "version": VERSION,
        "key": wish.key,
        "how": how,
        "interpreter": _later(interpreter, moved),
        "bin": os.path.join(wish.folder, "bin"),
        "python": verdict.version,
        "packages": {name: found["version"] for name, found in sorted(verdict.packages.items())},
        "requirements": wish.lines,
        "witnesses": {_later(path, moved): _stamp(path) for path in files},
    }


def write(folder, document):
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    whole_file.write(os.path.join(folder, FILE), text.encode("ascii"))


def _stamp(path):
    """Size and hash."""
    with open(path, "rb") as file:
        content = file.read()
    return [len(content), hashlib.sha256(content).hexdigest()]


def _later(path, moved):
    if moved is not None and path.startswith(moved[0] + "/"):
        return moved[1] + path[len(moved[0]) :]
    return path
