"""One process at a time prepares a runtime. Others wait, and tell what it tells."""

import fcntl
import os
import time

from .progress import LINE_START

_PAUSE_SECONDS = 0.2


def acquire(path, log_path, progress):
    """The descriptor that holds the lock. The commands that build inherit it: as long as one of them lives, nobody
    else begins, although whoever started it was killed."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    follower = None
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return fd
        except BlockingIOError:
            if follower is None:
                progress.tell("another process prepares this runtime: waiting for it")
                follower = _Follower(log_path)
            for line in follower.new_lines():
                progress.pass_on(line)
            time.sleep(_PAUSE_SECONDS)


class _Follower:
    def __init__(self, path):
        self._path = path
        self._at = 0

    def new_lines(self):
        try:
            with open(self._path, "rb") as file:
                if os.fstat(file.fileno()).st_size < self._at:
                    self._at = 0
                file.seek(self._at)
                complete, newline, _ = file.read().rpartition(b"\n")
        except OSError:
            return []
        self._at += len(complete) + len(newline)
        lines = complete.decode("utf-8", "replace").split("\n")
        return [line for line in lines if line.startswith(LINE_START)]
