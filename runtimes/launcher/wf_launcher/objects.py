"""The content-addressed store: files under the hash of their content, read-only, each put there by one rename."""

import os

_CHUNK = 1 << 20
_FICLONE = 0x40049409
PLAIN_MODE = 0o444
EXECUTABLE_MODE = 0o555


def hash_bytes(content):
    from hashlib import sha256

    return sha256(content).hexdigest()


def hash_file(path):
    """(hash, size) of what is read."""
    from hashlib import sha256

    digest = sha256()
    size = 0
    with open(path, "rb", buffering=0) as file:
        while True:
            chunk = file.read(_CHUNK)
            if not chunk:
                return digest.hexdigest(), size
            digest.update(chunk)
            size += len(chunk)


def copy_file(source, target, mode):
    """A copy that shares blocks where the file system can. Fails if the target exists."""
    reader = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    try:
        writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            if not _clone(reader, writer):
                while _move_some(reader, writer):
                    pass
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


def _move_some(reader, writer):
    chunk = os.read(reader, _CHUNK)
    view = memoryview(chunk)
    while view:
        view = view[os.write(writer, view) :]
    return bool(chunk)


class Publisher:
    """Puts the checked outputs of one attempt into the store."""

    def __init__(self, folder, scratch, durable):
        self._folder = folder
        self._scratch = scratch  # a folder on the store's file system, for what cannot be renamed from where it is
        self._durable = durable
        self._written = 0

    def put(self, piece):
        if piece.content is not None:
            self.put_bytes(piece.content, piece.hash)
        else:
            self.put_file(piece.source, piece.hash, piece.size, piece.is_executable)

    def put_bytes(self, content, content_hash):
        if not self._is_there(content_hash, len(content), False):
            temporary = self._temporary()
            with open(temporary, "wb") as file:
                file.write(content)
            self._place(temporary, content_hash, PLAIN_MODE)

    def put_file(self, source, content_hash, size, is_executable):
        """Moves the file into the store; one with another name somewhere (a hard link) is copied instead."""
        if self._is_there(content_hash, size, is_executable):
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
        self._written += 1
        return "{}/.publish-{}".format(self._scratch, self._written)

    def _is_there(self, content_hash, size, is_executable):
        """Equal content has one object, so once one of its files is executable, it is."""
        path = self._folder.object(content_hash)
        try:
            found = os.stat(path)
        except FileNotFoundError:
            return False
        if found.st_size != size:
            return False
        if is_executable and not found.st_mode & 0o100:
            os.chmod(path, EXECUTABLE_MODE)
        return True

    def _place(self, source, content_hash, mode):
        os.chmod(source, mode)
        if self._durable:
            _sync(source)
        target = self._folder.object(content_hash)
        try:
            os.rename(source, target)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(source, target)


def _sync(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
