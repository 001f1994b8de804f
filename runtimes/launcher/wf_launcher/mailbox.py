"""Jobs for pilots, as files of folders on the storage. No sockets: a pilot may be on any node.

  waiting/NAME.json         nobody has it yet
  claimed/PILOT/NAME.json   the pilot has it; the file goes when all of its tasks have their records
  taken/NAME.json           taken back by who posted it, for as long as it takes to record what of it is cancelled
  cancel/ATTEMPT            whoever runs it is to end it
  left/PILOT                the pilot claims no more
  closed                    no more will be posted for now: pilots that have nothing to do leave

Law: a job is in one of the first three, and goes from one to the next by a rename, so that one claims it or takes it
back, never two.
"""

import fcntl
import json
import os
import time

from . import record, whole_file
from .names import native, text
from .objects import hash_bytes

_SUFFIX = ".json"


class Mailbox:
    def __init__(self, folder):
        self._run = folder
        self.root = folder.mailbox
        self.waiting = self.root + "/waiting"

    def make(self):
        for name in ("waiting", "claimed", "taken", "cancel", "left"):
            os.makedirs(self.root + "/" + name, exist_ok=True)

    def lock(self):
        """For who posts. Held until the file is closed, or its process is gone."""
        file = open(self.root + "/lock", "w")
        fcntl.lockf(file, fcntl.LOCK_EX)
        return file

    def post(self, job, place):
        """Jobs are claimed in the order in which they were posted; `place` is the place among those of one call."""
        mark = hash_bytes(job["tasks"][0]["attempt"].encode("utf-8"))[:16]
        name = "{:013d}-{:06d}-{}{}".format(int(time.time() * 1000), place, mark, _SUFFIX)
        content = json.dumps(job).encode("utf-8")
        whole_file.write(self.waiting + "/" + name, content, durable=True, draft=self.root + "/." + name)

    def attempts(self):
        """Of all jobs that somebody has or will have."""
        return {spec["attempt"] for path in self._files() for spec in (read(path) or {"tasks": ()})["tasks"]}

    def _files(self):
        yield from paths_in(self.waiting)
        yield from self.taken()
        for pilot in _names(self.root + "/claimed"):
            yield from self.claims(pilot)

    def claims(self, pilot):
        return paths_in(self._claims(pilot))

    def _claims(self, pilot):
        return self.root + "/claimed/" + pilot

    def claim(self, name, pilot):
        """The file, which is this pilot's from now on; None where somebody else was faster."""
        os.makedirs(self._claims(pilot), exist_ok=True)
        return _move(self.waiting + "/" + name, self._claims(pilot) + "/" + name)

    def take_back(self, path):
        """None where a pilot was faster. A file that was taken before is given again."""
        return _move(path, self.root + "/taken/" + os.path.basename(path))

    def taken(self):
        return paths_in(self.root + "/taken")

    def put_back(self, path):
        """A job that was taken waits again, unless nothing is left of it to do."""
        job = read(path)
        if job is not None and self.unrecorded(job):
            _move(path, self.waiting + "/" + os.path.basename(path))
        else:
            os.unlink(path)

    def unrecorded(self, job):
        return [spec for spec in job["tasks"] if record.read(self._run.record(spec["attempt"])) is None]

    def ask_for_end(self, attempt):
        with open(self.root + "/cancel/" + native(attempt), "w"):
            pass

    def asked_for_end(self):
        return [text(name) for name in _names(self.root + "/cancel")]

    @property
    def is_closed(self):
        return os.path.exists(self.root + "/closed")

    def close(self):
        with open(self.root + "/closed", "w"):
            pass

    def open_again(self):
        try:
            os.unlink(self.root + "/closed")
        except FileNotFoundError:
            pass

    def leave(self, pilot):
        with open(self.root + "/left/" + pilot, "w"):
            pass

    def come_back(self, pilot):
        os.unlink(self.root + "/left/" + pilot)

    def pilots_that_left(self):
        return _names(self.root + "/left")


def paths_in(folder):
    return [folder + "/" + name for name in sorted(_names(folder)) if name.endswith(_SUFFIX)]


def read(path):
    """The job, or None where its file has just gone elsewhere."""
    content = record.read(path)
    return None if content is None else json.loads(content.decode("utf-8"))


def _names(folder):
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _move(source, target):
    if source == target:
        return target
    try:
        os.rename(source, target)
    except FileNotFoundError:
        return None
    return target
