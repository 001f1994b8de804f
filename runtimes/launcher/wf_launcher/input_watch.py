"""Finds inputs that a task changed. File modes protect nothing from a task that runs as root, and a link leads into the
store itself, so the look of every staged file is noted before and compared after."""

import os
import stat

from .failure import Failure
from .objects import hash_file, quarantine


class Watched:
    """One staged file: where it lies in the sandbox, and the object that it stands for."""

    __slots__ = ("name", "path", "target", "object", "content_hash", "is_link", "_target_look", "_object_look")

    def __init__(self, name, path, target, object_path, object_stat, content_hash, is_link):
        self.name = name
        self.path = path
        self.target = target
        self.object = object_path
        self.content_hash = content_hash
        self.is_link = is_link
        self._object_look = _look(object_stat)
        self._target_look = _look(os.lstat(target))

    def is_target_changed(self):
        try:
            found = os.lstat(self.target)
        except OSError:
            return True
        if _look(found) == self._target_look:
            return False
        if self.is_link:
            return not stat.S_ISLNK(found.st_mode) or os.readlink(self.target) != self.object
        return not stat.S_ISREG(found.st_mode) or not self._has_content(self.target)

    def is_object_changed(self):
        """Of the object as it lies in the store. One that was put there again has the same content: no change."""
        try:
            if _look(os.stat(self.object)) == self._object_look:
                return False
        except FileNotFoundError:
            return True
        return not self._has_content(self.object)

    def _has_content(self, path):
        try:
            return hash_file(path)[0] == self.content_hash
        except OSError:
            return False


def _look(found):
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def find_changes(watched, folder):
    """The failure that names a changed input, or None. An object with a wrong content leaves the store."""
    messages = {}
    for item in watched:
        if item.is_link and item.is_object_changed():
            messages.setdefault(item.name, _quarantine(item, folder))
        elif item.is_target_changed():
            messages.setdefault(item.name, "the task changed its input {} ({})".format(item.name, item.path))
    if not messages:
        return None
    return Failure("input-changed", "; ".join(messages.values()), next(iter(messages)))


def _quarantine(item, folder):
    message = "input {} ({}) was changed in the store itself while the task ran".format(item.name, item.path)
    if not quarantine(folder, item.content_hash):
        return message + ", and is missing there now"
    return message + "; what became of it is kept in quarantine/" + item.content_hash
