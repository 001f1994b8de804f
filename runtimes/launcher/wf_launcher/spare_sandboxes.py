"""Sandboxes of attempts that have ended, handed to those that start: a rename or two instead of three new folders and
two files. Making and removing files again and again is also what makes some file systems slow (ext4 without a journal
looks through all recently freed inodes for each new one)."""

import os

from .sandbox import Sandbox, remove_tree

_LIMIT = 64
_PREFIX = ".spare-"


class SpareSandboxes:
    def __init__(self, attempts):
        """`attempts`: the folder in which the folders of attempts lie."""
        self._attempts = attempts
        self._spares = []
        self._tidy = 0  # how many of them, from the first, have given up their attempt's name
        self._own_prefix = _PREFIX + os.urandom(4).hex() + "-"  # jobs of one run may share the folder
        self._given = 0

    def remove_old(self):
        """Those that a dead launcher left, when no other can be alive."""
        for name in os.listdir(self._attempts):
            if name.startswith(_PREFIX):
                remove_tree(self._attempts + "/" + name)

    def give(self, sandbox):
        """One that is as if new. It keeps the name of its attempt until `tidy`, and may be gone by then."""
        if len(self._spares) < _LIMIT:
            self._spares.append(sandbox)
        else:
            sandbox.clear(False)

    def tidy(self):
        """Law: when an attempt is known to have ended, its folder is gone, or holds something."""
        for sandbox in self._spares[self._tidy :]:
            self._given += 1
            try:
                sandbox.move("{}/{}{}".format(self._attempts, self._own_prefix, self._given))
            except OSError:
                self._spares.remove(sandbox)
                sandbox.clear(False)
        self._tidy = len(self._spares)

    def take(self, folder):
        if self._spares:
            sandbox = self._spares.pop()
            self._tidy = min(self._tidy, len(self._spares))
            try:
                sandbox.move(folder)
                return sandbox
            except OSError:
                sandbox.clear(False)
        sandbox = Sandbox(folder)
        sandbox.make()
        return sandbox

    def drop(self):
        while self._spares:
            self._spares.pop().clear(False)
