"""The Python runtimes of a job's tasks, for a machine that does not see the site's storage.

One that was found is an interpreter of the machines themselves: what it has is told, so that it can be looked for there.
One that was built lies on the storage alone: it is packed, once a site, and sent.
"""

import hashlib
import json
import os
import tarfile

BUILT = ("uv", "venv")
ENDING = ".runtime"


def describe(job):
    """([{"bin", "pack", "key", "interpreter", "python", "witnesses", "wish"}], paths of packs). `pack` is null for one
    that was found."""
    described, paths = [], []
    for bin_folder in dict.fromkeys(folder for spec in job["tasks"] for folder in spec.get("path", ())):
        folder = os.path.dirname(bin_folder)
        prepared = _read(folder + "/runtime.json")
        if prepared is None:
            continue  # a folder of the machines that somebody named
        entry = {name: prepared[name] for name in ("key", "interpreter", "python", "witnesses")}
        entry.update(bin=bin_folder, pack=None, wish=_wish(folder, prepared))
        if prepared["how"] in BUILT:
            path = _pack(folder)
            entry["pack"] = os.path.basename(path)
            paths.append(path)
        described.append(entry)
    return described, paths


def _wish(folder, prepared):
    wish = _read(folder + ".json") or {}
    asked = {"requirements": prepared["requirements"], "requiresPython": wish.get("requiresPython")}
    return dict(asked, python=wish.get("python"), project=None)


def _read(path):
    try:
        with open(path, "rb") as file:
            return json.loads(file.read().decode("utf-8"))
    except FileNotFoundError:
        return None


def _pack(folder):
    """Beside the runtime. One that was made anew has another name."""
    with open(folder + "/runtime.json", "rb") as file:
        stamp = hashlib.sha256(file.read()).hexdigest()[:16]
    path = "{}-{}{}".format(folder, stamp, ENDING)
    if not os.path.exists(path):
        draft = "{}.draft-{}".format(path, os.getpid())
        with tarfile.open(draft, "w") as tar:
            tar.add(folder, ".")
        os.rename(draft, path)
    return path
