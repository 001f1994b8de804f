"""How full a disk is, in words for people."""

import os

_UNITS = ("B", "kB", "MB", "GB", "TB", "PB")
_FEW_BLOCKS_FREE = 16


def in_words(path):
    """`/scratch/me: 0 B of 6.29 MB are free`, of the disk on which `path` lies, or would lie."""
    while not os.path.isdir(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    try:
        disk = os.statvfs(path)
    except OSError:
        return path
    blocks = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
    if disk.f_files > 0 and disk.f_favail == 0 and blocks > _FEW_BLOCKS_FREE:
        return "{}: none of {} files may be made any more".format(path, disk.f_files)
    return "{}: {} of {} are free".format(path, _size(blocks * disk.f_frsize), _size(disk.f_blocks * disk.f_frsize))


def _size(amount):
    unit = 0
    while amount >= 999.5 and unit < len(_UNITS) - 1:
        amount /= 1000
        unit += 1
    return "{:.{}f} {}".format(amount, 0 if unit == 0 or amount >= 99.95 else 1 if amount >= 9.995 else 2, _UNITS[unit])
