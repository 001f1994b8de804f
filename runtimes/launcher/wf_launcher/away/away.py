"""`away JOB.json OUT`: one job, on a machine that does not see the site's storage.

It runs in the folder that the scheduler gave to the job, with all that was sent there (sending.py), has a storage of its
own in it, and leaves what returns in OUT (parcel.py), whatever happens.
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
from .arrivals import take_in
from .parcel import Parcel
from .runtimes_here import RuntimesHere


def away(path, out):
    os.makedirs(out, exist_ok=True)  # the scheduler holds a job that does not leave it
    try:
        with open(path, "rb") as file:
            job = quick_json.loads(file.read().decode("utf-8"))
        job_spec.check(job, None)
        scratch = os.path.dirname(os.path.abspath(path))
        secrets.give(job, secrets.take(os.environ, scratch + "/secrets"))
    except (OSError, ValueError) as error:
        log("cannot run {}: {}".format(path, error))
        return EXIT_USAGE
    return _run(job, scratch, os.path.abspath(out))


def _run(job, scratch, out):
    storage = scratch + "/wf-storage"
    folder = RunFolder(storage, job["run"])
    folder.make()
    came = set()
    runtimes = RuntimesHere(job.get("runtimes", ()), scratch)
    try:
        _prepare(job, scratch, folder, runtimes, came)
        here = dict(job, storage=storage)
        return work_on(here, Workplace(storage, job["run"]))
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # what is there is packed while there is time
        attempts = [spec["attempt"] for spec in job["tasks"]]
        moved = runtimes.moved + [(storage, job["storage"])]
        Parcel(out, folder, attempts, moved).close(lambda content_hash: content_hash in came)


def _prepare(job, scratch, folder, runtimes, came):
    """A task for which something cannot be had gets its record now, and is not started."""
    try:
        take_in(scratch, folder, came)
    except OSError as error:
        failure = of_os_error(error, "stage-in", "what was sent cannot be unpacked")
        for spec in job["tasks"]:
            _refuse(job, spec, failure, folder)
        return
    for spec in job["tasks"]:
        try:
            spec["path"] = runtimes.path_of(spec)
        except Failure as failure:
            _refuse(job, spec, failure, folder)


def _refuse(job, spec, failure, folder):
    document = record.unstarted(job, spec, failure, time.time())
    record.publish_once(folder.record(spec["attempt"]), record.encode(document))
