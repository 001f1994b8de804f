"""The folder of a runtime while it is made. It gets its name by one rename when it is complete."""

import os
import shutil

from . import prepared, probe


class Draft:
    def __init__(self, wish):
        self._wish = wish
        self.path = wish.folder + ".part"

    def clear(self):
        shutil.rmtree(self.path, ignore_errors=True)

    def of_interpreter(self, how, verdict):
        """For an interpreter that lies elsewhere: `bin` leads to it. A link will not do for one of a virtual
        environment, which is known by its place."""
        self.clear()
        bin_folder = os.path.join(self.path, "bin")
        os.makedirs(bin_folder)
        for name in ("python3", "python"):
            os.symlink(verdict.executable, os.path.join(bin_folder, name))
        if probe.prefix_of(os.path.join(bin_folder, "python3")) != verdict.prefix:
            for name in ("python3", "python"):
                _write_wrapper(os.path.join(bin_folder, name), verdict.executable)
        return self._finish(prepared.document_of(self._wish, how, verdict, verdict.executable))

    def of_environment(self, how, verdict):
        """For an environment that was built here."""
        final = self._wish.folder
        bin_folder = os.path.join(self.path, "bin")
        for name in os.listdir(bin_folder):
            _rename_in(os.path.join(bin_folder, name), self.path, final)
        interpreter = os.path.join(bin_folder, "python3")
        return self._finish(prepared.document_of(self._wish, how, verdict, interpreter, (self.path, final)))

    def _finish(self, document):
        prepared.write(self.path, document)
        old = self._wish.folder + ".old"
        shutil.rmtree(old, ignore_errors=True)
        if os.path.exists(self._wish.folder):
            os.rename(self._wish.folder, old)
        os.rename(self.path, self._wish.folder)
        shutil.rmtree(old, ignore_errors=True)
        return document


def _write_wrapper(path, executable):
    os.unlink(path)
    with open(path, "w") as file:
        file.write("#!/bin/sh\nexec '{}' \"$@\"\n".format(executable.replace("'", "'\\''")))
    os.chmod(path, 0o755)


def _rename_in(path, before, after):
    """Scripts of an environment name its interpreter by an absolute path."""
    if os.path.islink(path) or not os.path.isfile(path):
        return
    with open(path, "rb") as file:
        content = file.read()
    changed = content.replace(os.fsencode(before), os.fsencode(after))
    if changed != content and b"\0" not in content:
        with open(path, "wb") as file:
            file.write(changed)
