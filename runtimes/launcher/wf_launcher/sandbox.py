"""The folder of an attempt: streams, metrics, and the sandbox that is its working directory."""

import os
import stat
import time

_STREAM_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_SPARE_LIMIT = 64
_COARSE_SECONDS = 3


class Sandbox:
    __slots__ = ("folder", "path", "stdout", "stderr", "_mode", "_made_at", "_made_times")

    def __init__(self, folder):
        self.folder = folder
        self.path = folder + "/sandbox"
        self.stdout = self.stderr = None

    def make(self):
        try:
            os.mkdir(self.folder)
        except FileExistsError:
            # Left by a launcher that died before the attempt was known to have started.
            remove_tree(self.folder)
            os.mkdir(self.folder)
        os.mkdir(self.path)
        os.mkdir(self.path + "/tmp")
        self.stdout = os.open(self.folder + "/stdout", _STREAM_FLAGS, 0o644)
        self.stderr = os.open(self.folder + "/stderr", _STREAM_FLAGS, 0o644)
        self._mode = os.lstat(self.path).st_mode
        self._made_at = time.time()
        self._made_times = self._times()

    def is_untouched(self, since):
        """As `make` left it: nothing printed, nothing written, nothing replaced, no mode changed.

        A folder whose times are those of its making holds what it held then. Clocks of file systems tick coarsely, so
        this counts only for a sandbox that was made a while before its present task started (`since`, Unix seconds)."""
        if not _is_empty_stream(self.stdout) or not _is_empty_stream(self.stderr):
            return False
        if since - self._made_at > _COARSE_SECONDS and self._times() == self._made_times:
            return True
        return (
            os.lstat(self.path).st_mode == self._mode
            and os.lstat(self.path + "/tmp").st_mode == self._mode
            and os.listdir(self.path + "/tmp") == []
            and os.listdir(self.path) == ["tmp"]
            and len(os.listdir(self.folder)) == 3
        )

    def _times(self):
        """Renaming a folder counts as a change of its status, so the outer one is known by its content's time."""
        return (
            os.lstat(self.folder).st_mtime_ns,
            os.lstat(self.path).st_ctime_ns,
            os.lstat(self.path + "/tmp").st_ctime_ns,
        )

    def close_streams(self):
        for fd in (self.stdout, self.stderr):
            if fd is not None:
                os.close(fd)
        self.stdout = self.stderr = None

    def clear(self, keep_sandbox):
        """Removes what holds nothing: empty streams, the sandbox unless it is kept, then the folder itself."""
        self.close_streams()
        for name in ("stdout", "stderr", "metrics.jsonl"):
            path = self.folder + "/" + name
            try:
                if os.lstat(path).st_size == 0:
                    os.unlink(path)
            except OSError:
                pass
        if not keep_sandbox:
            remove_tree(self.path)
        try:
            os.rmdir(self.folder)
        except OSError:
            pass  # something is left in it


def _is_empty_stream(fd):
    found = os.fstat(fd)
    return found.st_size == 0 and found.st_nlink == 1


class SpareSandboxes:
    """Untouched sandboxes of attempts that have just ended, handed to those that start next: one rename instead of
    three new folders and two files. Creating and removing files again and again also slows ext4 down, which
    looks through recently freed inodes for each new one. None is kept when no job waits."""

    def __init__(self):
        self._spares = []

    def give(self, sandbox):
        if len(self._spares) >= _SPARE_LIMIT:
            sandbox.clear(False)
        else:
            self._spares.append(sandbox)

    def take(self, folder):
        if self._spares:
            sandbox = self._spares.pop()
            try:
                os.rename(sandbox.folder, folder)
            except OSError:
                sandbox.clear(False)
            else:
                sandbox.folder = folder
                sandbox.path = folder + "/sandbox"
                return sandbox
        sandbox = Sandbox(folder)
        sandbox.make()
        return sandbox

    def drop(self):
        while self._spares:
            self._spares.pop().clear(False)


def remove_tree(path):
    """Removes a folder and all that is in it, folders that the task made read-only too. What cannot be removed stays."""
    try:
        entries = list(os.scandir(path))
    except PermissionError:
        try:
            os.chmod(path, stat.S_IRWXU)
            entries = list(os.scandir(path))
        except OSError:
            return
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            remove_tree(entry.path)
        else:
            _unlink(entry.path, path)
    try:
        os.rmdir(path)
    except OSError:
        pass


def _unlink(path, folder):
    try:
        os.unlink(path)
    except PermissionError:
        try:
            os.chmod(folder, stat.S_IRWXU)
            os.unlink(path)
        except OSError:
            pass
    except OSError:
        pass
