"""The one way in which a file of the storage becomes a document, and in which one is read.

Law: it is there whole or not at all, and what it replaces stays until then, also when the disk is full. Tasks can write
where documents lie, so no link is followed, and what is no file is not waited for.
"""

import errno
import os
import stat

_MOST_BYTES = 256 << 20
HOST = os.environ.get("SLURMD_NODENAME") or os.uname().nodename  # several nodes of SLURM may share one machine's name


def write(path, content, durable=False, draft=None):
    """`durable`: also after a power cut, and for other machines. `draft`: where it is written first, if not beside."""
    if draft is None:
        folder, _, name = path.rpartition("/")
        draft = "{}/.{}.{}.{}".format(folder, name, HOST, os.getpid())
    try:
        write_draft(draft, content, durable)
        os.rename(draft, path)
    except OSError:
        _unlink(draft)
        raise
    if durable:
        sync(os.path.dirname(path))


def write_draft(path, content, durable):
    """For who gives it its name in a way of their own."""
    fd = _open_new(path)
    try:
        written = os.write(fd, content)
        while written < len(content):
            written += os.write(fd, content[written:])
        if durable:
            os.fsync(fd)
    finally:
        os.close(fd)


def _open_new(path):
    """What has the name was left by a process that was killed, or put there to be written through: it goes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o644)
    except FileExistsError:
        os.unlink(path)
        return os.open(path, flags, 0o644)


def read(path):
    """Its bytes. Raises OSError, also for what is no file, and for what is larger than any document."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        if found.st_size > _MOST_BYTES:
            raise OSError(errno.EFBIG, "larger than {} bytes".format(_MOST_BYTES), path)
        with open(fd, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(fd)


def sync(path):
    """A file, or the names in a folder."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _unlink(path):
    try:
        os.unlink(path)
    except OSError:
        pass
