"""The content-addressed store: files under the hash of their content, read-only, each put there by one rename.

Law: an object is a plain file. A link, a folder or a pipe in its place is as if it were damaged, and is not waited for.
"""

import errno
import os
import stat

from . import whole_file
from .sandbox import remove
from .seals import Seals

_CHUNK = 1 << 20
_FICLONE = 0x40049409
PLAIN_MODE = 0o444
EXECUTABLE_MODE = 0o555


def hash_bytes(content):
    from hashlib import sha256

    return sha256(content).hexdigest()


def hash_file(path):
    """(hash, size) of what is read. Raises OSError, also for what is no file."""
    from hashlib import sha256

    digest = sha256()
    size = 0
    with open(path, "rb", buffering=0, opener=_open_unless_pipe) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        while True:
            chunk = file.read(_CHUNK)
            if not chunk:
                return digest.hexdigest(), size
            digest.update(chunk)
            size += len(chunk)


def _open_unless_pipe(path, flags):
    return os.open(path, flags | os.O_NONBLOCK)


def copy_file(source, target, mode):
    """A copy that shares blocks where the file system can. Fails if the target exists."""
    reader = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            if not _clone(reader, writer):
                _copy_data(reader, writer)
            os.fchmod(writer, mode)
        finally:
            os.close(writer)
    finally:
        os.close(reader)


def _clone(reader, writer):
    try:
        import fcntl

        fcntl.ioctl(writer, _FICLONE, reader)
        return True
    except (ImportError, OSError):
        return False


def _copy_data(reader, writer):
    """A file with holes keeps them, so that the copy takes no more room."""
    found = os.fstat(reader)
    if found.st_blocks * 512 >= found.st_size:
        while _move_some(reader, writer, _CHUNK):
            pass
        return
    hole = 0
    while True:
        try:
            start = os.lseek(reader, hole, os.SEEK_DATA)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            break  # there is none from here on
        hole = os.lseek(reader, start, os.SEEK_HOLE)
        os.lseek(reader, start, os.SEEK_SET)
        os.lseek(writer, start, os.SEEK_SET)
        left = hole - start
        while left > 0:
            left -= _move_some(reader, writer, min(left, _CHUNK)) or left
    os.ftruncate(writer, found.st_size)


def _move_some(reader, writer, most):
    """How many bytes it were."""
    chunk = os.read(reader, most)
    view = memoryview(chunk)
    while view:
        view = view[os.write(writer, view) :]
    return len(chunk)


def stat_intact(path, content_hash, size, seals):
    """The stat of an object that is what its name says, or None. It is read only if it has no seal."""
    found = os.lstat(path)
    if found.st_size != size or not stat.S_ISREG(found.st_mode):
        return None
    if seals.holds(found, content_hash):
        return found
    if not _has_content(path, found, content_hash, size):
        return None
    seals.set(path, content_hash)
    return os.stat(path)


def quarantine(folder, content_hash):
    """An object with a wrong content leaves the store. False where it has left it already, or is sound: whoever
    says that it is damaged may be wrong."""
    path = folder.object(content_hash)
    try:
        found = os.lstat(path)
        if _has_content(path, found, content_hash, found.st_size):
            return False
        set_aside(path, folder.quarantine + "/" + content_hash)
        return True
    except FileNotFoundError:
        return False


def set_aside(path, target):
    """In the place of what was set aside under that name before."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    try:
        os.rename(path, target)
    except OSError:
        if not os.path.isdir(path) and not os.path.isdir(target):
            raise
        remove(target)
        os.rename(path, target)


class Publisher:
    """Puts the checked outputs of one attempt into the store."""

    def __init__(self, folder, scratch, durable):
        self.replaced = []  # hashes of objects that were there and were damaged
        self._seals = Seals(folder.storage, durable)
        self._folder = folder
        self._scratch = scratch  # a folder on the store's file system, for what cannot be renamed from where it is
        self._durable = durable
        self._written = 0
        self._mark = None

    def put(self, piece):
        if piece.content is not None:
            self.put_bytes(piece.content, piece.hash)
        else:
            self.put_file(piece.source, piece.hash, piece.size, piece.is_executable)

    def put_bytes(self, content, content_hash):
        if not self._keeps(content_hash, len(content), False):
            temporary = self._temporary()
            with open(temporary, "xb") as file:
                file.write(content)
            self._place(temporary, content_hash, PLAIN_MODE)

    def put_file(self, source, content_hash, size, is_executable):
        """Moves the file into the store; one with another name somewhere (a hard link) is copied instead."""
        if self._keeps(content_hash, size, is_executable):
            return
        mode = EXECUTABLE_MODE if is_executable else PLAIN_MODE
        store_device = os.stat(self._folder.objects).st_dev
        found = os.stat(source)
        if found.st_nlink > 1 or found.st_dev != store_device:
            temporary = self._temporary()
            copy_file(source, temporary, mode)
            source = temporary
        self._place(source, content_hash, mode)

    def _temporary(self):
        """A name that nobody has taken: the task could write into the same folder."""
        self._written += 1
        if self._mark is None:
            self._mark = os.urandom(8).hex()
        return "{}/.publish-{}-{}".format(self._scratch, self._mark, self._written)

    def _keeps(self, content_hash, size, is_executable):
        """Law: what is there is kept because it is the same, read anew, and not because it is there. Equal content has
        one object, so once one of its files is executable, it is."""
        path = self._folder.object(content_hash)
        try:
            found = os.lstat(path)
            if not _has_content(path, found, content_hash, size):
                self.replaced.append(content_hash)
                if stat.S_ISDIR(found.st_mode):
                    set_aside(path, self._folder.quarantine + "/" + content_hash)
                return False
            if is_executable and not found.st_mode & 0o100:
                os.chmod(path, EXECUTABLE_MODE)
        except FileNotFoundError:
            return False
        except PermissionError:
            return False  # another user's: it is replaced
        self._seals.set(path, content_hash)
        return True

    def _place(self, source, content_hash, mode):
        os.chmod(source, mode)
        if self._durable:
            whole_file.sync(source)
        self._seals.set(source, content_hash)
        target = self._folder.object(content_hash)
        try:
            os.rename(source, target)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(source, target)


def _has_content(path, found, content_hash, size):
    """`found`: what lstat says."""
    if found.st_size != size or not stat.S_ISREG(found.st_mode):
        return False
    try:
        return hash_file(path)[0] == content_hash
    except FileNotFoundError:
        raise
    except OSError:  # the disk cannot read it
        return False
