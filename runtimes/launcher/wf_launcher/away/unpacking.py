"""The one way out of an archive that came from another machine.

Law: whatever it holds, nothing but new files, folders and links below one new folder comes of it. Nothing is written
through a link, over a file or outside; a name may come once, after its folder; there are no devices and no pipes. And no
more comes of it than it holds: a file with holes, of which some bytes stand for terabytes, is refused.
"""

import os

_CHUNK_BYTES = 1 << 20


class UnpackError(ValueError):
    """An archive that no launcher packs."""


class Unpacking:
    def __init__(self, root, place=None, may_lead_to=lambda path: False):
        """Makes the folder `root`. `place`: where it will lie, from where links are seen. They lead to what is in it,
        or where `may_lead_to(path)`."""
        os.mkdir(root)
        self._root = root
        self._place = place or root
        self._may_lead_to = may_lead_to
        self._folders = {""}
        self._files = set()
        self._names = {""}

    def put(self, tar, member, name):
        """`name`: the native path that the member gets below the root, which itself is the empty name."""
        if name == "" and member.isdir():
            return
        self._claim(name)
        path = self._root + "/" + name
        if member.isdir():
            os.mkdir(path)
            self._folders.add(name)
        elif member.issym():
            self._check_link(name, member.linkname)
            os.symlink(member.linkname, path)
        elif member.islnk():
            self._put_twin(member, name, path)
        elif member.isfile():
            write_new(path, content_of(tar, member), member.mode & 0o777 | 0o600)
            self._files.add(name)
        else:
            raise UnpackError("{!r} is no file".format(name))

    def _claim(self, name):
        if any(step in ("", ".", "..") or "\0" in step for step in name.split("/")):
            raise UnpackError("{!r} leaves its folder".format(name))
        if name in self._names:
            raise UnpackError("{!r} is there twice".format(name))
        if os.path.dirname(name) not in self._folders:
            raise UnpackError("{!r} has no folder".format(name))
        self._names.add(name)

    def _check_link(self, name, target):
        folder = os.path.dirname(self._place + "/" + name)
        path = led_to(folder, target)
        if path is None or not (path.startswith(self._place + "/") or path == self._place or self._may_lead_to(path)):
            raise UnpackError("the link {!r} leads out, to {!r}".format(name, target))

    def _put_twin(self, member, name, path):
        """A further name of a file."""
        first = os.path.normpath(member.linkname)
        if first not in self._files:
            raise UnpackError("{!r} is another name of {!r}, which is no file before it".format(name, member.linkname))
        os.link(self._root + "/" + first, path)
        self._files.add(name)


def content_of(tar, member):
    """A file to read from. No launcher packs one with holes."""
    if member.sparse is not None:
        raise UnpackError("{!r} has holes".format(member.name))
    return tar.extractfile(member)


def led_to(folder, target):
    """Where a link in the folder leads to, seen without a look at the disk. None for one whose way goes up again after
    it went down: what is up there depends on links."""
    steps = target.split("/")
    while steps and steps[0] in (".", "..", ""):
        if steps[0] == ".." and target.startswith("/"):
            return None
        steps.pop(0)
    if target == "" or "\0" in target or ".." in steps:
        return None
    return os.path.normpath(os.path.join(folder, target))


def write_new(path, source, mode):
    """All that there is to read. Fails where something has that name, a link to nothing included."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        while True:
            chunk = source.read(_CHUNK_BYTES)
            if not chunk:
                break
            file.write(chunk)
        os.fchmod(file.fileno(), mode)
