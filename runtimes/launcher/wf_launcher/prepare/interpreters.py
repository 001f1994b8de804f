"""The interpreters of a site that may already have what is wanted."""

import os
import re

_VERSIONED = re.compile(r"python3\.(\d+)$")
_SYSTEM = "/usr/bin/python3"


def candidates(wish, search_path):
    """Paths, the likeliest first: the site's own choice, the project's environment, what `python3` means here, the
    system's, then every other version on PATH, the newest first."""
    folders = [folder for folder in search_path.split(":") if folder]
    found = []
    if wish.python is not None:
        found.append(_on_path(wish.python, folders))
    if wish.project is not None:
        found.append(os.path.join(wish.project, ".venv", "bin", "python3"))
    found += [os.path.join(folder, "python3") for folder in folders] + [_SYSTEM] + _versioned(folders)
    return _distinct([path for path in found if path and os.access(path, os.X_OK)])


def _on_path(program, folders):
    if "/" in program:
        return os.path.abspath(program)
    return next((path for path in (os.path.join(folder, program) for folder in folders) if os.path.exists(path)), None)


def _versioned(folders):
    found = []
    for folder in folders:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for match in filter(None, map(_VERSIONED.match, names)):
            found.append((int(match.group(1)), os.path.join(folder, match.group())))
    return [path for _, path in sorted(found, key=lambda entry: -entry[0])]


def _distinct(paths):
    """The same file is asked once, unless it lies in an environment: there its place decides what it sees."""
    seen = set()
    distinct = []
    for path in paths:
        home = os.path.dirname(os.path.dirname(path))
        identity = path if os.path.exists(os.path.join(home, "pyvenv.cfg")) else os.path.realpath(path)
        if identity not in seen:
            seen.add(identity)
            distinct.append(path)
    return distinct
