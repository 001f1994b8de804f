"""What content the folders of runs name, and what that leads to."""

import errno
import os
import re
import stat

from ..folders import object_name

_HASH = re.compile(rb"[0-9a-f]{64}")
# The first key of each kind of manifest in canonical JSON.
_MANIFEST_STARTS = (b'{"entries":', b'{"columns":', b'{"items":')
_START_BYTES = 16


def named_in(folder):
    """Hashes in the jobs and records of a run. What lies in the folders of attempts is no fact about content."""
    for path in files_below(folder, skip="attempts"):
        if path.endswith(".json"):
            yield from _hashes(path)


def reached(objects, roots):
    """The roots, and all that manifests among them lead to. A file that only looks like one keeps more than it must."""
    needed = set(roots)
    pending = list(roots)
    while pending:
        path = objects + "/" + object_name(pending.pop())
        if _looks_like_manifest(path):
            for inner in _hashes(path):
                if inner not in needed:
                    needed.add(inner)
                    pending.append(inner)
    return needed


def files_below(folder, skip=None):
    """Paths of all that is no folder. `skip`: a folder at the top to leave out."""
    pending = [folder]
    while pending:
        place = pending.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield entry.path
            elif place != folder or entry.name != skip:
                pending.append(entry.path)


def _looks_like_manifest(path):
    try:
        with open(path, "rb", buffering=0, opener=_open_plain) as file:
            return file.read(_START_BYTES).startswith(_MANIFEST_STARTS)
    except OSError:
        return False


def _hashes(path):
    try:
        with open(path, "rb", opener=_open_plain) as file:
            return {found.decode("ascii") for found in _HASH.findall(file.read())}
    except OSError:
        return set()


def _open_plain(path, flags):
    """Tasks can write there: a pipe would be waited for, and a link may lead to what never ends."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
