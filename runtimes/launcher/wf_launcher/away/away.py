"""`away JOB.json OUT`: one job, on a machine that does not see the site's storage.

It runs in the folder that the scheduler gave to the job, with all that was sent there (sending.py) or is fetched from a
store (borrowed.py), has a storage of its own in it, and leaves what returns in OUT (parcel.py), whatever happens.
"""

import os
import signal
import time

from .. import job_spec, quick_json, record, secrets
from ..failure import Failure, of_os_error
from ..folders import RunFolder
from ..log import log
from ..run import EXIT_USAGE, work_on
from ..workplace import Workplace
from .arrivals import Arrivals
from .borrowed import Borrowed
from .parcel import Parcel
from .remote_store import StoreError, open_store
from .runtimes_here import RuntimesHere


def away(path, out):
    os.makedirs(out, exist_ok=True)  # the scheduler holds a job that does not leave it
    try:
        with open(path, "rb") as file:
            job = quick_json.loads(file.read().decode("utf-8"))
        job_spec.check(job, None)
        scratch = os.path.dirname(os.path.abspath(path))
        values = secrets.take(os.environ, scratch + "/secrets")
        secrets.give(job, values)
    except (OSError, ValueError) as error:
        log("cannot run {}: {}".format(path, error))
        return EXIT_USAGE
    return _Away(job, scratch, values).run(os.path.abspath(out))


class _Away:
    def __init__(self, job, scratch, values):
        self._job = job
        self._scratch = scratch
        self._storage = scratch + "/wf-storage"
        self._folder = RunFolder(self._storage, job["run"])
        self._folder.make()
        self._arrivals = Arrivals(self._folder)
        self._runtimes = RuntimesHere(job.get("runtimes", ()), scratch)
        self._borrowed = None
        if "store" in job:
            store = open_store(job["store"], scratch, values)
            self._borrowed = Borrowed(store, self._folder, self._arrivals)

    def run(self, out):
        job = self._job
        try:
            self._prepare()
            return work_on(dict(job, storage=self._storage), Workplace(self._storage, job["run"], durable=False))
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # what is there is packed while there is time
            known = self._arrivals.hashes if self._borrowed is None else self._borrowed.deliver()
            attempts = [spec["attempt"] for spec in job["tasks"]]
            moved = self._runtimes.moved + [(self._storage, job["storage"])]
            Parcel(out, self._folder, attempts, moved).close(known)

    def _prepare(self):
        """A task for which something cannot be had gets its record now, and is not started. One that has its record
        already is done."""
        for attempt, document in self._job.get("records", {}).items():
            record.publish_once(self._folder.record(attempt), record.encode(document))
        for spec in self._job["tasks"]:
            spec["env"] = {name: self._here(value) for name, value in spec["env"].items()}
        try:
            self._arrivals.take_all(self._scratch)
            if self._borrowed is not None:
                self._borrowed.fetch(self._job)
        except StoreError as error:
            self._refuse_all(Failure("stage-in", "the store cannot be used: {}".format(error)))
        except OSError as error:
            self._refuse_all(of_os_error(error, "stage-in", "what was sent cannot be unpacked"))
        for spec in self._job["tasks"]:
            try:
                spec["path"] = self._runtimes.path_of(spec)
            except Failure as failure:
                self._refuse(spec, failure)

    def _here(self, value):
        """A path on the site's storage, such as that of the task's own sandbox, as it is here."""
        there = self._job["storage"] + "/"
        return value.replace(there, self._storage + "/")

    def _refuse_all(self, failure):
        for spec in self._job["tasks"]:
            self._refuse(spec, failure)

    def _refuse(self, spec, failure):
        document = record.unstarted(self._job, spec, failure, time.time())
        record.publish_once(self._folder.record(spec["attempt"]), record.encode(document))
