"""`unpack FOLDER`: lays the launcher out as a folder with compiled modules, and once more with those of a job in one
file. Every job starts a launcher, and Python compiles what comes out of a zip file anew; a folder takes half of the
time, and one file less, most of all where the storage is another machine's."""

import compileall
import marshal
import os
import shutil
import sys
import zipfile
from importlib.util import cache_from_source

_HEADER_BYTES = 16 if sys.version_info >= (3, 7) else 12


def unpack(folder):
    """Law: the folder has its name when it is whole. One that is there already stays as it is."""
    if os.path.isdir(folder):
        return 0
    draft = "{}.draft-{}".format(folder, os.getpid())
    try:
        with zipfile.ZipFile(sys.argv[0]) as packed:
            packed.extractall(draft)
        compileall.compile_dir(draft, quiet=2)
        _put_into_one_file(draft)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    try:
        os.rename(draft, folder)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
    return 0 if os.path.isdir(folder) else 1


def _put_into_one_file(folder):
    """See __main__.py. Another interpreter than this one does not find the file, and reads the modules one by one."""
    modules = {}
    for name in os.listdir(folder + "/wf_launcher"):
        stem, ending = os.path.splitext(name)
        if ending == ".py":
            path = "wf_launcher/" + name
            with open(cache_from_source(folder + "/" + path), "rb") as file:
                code = file.read()[_HEADER_BYTES:]
            is_package = stem == "__init__"
            module = "wf_launcher" if is_package else "wf_launcher." + stem
            modules[module] = path, is_package, code
    with open("{}/modules-{}".format(folder, sys.implementation.cache_tag), "wb") as file:
        file.write(marshal.dumps(modules))
