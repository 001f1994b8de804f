"""The folder of an attempt: streams, metrics, `task.json`, and the sandbox that is its working directory."""

import os
import stat
import time

_STREAM_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_FINE_SECONDS = 0.1
_COARSE_SECONDS = 2.5
# From where on folders are brought up before they are removed: well before Python or the system gives up.
_DEEP = 100
_LONG = 2000


class Sandbox:
    __slots__ = ("folder", "path", "stdout", "stderr", "_task", "_task_bytes", "_mode", "_settled_at", "_made_times")

    def __init__(self, folder):
        self._place(folder)
        self.stdout = self.stderr = self._task = None
        self._task_bytes = 0

    def _place(self, folder):
        self.folder = folder
        self.path = folder + "/sandbox"

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
        self._task = os.open(self.folder + "/task.json", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._mode = os.lstat(self.path).st_mode
        self._note_times()

    def write_task(self, content):
        """Over what an earlier attempt had there: a new file for each would cost more than the rest of its sandbox."""
        written = 0
        while written < len(content):  # on a disk that fills up, less is written at first than was given
            written += os.pwrite(self._task, content[written:], written)
        if len(content) < self._task_bytes:
            os.ftruncate(self._task, len(content))
        self._task_bytes = len(content)

    def move(self, folder):
        os.rename(self.folder, folder)
        self._place(folder)

    def _note_times(self):
        """From `_settled_at` on, whatever is changed gets other times. Some file systems count whole seconds, others
        the ticks of the kernel."""
        self._made_times = self._times()
        is_fine = any(nanoseconds % 10**9 for nanoseconds in self._made_times)
        self._settled_at = time.time() + (_FINE_SECONDS if is_fine else _COARSE_SECONDS)

    def _times(self):
        """Renaming a folder counts as a change of its status, so the outer one is known by its content's time."""
        return (
            os.lstat(self.folder).st_mtime_ns,
            os.lstat(self.path).st_ctime_ns,
            os.lstat(self.path + "/tmp").st_ctime_ns,
        )

    def is_untouched(self, since):
        """Whether the task that started at `since` (Unix seconds) printed nothing, wrote nothing and changed no mode.

        A folder whose times are those of its making holds what it held then, if the making was settled when the task
        started; others are looked through."""
        if not _is_empty_stream(self.stdout) or not _is_empty_stream(self.stderr):
            return False
        try:
            if since > self._settled_at:
                return self._times() == self._made_times
            return self._is_empty()
        except OSError:
            return False

    def _is_empty(self):
        temporary = self.path + "/tmp"
        return (
            os.lstat(self.path).st_mode == self._mode
            and os.lstat(temporary).st_mode == self._mode
            and not os.listdir(temporary)
            and os.listdir(self.path) == ["tmp"]
            and len(os.listdir(self.folder)) == 4
        )

    def has_reports(self, many_bytes):
        """Whether there is much to look through: a file of metrics, or a long log."""
        return os.fstat(self.stdout).st_size > many_bytes or os.path.lexists(self.folder + "/metrics.jsonl")

    def reset(self):
        """Removes what the attempt put into it. False when it cannot serve another one: something was printed or
        reported, or it is not what `make` made."""
        if not _is_empty_stream(self.stdout) or not _is_empty_stream(self.stderr):
            return False
        if os.fstat(self._task).st_nlink != 1:
            return False
        try:
            for folder in (self.path, self.path + "/tmp"):
                if os.lstat(folder).st_mode != self._mode:
                    return False
                for name in os.listdir(folder):
                    if name != "tmp" or folder != self.path:
                        remove(folder + "/" + name)
            self._note_times()
            return self._is_empty()
        except OSError:
            return False

    def clear(self, keep_sandbox):
        """Removes what holds nothing: empty streams, the sandbox unless it is kept, then the folder itself."""
        for fd in (self.stdout, self.stderr, self._task):
            if fd is not None:
                os.close(fd)
        self.stdout = self.stderr = self._task = None
        for name in ("stdout", "stderr", "metrics.jsonl"):
            path = self.folder + "/" + name
            try:
                if os.lstat(path).st_size == 0:
                    os.unlink(path)
            except OSError:
                pass
        if not keep_sandbox:
            remove_tree(self.path)
            _unlink(self.folder + "/task.json")
        try:
            os.rmdir(self.folder)
        except OSError:
            pass  # something is left in it


def _is_empty_stream(fd):
    found = os.fstat(fd)
    return found.st_size == 0 and found.st_nlink == 1


def remove(path):
    """Whatever it is. What cannot be removed stays."""
    if os.path.islink(path) or not os.path.isdir(path):
        _unlink(path)
    else:
        remove_tree(path)


def remove_tree(path):
    """Removes a folder and all that is in it, folders that the task made read-only too. What lies deeper than a path can
    say is brought up first. Law: a link is removed, and what it leads to stays: a task may have put one in the place of
    its sandbox."""
    if os.path.islink(path):
        _unlink(path)
        return
    deep = []
    _remove_below(path, path, 0, deep)
    while deep:
        _remove_below(deep.pop(), path, 0, deep)
    if os.path.isdir(path):
        _remove_folder(path)


def _remove_below(path, top, depth, deep):
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
        if not entry.is_dir(follow_symlinks=False):
            _unlink(entry.path)
        elif depth < _DEEP and len(entry.path) < len(top) + _LONG:
            _remove_below(entry.path, top, depth + 1, deep)
        else:
            _bring_up(entry.path, top, deep)
    _remove_folder(path)


def _bring_up(path, top, deep):
    place = "{}/.up-{}-{}".format(top, os.getpid(), os.lstat(path).st_ino)
    try:
        os.rename(path, place)
    except OSError:
        return
    deep.append(place)


def _remove_folder(path):
    try:
        os.rmdir(path)
    except OSError:
        pass


def _unlink(path):
    try:
        os.unlink(path)
    except PermissionError:
        try:
            os.chmod(os.path.dirname(path), stat.S_IRWXU)
            os.unlink(path)
        except OSError:
            pass
    except OSError:
        pass
