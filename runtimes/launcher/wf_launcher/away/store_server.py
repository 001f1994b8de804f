"""`store FOLDER`: the store of a site, for the launcher of a job elsewhere that starts this over ssh. One connection
serves many objects: requests on stdin, answers on stdout, in order, not later than after an empty line.

  has HASH                   HASH yes | HASH no
  get HASH                   HASH SIZE x|-, and its bytes | HASH none
  put HASH SIZE x|-, bytes   HASH ok | HASH bad, if it is not what its name says
"""

import os
import shutil
import sys
import tempfile

from ..folders import RunFolder
from ..names import is_hash
from ..objects import stat_intact
from ..seals import Seals
from .arrivals import Arrivals


class _Place(RunFolder):
    """A store without a run: what arrives is written beside the objects first."""

    def __init__(self, storage):
        super().__init__(storage, "none")
        os.makedirs(self.objects, exist_ok=True)
        self.attempts = tempfile.mkdtemp(prefix=".arriving-", dir=self.storage)


def serve_store(storage):
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    place = _Place(storage)
    try:
        arrivals = Arrivals(place, durable=True)
        seals = Seals(place.storage, durable=False)
        for line in iter(requests.readline, b""):
            if line == b"\n":
                answers.flush()
                continue
            verb, content_hash, *rest = line.decode("ascii").split()
            if not is_hash(content_hash):
                raise ValueError("not a content hash: {!r}".format(content_hash))
            if verb == "put":
                arrivals.take(requests, content_hash, int(rest[0]), rest[1] == "x")
                _say(answers, content_hash, "ok" if content_hash in arrivals.hashes else "bad")
            elif verb == "has":
                _say(answers, content_hash, "yes" if _is_sound(place, content_hash, seals) else "no")
            else:
                _send(answers, place.object(content_hash), content_hash)
        answers.flush()
    finally:
        shutil.rmtree(place.attempts, ignore_errors=True)
    return 0


def _is_sound(place, content_hash, seals):
    """What is damaged is asked for, and replaced. It is read only if it has no seal."""
    path = place.object(content_hash)
    try:
        return stat_intact(path, content_hash, os.lstat(path).st_size, seals) is not None
    except FileNotFoundError:
        return False


def _send(answers, path, content_hash):
    try:
        file = open(path, "rb")
    except FileNotFoundError:
        _say(answers, content_hash, "none")
        return
    with file:
        found = os.fstat(file.fileno())
        _say(answers, content_hash, "{} {}".format(found.st_size, "x" if found.st_mode & 0o100 else "-"))
        shutil.copyfileobj(file, answers, 1 << 20)


def _say(answers, content_hash, what):
    answers.write("{} {}\n".format(content_hash, what).encode("ascii"))
