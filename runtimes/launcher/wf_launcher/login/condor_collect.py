"""`condor-collect STORAGE RUN`: publishes what returned from machines that do not see the storage.

Law: objects first, each if it is what its name says; then what attempts left; records last; each by one rename. So it
may be repeated, and what is seen is whole. A record whose outputs have not all come says so and does not count as success.
What came from there is believed after a look alone: whatever the parcel holds, nothing else on the storage changes.
"""

import os
import stat
import tarfile

from .. import canonical, forms, record
from ..away import parcel
from ..away.content import executables_of, hashes_of, reader, values_of
from ..away.unpacking import Unpacking, content_of, write_new
from ..folders import RunFolder
from ..log import log
from ..names import is_hash, native, text
from ..objects import EXECUTABLE_MODE, Publisher, hash_file, quarantine
from ..sandbox import remove_tree
from .submission import SUBMISSIONS, Submission

_ENDING = ".json"
_RECORD_MOST_BYTES = 256 << 20


def condor_collect(storage, run, document):
    """For `elements`, {"token", "index"}: {"elements": [{"state", "says", "unrecorded"}]} in the same order. `state`:
    "collected"; "absent" where nothing has returned; "damaged" where what did cannot be read, as `says` tells.
    `unrecorded`: attempts that have no record, now."""
    folder = RunFolder(storage, run)
    folder.make()
    return {"elements": [_collect(folder, element["token"], element["index"]) for element in document["elements"]]}


def collect_returned(folder, token, index):
    """The same for one element, where something has returned while nobody listened: it may be the first of its run."""
    if os.path.isdir(_returned(folder, token, index)):
        folder.make()
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
            _set_damaged_aside(folder, submission.job(index))
            submission.claim(index)
            remove_tree(returned)
    unrecorded = [attempt for attempt in attempts if record.read(folder.record(attempt)) is None]
    if not os.path.isdir(returned) and len(unrecorded) == len(attempts):
        state = "absent"
    return {"state": state, "says": says, "unrecorded": unrecorded}


def _set_damaged_aside(folder, job):
    """What a task could not begin with may be damaged here, too: only where it arrived was it read. Whatever is, leaves
    the store, so that it is sent or made again."""
    for spec in job["tasks"]:
        if _failed_to_begin(folder.record(spec["attempt"])):
            for value in values_of({"tasks": [spec]}):
                for content_hash in hashes_of(value, reader(folder)):
                    quarantine(folder, content_hash)


def _failed_to_begin(path):
    content = record.read(path)
    failure = None if content is None else canonical.parse(content).get("failure")
    return failure is not None and failure["class"] == "stage-in"


def _publish(folder, returned, attempts, is_unchecked):
    draft = returned + ".draft-{}".format(os.getpid())
    remove_tree(draft)
    os.makedirs(draft)
    try:
        _Returned(folder, returned, draft, attempts, is_unchecked).publish()
    except (tarfile.TarError, EOFError, ValueError, RecursionError) as error:
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
        self._unpackings = {}
        self._is_unchecked = is_unchecked

    def publish(self):
        tar_path = self._path + "/" + parcel.TAR
        with tarfile.open(tar_path, "r:", encoding="utf-8", errors="surrogateescape") as tar:
            self._put_large_objects()
            for member in tar:
                self._take(tar, member)
        records = {name: self._judged(text(name), content) for name, content in self._records.items()}
        for name in self._unpackings:
            if not os.path.lexists(self._folder.attempts + "/" + name):
                os.rename(self._draft + "/" + name, self._folder.attempts + "/" + name)
        for name, content in records.items():
            record.publish_once(self._folder.record(text(name)), content)

    def _put_large_objects(self):
        large = self._path + "/objects"
        for name in os.listdir(large) if os.path.isdir(large) else ():
            if not is_hash(name):
                raise ValueError("{!r} is no object".format(name))
            self._put(large + "/" + name, name, False)

    def _take(self, tar, member):
        kind, _, rest = member.name.partition("/")
        if kind == "objects" and member.isfile() and is_hash(rest):
            path = self._draft + "/.object"
            write_new(path, content_of(tar, member), 0o600)
            self._put(path, rest, bool(member.mode & 0o100))
        elif kind == "records" and member.isfile() and self._is_new_record(rest, member.size):
            self._records[rest[: -len(_ENDING)]] = content_of(tar, member).read()
        elif kind == "attempts" and rest.partition("/")[0] in self._attempts:
            attempt, _, name = rest.partition("/")
            self._unpacking(attempt).put(tar, member, name)
        else:
            raise ValueError("it holds {!r}".format(member.name))

    def _is_new_record(self, name, size):
        attempt = name[: -len(_ENDING)]
        is_known = name.endswith(_ENDING) and attempt in self._attempts
        return is_known and attempt not in self._records and size <= _RECORD_MOST_BYTES

    def _unpacking(self, attempt):
        if attempt not in self._unpackings:
            place = self._folder.attempt(text(attempt))
            self._unpackings[attempt] = Unpacking(self._draft + "/" + attempt, place, self._is_object)
        return self._unpackings[attempt]

    def _is_object(self, path):
        name = os.path.basename(path)
        return is_hash(name) and path == self._folder.object(name)

    def _put(self, path, content_hash, is_executable):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise ValueError("object {} is no file".format(content_hash))
        found, size = hash_file(path)
        if found != content_hash:
            raise ValueError("object {} has the content of {}".format(content_hash, found))
        self._publisher.put_file(path, content_hash, size, is_executable)
        if os.path.exists(path):
            os.unlink(path)  # it was in the store already

    def _judged(self, attempt, content):
        document = canonical.parse(content)
        forms.check_record(document, attempt)
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
            quarantine(self._folder, content_hash)
            return False
        return True


def _is_unchecked(submission, index):
    return submission.job(index).get("store", {}).get("url", "").startswith("http")


def _make_executable(path):
    try:
        os.chmod(path, EXECUTABLE_MODE)
    except PermissionError as error:
        log("{} is a program, but belongs to the server: {}".format(path, error))
