"""What came with a job: objects beside it, and packs of them, put into a store of its own. What is not what its name
says is left out, so that no task begins with it."""

import os
import tarfile

from ..log import log
from ..objects import Publisher, hash_file
from . import pack
from .content import is_hash


def take_in(scratch, folder, came):
    """Notes the hashes of all that came."""
    publisher = Publisher(folder, folder.attempts, durable=False)
    for name in sorted(os.listdir(scratch)):
        path = scratch + "/" + name
        if is_hash(name):
            _take(path, name, publisher, came)
        elif name.endswith(pack.ENDING):
            _unpack(path, folder.attempts + "/.arrived", publisher, came)
            os.unlink(path)


def _unpack(path, draft, publisher, came):
    try:
        with tarfile.open(path, "r|") as tar:
            for member in tar:
                if member.isfile() and is_hash(member.name):
                    _copy(tar.extractfile(member), draft, member.mode)
                    _take(draft, member.name, publisher, came)
    except (tarfile.TarError, EOFError) as error:
        log("{} is damaged: {}".format(os.path.basename(path), error))


def _copy(source, path, mode):
    with open(path, "wb") as file:
        while True:
            chunk = source.read(1 << 20)
            if not chunk:
                break
            file.write(chunk)
    os.chmod(path, mode | 0o600)


def _take(path, content_hash, publisher, came):
    found, size = hash_file(path)
    if found != content_hash:
        log("{} is damaged: its content is that of {}".format(content_hash, found))
        os.unlink(path)
        return
    publisher.put_file(path, content_hash, size, bool(os.stat(path).st_mode & 0o100))
    came.add(content_hash)
