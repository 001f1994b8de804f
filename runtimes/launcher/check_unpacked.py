"""Says whether the launcher in a folder of a site is the one that was sent there: `same`, `missing`, or `changed` and
what. It comes over stdin, since nothing that lies on the site is believed before:

    python3 -I -S - FOLDER SHA256-OF-THE-ZIP < check_unpacked.py

The zip file lies beside the folder, and is checked by its hash. Sources have to be those in it; compiled modules have
to be what this interpreter makes of them. Those of other interpreters cannot be judged, and are removed."""

import hashlib
import io
import marshal
import os
import sys
import zipfile
from importlib.util import cache_from_source

TAG = sys.implementation.cache_tag
HEADER_BYTES = 16 if sys.version_info >= (3, 7) else 12


def judge(folder, expected):
    packed = folder + ".pyz"
    if not os.path.isdir(folder) or not os.path.exists(packed):
        return "missing"
    content = _read(packed)
    if hashlib.sha256(content).hexdigest() != expected:
        return "changed " + packed
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        sources = {name: archive.read(name) for name in archive.namelist()}
    for name in sources:
        if not os.path.isfile(os.path.join(folder, name)):
            return "changed " + os.path.join(folder, name)
    codes = {cache_from_source(name): compile(source, name, "exec", 0, True) for name, source in sources.items()}
    for path in _files(folder):
        if not _is_right(path, os.path.relpath(path, folder), sources, codes):
            return "changed " + path
    return "same"


def _files(folder):
    for parent, folders, names in os.walk(folder):
        for name in names + [name for name in folders if os.path.islink(os.path.join(parent, name))]:
            yield os.path.join(parent, name)


def _is_right(path, name, sources, codes):
    if os.path.islink(path):
        return False
    if name in sources:
        return _read(path) == sources[name]
    if name in codes:
        return marshal.loads(_read(path)[HEADER_BYTES:]) == codes[name]
    if name == "modules-" + TAG:
        return _are_right(marshal.loads(_read(path)), codes)
    if os.path.basename(os.path.dirname(name)) == "__pycache__" or name.startswith("modules-"):
        _forget(path)
        return True
    return False


def _forget(path):
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass  # a draft of somebody who compiles just now


def _are_right(modules, codes):
    """See __main__.py: {name: (its file, whether that is a package, code)}."""
    for module, (path, is_package, code) in modules.items():
        stem = module.replace(".", "/") + ("/__init__" if is_package else "")
        if path != stem + ".py" or marshal.loads(code) != codes.get(cache_from_source(path)):
            return False
    return True


def _read(path):
    with open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    try:
        print(judge(sys.argv[1], sys.argv[2]))
    except (EOFError, ValueError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        print("changed {}: {}".format(sys.argv[1], error))
