"""What came to a machine that does not see the storage, put into a store of its own. What is not what its name says is
left out, so that no task begins with it."""

import os
import tarfile

from ..log import log
from ..names import is_hash
from ..objects import EXECUTABLE_MODE, Publisher, hash_bytes, hash_file
from . import pack

_IN_MEMORY_BYTES = 1 << 20
_CHUNK_BYTES = 1 << 20


class Arrivals:
    def __init__(self, folder, durable=False):
        self._folder = folder
        self._draft = folder.attempts + "/.arrived"
        self._publisher = Publisher(folder, folder.attempts, durable)
        self.hashes = set()

    def take_all(self, scratch):
        """Objects, and packs of them, that lie in a folder."""
        for name in sorted(os.listdir(scratch)):
            path = scratch + "/" + name
            if is_hash(name):
                self.take_file(path, name, bool(os.stat(path).st_mode & 0o100))
            elif name.endswith(pack.ENDING):
                self._unpack(path)
                os.unlink(path)

    def _unpack(self, path):
        try:
            with tarfile.open(path, "r|") as tar:
                for member in tar:
                    if member.isfile() and is_hash(member.name):
                        self.take(tar.extractfile(member), member.name, member.size, bool(member.mode & 0o100))
        except (tarfile.TarError, EOFError) as error:
            log("{} is damaged: {}".format(os.path.basename(path), error))

    def take(self, source, content_hash, size, is_executable):
        """Reads `size` bytes. Raises EOFError where there are fewer."""
        if size <= _IN_MEMORY_BYTES and not is_executable:
            content = source.read(size)
            if len(content) < size:
                raise EOFError("{} ends early".format(content_hash))
            if self._is_right(hash_bytes(content), content_hash):
                self._publisher.put_bytes(content, content_hash)
            return
        with open(self._draft, "wb") as file:
            while size:
                chunk = source.read(min(size, _CHUNK_BYTES))
                if not chunk:
                    raise EOFError("{} ends early".format(content_hash))
                file.write(chunk)
                size -= len(chunk)
        self.take_file(self._draft, content_hash, is_executable)

    def take_file(self, path, content_hash, is_executable):
        """Moves it."""
        found, size = hash_file(path)
        if self._is_right(found, content_hash):
            self._publisher.put_file(path, content_hash, size, is_executable)

    def make_executable(self, content_hash):
        os.chmod(self._folder.object(content_hash), EXECUTABLE_MODE)

    def _is_right(self, found, content_hash):
        if found != content_hash:
            log("{} is damaged: its content is that of {}".format(content_hash, found))
            return False
        self.hashes.add(content_hash)
        return True
