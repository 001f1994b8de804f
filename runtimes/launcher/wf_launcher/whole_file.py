"""The one way in which a file of the storage becomes a document.

Law: it is there whole or not at all, and what it replaces stays until then, also when the disk is full.
"""

import os

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
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        written = os.write(fd, content)
        while written < len(content):
            written += os.write(fd, content[written:])
        if durable:
            os.fsync(fd)
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
