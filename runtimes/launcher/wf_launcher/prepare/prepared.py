"""A runtime that is ready: `runtime.json` in its folder, and `bin` to be put first on PATH."""

import json
import os

FILE = "runtime.json"
VERSION = 1


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
    """Whether these files are as they were."""
    try:
        return all(_stamp(path) == stamp for path, stamp in witnesses.items())
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
    with open(os.path.join(folder, FILE), "w") as file:
        json.dump(document, file, indent=2, sort_keys=True)
        file.write("\n")


def _stamp(path):
    """Size and time of change in whole seconds: what Python and JavaScript read alike."""
    status = os.stat(path)
    return [status.st_size, int(status.st_mtime)]


def _later(path, moved):
    if moved is not None and path.startswith(moved[0] + "/"):
        return moved[1] + path[len(moved[0]) :]
    return path
