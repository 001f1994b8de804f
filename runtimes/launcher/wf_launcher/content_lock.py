"""The lock of a store's content, as `content-lock.ts` holds it: while somebody does, nothing is removed.

The bytes are those that SQLite locks in a file that somebody reads: they are a part of its file format.
"""

import fcntl
import os

_FILE = "content.lock"
_SHARED_FIRST = 0x40000002
_SHARED_BYTES = 510


class ContentLock:
    def __init__(self, storage):
        self._path = storage + "/" + _FILE
        self._fd = None

    def hold(self):
        """Waits for who removes. Where files cannot be locked, the engine alone keeps others from removing."""
        if self._fd is not None:
            return
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.lockf(fd, fcntl.LOCK_SH, _SHARED_BYTES, _SHARED_FIRST)
        except OSError:
            pass
        self._fd = fd

    def release(self):
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
