"""`condor-collect STORAGE RUN`: publishes what returned from machines that do not see the storage.

Law: objects first, each if it is what its name says; then what attempts left; records last; each by one rename. So it
may be repeated, and what is seen is whole. A record whose outputs have not all come says so and does not count as success.
"""

import os
import tarfile

from .. import quick_json, record
from ..away import parcel
from ..away.content import executables_of, hashes_of, is_hash, reader
from ..folders import RunFolder
from ..log import log
from ..names import is_inside, native
from ..objects import EXECUTABLE_MODE, Publisher, hash_file
from ..sandbox import remove_tree
from .submission import SUBMISSIONS, Submission

_CHUNK_BYTES = 1 << 20


def condor_collect(storage, run, document):
    """For `elements`, {"token", "index"}: {"elements": [{"state", "says", "unrecorded"}]} in the same order. `state`:
    "collected"; "absent" where nothing has returned; "damaged" where what did cannot be read, as `says` tells.
    `unrecorded`: attempts that have no record, now."""
    folder = RunFolder(storage, run)
    folder.make()
    return {"elements": [_collect(folder, element["token"], element["index"]) for element in document["elements"]]}


def collect_returned(folder, token, index):
    """The same for one element, where something has returned while nobody listened."""
    if os.path.isdir(_returned(folder, token, index)):
        _collect(folder, token, index)


def _returned(folder, token, index):
    return "{}/{}/{}/returned/{}".format(folder.root, SUBMISSIONS, token, int(index))


def _collect(folder, token, index):
    submission = Submission("{}/{}/{}".format(folder.root, SUBMISSIONS, token))
    attempts = [task["attempt"] for task in submission.table()[index]["tasks"]]
    returned = _returned(folder, token, index)
    state, says = "collected", None
    if os.path.isdir(returned):
        state, says = _publish(folder, returned, attempts, _is_unchecked(submission, index))
        if state == "collected":
            submission.claim(index)
            remove_tree(returned)
    unrecorded = [attempt for attempt in attempts if not os.path.exists(folder.record(attempt))]
    if not os.path.isdir(returned) and len(unrecorded) == len(attempts):
        state = "absent"
    return {"state": state, "says": says, "unrecorded": unrecorded}


def _publish(folder, returned, attempts, is_unchecked):
    draft = returned + ".draft-{}".format(os.getpid())
    remove_tree(draft)
    os.makedirs(draft)
    try:
        _Returned(folder, returned, draft, attempts, is_unchecked).publish()
    except (tarfile.TarError, EOFError, ValueError) as error:
        return "damaged", "what returned is damaged: {}".format(error)
    except FileNotFoundError as error:
        if error.filename != returned + "/" + parcel.TAR:
            raise
        return "damaged", "the launcher ended before it had packed what returns"
    finally:
        remove_tree(draft)
    return "collected", None


class _Returned:
    def __init__(self, folder, path, draft, attempts, is_unchecked):
        """`is_unchecked`: outputs were delivered to a server that does not look at them."""
        self._folder = folder
        self._path = path
        self._draft = draft
        self._attempts = {native(attempt) for attempt in attempts}
        self._publisher = Publisher(folder, draft, durable=True)
        self._records = {}
        self._is_unchecked = is_unchecked

    def publish(self):
        tar_path = self._path + "/" + parcel.TAR
        with tarfile.open(tar_path, "r:", encoding="utf-8", errors="surrogateescape") as tar:
            self._put_large_objects()
            for member in tar:
                self._take(tar, member)
        for name in self._attempts:
            source = "{}/attempts/{}".format(self._draft, name)
            if os.path.isdir(source) and not os.path.exists(self._folder.attempts + "/" + name):
                os.rename(source, self._folder.attempts + "/" + name)
        for name, content in self._records.items():
            record.publish_once("{}/{}".format(self._folder.records, name), self._judged(content))

    def _put_large_objects(self):
        large = self._path + "/objects"
        for name in os.listdir(large) if os.path.isdir(large) else ():
            if not is_hash(name):
                raise ValueError("{!r} is no object".format(name))
            self._put(large + "/" + name, name, False)

    def _take(self, tar, member):
        kind, _, rest = member.name.partition("/")
        if kind == "objects" and member.isfile() and is_hash(rest):
            path = self._draft + "/object"
            _write(path, tar.extractfile(member))
            self._put(path, rest, bool(member.mode & 0o100))
        elif kind == "records" and member.isfile() and rest[: -len(".json")] in self._attempts:
            self._records[rest] = tar.extractfile(member).read()
        elif kind == "attempts" and is_inside(rest) and rest.split("/")[0] in self._attempts:
            self._lay_out(tar, member)
        else:
            raise ValueError("it holds {!r}".format(member.name))

    def _put(self, path, content_hash, is_executable):
        found, size = hash_file(path)
        if found != content_hash:
            raise ValueError("object {} has the content of {}".format(content_hash, found))
        self._publisher.put_file(path, content_hash, size, is_executable)
        if os.path.exists(path):
            os.unlink(path)  # it was in the store already

    def _lay_out(self, tar, member):
        path = self._draft + "/" + member.name
        self._check_parents(member.name)
        if member.isdir():
            os.makedirs(path, exist_ok=True)
        elif member.issym():
            os.symlink(member.linkname, path)
        elif member.isfile():
            _write(path, tar.extractfile(member))
            os.chmod(path, member.mode & 0o777 | 0o600)
        else:
            raise ValueError("it holds {!r}, which is no file".format(member.name))

    def _check_parents(self, name):
        """Law: nothing is written through a link."""
        parts = name.split("/")
        for end in range(1, len(parts)):
            parent = self._draft + "/" + "/".join(parts[:end])
            if os.path.islink(parent):
                raise ValueError("{!r} lies behind a link".format(name))
            if not os.path.isdir(parent):
                os.mkdir(parent)

    def _judged(self, content):
        document = quick_json.loads(content.decode("utf-8"))
        if document["state"] != "succeeded":
            return content
        read = reader(self._folder)
        for name, value in document["outputs"].items():
            for content_hash in hashes_of(value, read):
                if not self._is_there(content_hash):
                    message = "output {} has not returned: object {} is missing".format(name, content_hash)
                    failure = {"class": "output-missing", "message": message, "name": name}
                    return record.encode(dict(document, state="failed", failure=failure, outputs={}))
            for content_hash in executables_of(value, read) if self._is_unchecked else ():
                _make_executable(self._folder.object(content_hash))
        return content

    def _is_there(self, content_hash):
        """What is not what its name says goes out of the way."""
        path = self._folder.object(content_hash)
        if not os.path.exists(path):
            return False
        if self._is_unchecked and hash_file(path)[0] != content_hash:
            os.makedirs(self._folder.quarantine, exist_ok=True)
            os.rename(path, "{}/{}".format(self._folder.quarantine, content_hash))
            return False
        return True


def _is_unchecked(submission, index):
    return submission.job(index).get("store", {}).get("url", "").startswith("http")


def _make_executable(path):
    try:
        os.chmod(path, EXECUTABLE_MODE)
    except PermissionError as error:
        log("{} is a program, but belongs to the server: {}".format(path, error))


def _write(path, source):
    with open(path, "wb") as file:
        while True:
            chunk = source.read(_CHUNK_BYTES)
            if not chunk:
                return
            file.write(chunk)
