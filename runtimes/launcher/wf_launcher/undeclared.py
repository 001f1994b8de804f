"""Files that a task left in its sandbox without declaring them."""

import os

from .names import MOST_DEEP, native, printable

LIMIT = 100
_OWN = ("in", "tmp")


def find(spec, sandbox, known):
    """[{path, size}], a hundred at most. `known`: native paths of what was named in another way."""
    declared = {native(item["path"]) for item in spec["outputs"] + spec["inputs"]}.union(_OWN, known)
    found = []
    _walk(sandbox, "", declared, found)
    return found


def _walk(root, prefix, declared, found):
    try:
        entries = sorted(os.scandir(root + "/" + prefix), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if len(found) == LIMIT:
            return
        path = prefix + entry.name
        if path in declared:
            continue
        if entry.is_dir(follow_symlinks=False):
            if path.count("/") < MOST_DEEP:
                _walk(root, path + "/", declared, found)
        else:
            found.append({"path": printable(path), "size": entry.stat(follow_symlinks=False).st_size})
