"""Started as a zip file or a folder; or, by the jobs of a cluster, as this very file, which is the quickest: then most
modules come out of one file beside it, if the interpreter is the one that it was made for."""

import sys


class OneFile:
    """Finds and loads modules: {name: (its file, whether that is a package, code)}."""

    def __init__(self, folder, modules):
        self._folder = folder
        self._modules = modules

    def find_spec(self, name, path=None, target=None):
        if name not in self._modules:
            return None
        file, is_package, _ = self._modules[name]
        origin = self._folder + "/" + file
        spec = type(sys.__spec__)(name, self, origin=origin, is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations.append(origin.rpartition("/")[0])
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(marshal.loads(self._modules[module.__name__][2]), module.__dict__)


IS_JOB = __spec__ is None and sys.argv[1:2] in (["run"], ["away"])

if IS_JOB:
    import marshal

    folder = __file__.rpartition("/")[0] or "."
    try:
        with open("{}/modules-{}".format(folder, sys.implementation.cache_tag), "rb") as file:
            sys.meta_path.insert(0, OneFile(folder, marshal.loads(file.read())))
    except (OSError, ValueError, EOFError, TypeError):
        sys.path.insert(0, folder)

from wf_launcher.cli import main

if __name__ == "__main__":
    code = main(sys.argv[1:])
    if IS_JOB:
        import os

        sys.stderr.flush()
        os._exit(code)  # there is nothing left to tidy up
    sys.exit(code)
