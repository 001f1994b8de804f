"""A cheap note of which objects are known to be what their name says: their time of modification.

Who has just hashed an object sets its mtime to a number made of its hash and of the boot of the machine. Whoever writes
into the file later changes that, and a look at the file tells, which is made anyway. A power cut may take what was not
on disk, and leave the mtime; so the seal of an earlier boot holds only for what was synced in it (`synced/BOOT`, which
the engine leaves at the end of a run), and an object that was synced by itself has the seal of no boot.
Law: `seals.ts` of the data package judges the same.
"""

import os

from . import proc

DURABLE = 0
_BASE_SECONDS = 0x20000000  # 1987: programs that make zip files refuse times before 1980
_MASK = 0x1FFFFFFE  # even: some file systems count every other second
_SECOND = 10**9


def _boot_number():
    """Never that of no boot. Where the system does not tell, all boots are one."""
    return (int((proc.boot_id() or "2")[:8], 16) & _MASK) or 2


_THIS_BOOT = _boot_number()


class Seals:
    def __init__(self, storage, durable):
        """`durable`: what is sealed has been synced."""
        self._boot = DURABLE if durable else _THIS_BOOT
        self._here = _THIS_BOOT
        self._folder = storage + "/synced"
        self._synced = None

    def set(self, path, content_hash):
        """Of a file that was hashed. Of another user's file it cannot be set, and the next one hashes again."""
        seconds = _BASE_SECONDS + ((int(content_hash[:8], 16) ^ self._boot) & _MASK)
        try:
            os.utime(path, ns=(seconds * _SECOND, seconds * _SECOND))
        except PermissionError:
            pass

    def holds(self, found, content_hash):
        """`found`: what stat says of the object."""
        seconds, rest = divmod(found.st_mtime_ns, _SECOND)
        if rest or not _BASE_SECONDS <= seconds <= _BASE_SECONDS + _MASK:
            return False
        boot = ((seconds - _BASE_SECONDS) ^ int(content_hash[:8], 16)) & _MASK
        return boot in (DURABLE, self._here) or found.st_ctime_ns < self._synced_until(boot)

    def _synced_until(self, boot):
        if self._synced is None:
            self._synced = dict(self._read_all())
        return self._synced.get(boot, 0)

    def _read_all(self):
        try:
            names = os.listdir(self._folder)
        except OSError:
            return
        for name in names:
            try:
                with open(self._folder + "/" + name) as file:
                    yield int(name, 16), int(file.read())
            except (OSError, ValueError):
                continue
