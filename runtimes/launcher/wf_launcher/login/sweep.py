"""`sweep STORAGE`: removes from a storage what no run needs any more. Several stores may share a storage:

  runs/RUN/store.json   whose run it is: {"store": ID, "where": TEXT for people}
  leases/               who uses the storage, and who sweeps it (leases.py)
  needed/ID             content that a store needs although no run that it has here names it, one hash a line

Law: a store removes its own runs alone, while no engine of another store uses the storage. Content goes when no store is
known to need it, no run that stays names it, and it is old enough that nobody can just have published it.
"""

import json
import os
import time

from .. import whole_file
from ..folders import object_name
from ..names import is_hash, native, printable
from ..sandbox import remove, remove_tree
from .leases import LostLeaseError, SweepLease, forget_run, open_runs
from .storage_marks import files_below, named_in, reached


class OpenRunError(Exception):
    """Another store's engine may rely on content that no run names."""


class Sweep:
    def __init__(self, storage, document, check):
        """`check()` raises if nothing may be removed any more."""
        self._check = check
        self._storage = os.path.abspath(native(storage))
        self._store = document["store"]
        self._own = {native(run) for run in document["runs"]}
        self._live = set(document["live"])
        self._needed = set(document["needed"])
        self._is_dry = document["isDryRun"]
        self._youngest = time.time() - document["youngSeconds"]
        self._open_since = time.time() - document["openSeconds"]

    def sweep(self):
        self._refuse_open()
        gone, busy, staying, others = [], [], [], 0
        for run in _names(self._storage + "/runs"):
            folder = self._storage + "/runs/" + run
            owner = _owner(folder)
            is_mine = owner is not None and owner.get("store") == self._store
            if not is_mine:
                others += 1
            if not is_mine or run in self._own:
                staying.append(folder)
            elif self._live & set(_job_names(folder)):
                busy.append(printable(run))
                staying.append(folder)
            else:
                gone.append(folder)
        reply = {"runs": self._remove_runs(gone), "busy": busy, "others": others}
        reply.update(self._sweep_objects(staying))
        return reply

    def _refuse_open(self):
        for run, owner, since in open_runs(self._storage):
            if owner.get("store") != self._store and since > self._open_since:
                raise OpenRunError("{} of {}".format(printable(run), owner.get("where", "another store")))

    def _remove_runs(self, folders):
        size = sum(_size_of(folder) for folder in folders)
        if not self._is_dry:
            for folder in folders:
                self._check()
                remove_tree(folder)
                forget_run(self._storage, os.path.basename(folder))
        return {"count": len(folders), "bytes": size}

    def _sweep_objects(self, staying):
        objects = self._storage + "/objects"
        roots = set(filter(is_hash, self._needed))
        for folder in staying:
            roots.update(named_in(folder))
        for store in _names(self._storage + "/needed"):
            if store != native(self._store):
                listed = whole_file.read(self._storage + "/needed/" + store).decode("ascii", "replace")
                roots.update(filter(is_hash, listed.split()))
        needed = reached(objects, roots)
        tallies = {name: {"count": 0, "bytes": 0} for name in ("kept", "young", "objects")}
        for shard in _names(objects):
            for name in _names(objects + "/" + shard):
                self._judge(objects + "/" + shard + "/" + name, name in needed, tallies)
        tallies["leftovers"] = self._remove_leftovers()
        if not self._is_dry:
            self._note_needed(objects)
        return tallies

    def _judge(self, path, is_needed, tallies):
        try:
            found = os.lstat(path)
            what = "kept" if is_needed else "young" if self._is_young(found) else "objects"
            if what == "objects" and not self._is_dry:
                self._check()
                what = self._remove(path, found)
        except FileNotFoundError:
            return
        tallies[what]["count"] += 1
        tallies[what]["bytes"] += found.st_size

    def _remove(self, path, found):
        """A job of a run that was killed may publish the same content anew just now: that one stays."""
        aside = "{}/tmp/swept-{}".format(self._storage, os.path.basename(path))
        try:
            os.rename(path, aside)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(aside), exist_ok=True)
            os.rename(path, aside)
        now = os.lstat(aside)
        if (now.st_ino, now.st_mtime_ns) != (found.st_ino, found.st_mtime_ns):
            os.rename(aside, path)
            return "young"
        remove(aside)
        return "objects"

    def _is_young(self, found):
        """A task may give its output any mtime; ctime says when it was published."""
        return max(found.st_mtime, found.st_ctime) > self._youngest

    def _remove_leftovers(self):
        """Files that a killed writer left unfinished."""
        tally = {"count": 0, "bytes": 0}
        for path in files_below(self._storage + "/tmp"):
            try:
                found = os.lstat(path)
                if self._is_young(found):
                    continue
                if not self._is_dry:
                    os.unlink(path)
            except FileNotFoundError:
                continue
            tally["count"] += 1
            tally["bytes"] += found.st_size
        return tally

    def _note_needed(self, objects):
        """Other stores read it when they sweep: the runs that named this content may be gone by now."""
        folder = self._storage + "/needed"
        os.makedirs(folder, exist_ok=True)
        there = sorted(name for name in self._needed if is_hash(name) and os.path.exists(objects + "/" + object_name(name)))
        content = "".join(name + "\n" for name in there).encode("ascii")
        whole_file.write(folder + "/" + self._store, content, durable=True)


def sweep(storage, document):
    """{"runs", "objects", "kept", "young", "leftovers"}: each {"count", "bytes"}; "busy": runs of the store that would go
    but have jobs in the queue; "others": how many runs are not the store's. Or {"open": RUN}, {"sweeping": WHO} and
    nothing was removed, or {"lost": WHY} and no more was removed from then on."""
    try:
        if document["isDryRun"] or not os.path.isdir(native(storage)):
            return Sweep(storage, document, lambda: None).sweep()
        with SweepLease(os.path.abspath(native(storage)), document["where"]) as lease:
            if lease.holder is not None:
                return {"sweeping": lease.holder}
            return Sweep(storage, document, lease.check).sweep()
    except OpenRunError as error:
        return {"open": str(error)}
    except LostLeaseError as error:
        return {"lost": str(error)}


def _owner(folder):
    try:
        owner = json.loads(whole_file.read(folder + "/store.json").decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return owner if isinstance(owner, dict) else None


def _job_names(folder):
    """What the scheduler may call its jobs: SLURM knows them by a name, HTCondor by a token."""
    for token in _names(folder + "/submissions"):
        yield printable(token)
        try:
            yield whole_file.read("{}/submissions/{}/name".format(folder, token)).decode("utf-8")
        except (OSError, ValueError):
            continue


def _size_of(folder):
    """What a sandbox links to is counted with the objects."""
    size = 0
    for path in files_below(folder):
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            continue
        size += found.st_size if found.st_nlink == 1 else 0
    return size


def _names(folder):
    """Hidden names are drafts."""
    try:
        return [name for name in os.listdir(folder) if not name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
