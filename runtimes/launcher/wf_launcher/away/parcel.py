"""What returns from a machine that does not see the storage: one folder, which always exists.

  returned.tar   objects/HASH, then attempts/ATTEMPT/…, then records/ATTEMPT.json; it has its name when it is whole
  objects/HASH   large objects, beside it

Within a tar file names may be whatever a task chose, links within the attempt stay links, and modes stay.
"""

import os
import tarfile
from io import BytesIO

from .. import quick_json, record
from ..failure import of_os_error
from ..log import log
from ..names import MOST_DEEP, is_hash, native
from ..objects import hash_file
from ..sandbox import remove_tree
from . import pack
from .sending import SMALL_BYTES
from .unpacking import led_to

TAR = "returned.tar"
# Files of the launcher in a kept sandbox that name places.
_NAMES_PLACES = ("task.json", "command.json")


class Parcel:
    def __init__(self, path, folder, attempts, moved):
        """`moved`: pairs of paths, here and where they will be, the longest first."""
        self._path = path
        self._folder = folder
        self._attempts = attempts
        self._moved = moved
        self._known = ()

    def close(self, known):
        """Packs what the job left; objects that are `known` at the site stay here."""
        self._known = known
        try:
            self._write()
        except OSError as error:
            log("what was made cannot be packed: {}".format(error))
            self._write_failures(error)

    def _write(self):
        draft = "{}/.{}".format(self._path, TAR)
        with _open(draft) as tar:
            self._add_objects(tar)
            for attempt in self._attempts:
                if os.path.isdir(self._folder.attempt(attempt)):
                    self._add_tree(tar, self._folder.attempt(attempt), "attempts/" + native(attempt))
            for attempt, content in self._records():
                _add_bytes(tar, "records/{}.json".format(native(attempt)), content)
        os.rename(draft, self._path + "/" + TAR)

    def _add_objects(self, tar):
        for name in made_in(self._folder):
            if name in self._known:
                continue
            path = self._folder.object(name)
            found = os.stat(path)
            if found.st_size < SMALL_BYTES or found.st_mode & 0o100:
                pack.add_object(tar, "objects/" + name, path)
            else:
                os.makedirs(self._path + "/objects", exist_ok=True)
                os.rename(path, "{}/objects/{}".format(self._path, name))

    def _add_tree(self, tar, path, name):
        """Sockets, pipes and what cannot be read stay here."""
        try:
            info = tar.gettarinfo(path, name)
        except OSError:
            info = None
        if info is None:
            return
        if info.islnk():
            info.type = tarfile.REGTYPE
            info.size = os.stat(path).st_size
        if info.issym():
            self._add_own_link(tar, info, path)
        elif info.isdir():
            tar.addfile(info)
            if name.count("/") > MOST_DEEP:
                log("{}… stays behind: its folders lie more than {} deep".format(name[:80], MOST_DEEP))
                return
            for inner in sorted(_names_in(path)):
                self._add_tree(tar, path + "/" + inner, name + "/" + inner)
        elif info.isreg() and info.size >= SMALL_BYTES and self._add_link(tar, info, path):
            pass
        elif info.isreg():
            self._add_file(tar, info, path)

    def _add_own_link(self, tar, info, path):
        """One that leads to what is neither the attempt's nor an object would lead to another file on the submit host."""
        info.linkname = self._later(info.linkname)
        attempt = "/".join(info.name.split("/")[:2])
        home = self._later(self._folder.attempts) + attempt[len("attempts") :]
        target = led_to(os.path.dirname(self._later(path)), info.linkname)
        if target is not None and target.startswith((home + "/", self._later(self._folder.objects) + "/")):
            tar.addfile(info)
        else:
            log("{} stays behind: it leads to {}".format(info.name, info.linkname))

    def _add_link(self, tar, info, path):
        """A copy of an input in a kept sandbox need not travel: it becomes a link to the object."""
        try:
            content_hash, _ = hash_file(path)
        except OSError:
            return False  # as who adds the file will find, too
        if content_hash not in self._known:
            return False
        info.type, info.size = tarfile.SYMTYPE, 0
        info.linkname = self._later(self._folder.object(content_hash))
        tar.addfile(info)
        return True

    def _add_file(self, tar, info, path):
        try:
            file = open(path, "rb")
        except OSError as error:
            log("{} stays behind: {}".format(info.name, error))
            return
        with file:
            if os.path.basename(path) in _NAMES_PLACES and info.name.count("/") == 2:
                content = self._renamed(file.read())
                info.size = len(content)
                tar.addfile(info, BytesIO(content))
            else:
                tar.addfile(info, file)

    def _later(self, path):
        for here, there in self._moved:
            if path == here or path.startswith(here + "/"):
                return there + path[len(here) :]
        return path

    def _renamed(self, content):
        for here, there in self._moved:
            content = content.replace(os.fsencode(here), os.fsencode(there))
        return content

    def _records(self):
        found = ((attempt, record.read(self._folder.record(attempt))) for attempt in self._attempts)
        return [(attempt, content) for attempt, content in found if content is not None]

    def _write_failures(self, error):
        """Records alone, of which none may say that its outputs are there. What was packed so far makes room for them."""
        for name in (".{}".format(TAR), "objects"):
            path = self._path + "/" + name
            remove_tree(path) if os.path.isdir(path) else _unlink(path)
        failure = of_os_error(error, "internal", "what the task left cannot be packed").document()
        draft = "{}/.{}".format(self._path, TAR)
        with _open(draft) as tar:
            for attempt, content in self._records():
                document = quick_json.loads(content.decode("utf-8"))
                if document["state"] == "succeeded":
                    document = dict(document, state="failed", failure=failure, outputs={})
                document.pop("checkpoint", None)
                document.pop("pictures", None)
                _add_bytes(tar, "records/{}.json".format(native(attempt)), record.encode(document))
        os.rename(draft, self._path + "/" + TAR)


def made_in(folder):
    """The objects of a store."""
    for prefix in sorted(_names_in(folder.objects)):
        yield from (name for name in sorted(_names_in(folder.objects + "/" + prefix)) if is_hash(name))


def _open(path):
    return tarfile.open(path, "w", format=tarfile.PAX_FORMAT, encoding="utf-8", errors="surrogateescape")


def _add_bytes(tar, name, content):
    info = tarfile.TarInfo(name)
    info.size = len(content)
    tar.addfile(info, BytesIO(content))


def _names_in(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _unlink(path):
    try:
        os.unlink(path)
    except OSError:
        pass
