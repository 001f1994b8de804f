"""A pack: objects in one file, as HTCondor is slow with many files, and with some thousands of them fails.

It is a tar file of members that have their hash as name. Its own name is that of the set, so it is made once a run,
however many jobs it is sent with.
"""

import os
import tarfile

from ..objects import EXECUTABLE_MODE, PLAIN_MODE, hash_bytes

ENDING = ".pack"


def write(folder, content_hashes):
    """The path of the pack of these objects, which is made unless it is there."""
    packs = folder.root + "/packs"
    path = "{}/{}{}".format(packs, hash_bytes("\n".join(sorted(content_hashes)).encode("ascii")), ENDING)
    if not os.path.exists(path):
        os.makedirs(packs, exist_ok=True)
        draft = "{}.draft-{}".format(path, os.getpid())
        with tarfile.open(draft, "w") as tar:
            for content_hash in content_hashes:
                add_object(tar, content_hash, folder.object(content_hash))
        os.rename(draft, path)
    return path


def add_object(tar, name, path):
    with open(path, "rb") as file:
        found = os.fstat(file.fileno())
        info = tarfile.TarInfo(name)
        info.size = found.st_size
        info.mode = EXECUTABLE_MODE if found.st_mode & 0o100 else PLAIN_MODE
        tar.addfile(info, file)
