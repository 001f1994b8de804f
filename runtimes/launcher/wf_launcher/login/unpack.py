"""`unpack FOLDER`: lays the launcher out as a folder with compiled modules. Every job starts one, and from a folder that
takes half of the time: Python compiles what comes out of a zip file anew."""

import compileall
import os
import shutil
import sys
import zipfile


def unpack(folder):
    """Law: the folder has its name when it is whole. One that is there already stays as it is."""
    if os.path.isdir(folder):
        return 0
    draft = "{}.draft-{}".format(folder, os.getpid())
    with zipfile.ZipFile(sys.argv[0]) as packed:
        packed.extractall(draft)
    compileall.compile_dir(draft, quiet=2)
    try:
        os.rename(draft, folder)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
    return 0 if os.path.isdir(folder) else 1
