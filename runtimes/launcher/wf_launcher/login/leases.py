"""Who uses a storage, and who sweeps it. Several machines may, over a network file system without locks:

  leases/RUN     an engine works on the run, or was killed while it did: {"store": ID, "where": TEXT for people}
  leases/sweep   somebody removes what no run needs: {"id": ID, "where": TEXT for people}; its mtime is its heartbeat

Law: each leaves its own file first and looks for the other's then, so that at least one of two that come at once sees
the other: an engine waits, a sweep gives up. Both files lie in one folder, since a machine that makes a file in a folder
sees what others made there before, whatever it remembered of it. Times are those of the file server alone.
"""

import json
import os
import threading
import time

from .. import whole_file

FOLDER = "leases"
SWEEP = "sweep"
# `run-marks.ts` knows it, too.
SILENT_SECONDS = 120
_BEAT_SECONDS = 10


class LostLeaseError(Exception):
    """The machine slept for so long that others may have taken the storage as theirs."""


def open_runs(storage):
    """[(RUN, who, mtime)]"""
    folder = storage + "/" + FOLDER
    found = []
    for name in _names(folder):
        if name == SWEEP:
            continue
        try:
            since = os.stat(folder + "/" + name).st_mtime
        except FileNotFoundError:
            continue
        found.append((name, _read(folder + "/" + name), since))
    return found


def forget_run(storage, run):
    _unlink("{}/{}/{}".format(storage, FOLDER, run))


class SweepLease:
    """`with SweepLease(...) as lease`: `lease.holder` says who else has it, or is None."""

    def __init__(self, storage, where):
        self._folder = storage + "/" + FOLDER
        self._path = self._folder + "/" + SWEEP
        self._where = where
        self._id = os.urandom(8).hex()
        self._over = threading.Event()
        self._beaten = None
        self.holder = None

    def __enter__(self):
        os.makedirs(self._folder, exist_ok=True)
        self.holder = self._take()
        if self.holder is None:
            self._beaten = time.monotonic()
            threading.Thread(target=self._beat, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._over.set()
        if self.holder is None and self._is_ours():
            _unlink(self._path)

    def check(self):
        """Before something is removed."""
        if time.monotonic() - self._beaten > SILENT_SECONDS / 2 and not self._is_ours():
            raise LostLeaseError("the sweep was silent for too long, and others have begun to use the storage")

    def _take(self):
        draft = "{}/.{}-{}".format(self._folder, SWEEP, self._id)
        content = json.dumps({"id": self._id, "where": self._where}).encode("utf-8")
        whole_file.write_draft(draft, content, True)
        try:
            while not _link(draft, self._path):
                found = _read(self._path)
                if not self._is_silent(draft):
                    return found.get("where", "somebody")
                self._push_aside(found.get("id"))
        finally:
            _unlink(draft)
        return None

    def _is_silent(self, draft):
        os.utime(draft)
        try:
            return os.stat(draft).st_mtime - os.stat(self._path).st_mtime > SILENT_SECONDS
        except FileNotFoundError:
            return True

    def _push_aside(self, holder_id):
        """Only the one that was seen to be silent: a third may have taken its place meanwhile."""
        aside = "{}/.{}-silent-{}".format(self._folder, SWEEP, self._id)
        try:
            os.rename(self._path, aside)
        except FileNotFoundError:
            return
        if _read(aside).get("id") != holder_id:
            _link(aside, self._path)
        _unlink(aside)

    def _beat(self):
        while not self._over.wait(_BEAT_SECONDS):
            try:
                if self._is_ours():
                    os.utime(self._path)
                    self._beaten = time.monotonic()
            except OSError:
                pass

    def _is_ours(self):
        return _read(self._path).get("id") == self._id


def _link(source, target):
    """False where the target is there."""
    try:
        os.link(source, target)
        return True
    except FileExistsError:
        return False


def _read(path):
    try:
        document = json.loads(whole_file.read(path).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _names(folder):
    """Hidden names are drafts."""
    try:
        return [name for name in os.listdir(folder) if not name.startswith(".")]
    except FileNotFoundError:
        return []


def _unlink(path):
    try:
        os.unlink(path)
    except OSError:
        pass
