"""`run`: one job, inside a job of a scheduler. The records are the result."""

import os
import time

from . import job_spec, quick_json, record, secrets
from .cancellations import LOOK_SECONDS, Cancellations
from .failure import Failure, how_full, is_no_space
from .log import log
from .workplace import Workplace

EXIT_FAILED = 1
EXIT_USAGE = 2
# Known to who reads the scheduler's accounting.
EXIT_FENCED = 75
EXIT_NO_STORAGE = 76
EXIT_DISK_FULL = 77
EXIT_TOLD_TO_END = 78


def heed_cancellations(place, job):
    """Of single tasks: those that are cancelled already get their record at once, and are not started."""
    cancelled = Cancellations(place.site.folder, [spec["attempt"] for spec in job["tasks"]])
    known = set(cancelled.new())
    for spec in job["tasks"]:
        if spec["attempt"] in known:
            failure = Failure("cancelled", "cancelled before it started")
            document = record.unstarted(job, spec, failure, time.time())
            record.publish_once(place.site.folder.record(spec["attempt"]), record.encode(document))

    def look():
        for attempt in cancelled.new():
            place.cancel(attempt)
        place.loop.after(LOOK_SECONDS, look)

    place.loop.after(LOOK_SECONDS, look)


def run(path, marker=None):
    """`marker`: a folder that is made first. Who makes it may go on, as nobody else then will."""
    try:
        if marker is not None:
            os.mkdir(marker)
    except FileExistsError:
        log("given up before it started")
        return EXIT_FENCED
    except OSError as error:
        log("cannot make {}: {}{}".format(marker, error, how_full(error) if is_no_space(error) else ""))
        return EXIT_DISK_FULL if is_no_space(error) else EXIT_NO_STORAGE
    try:
        with open(path, "rb") as file:
            job = quick_json.loads(file.read().decode("utf-8"))
        job_spec.check(job, None)
        secrets.give(job, secrets.take(os.environ, _beside_jobs(path)))
        place = Workplace(job["storage"], job["run"])
    except (OSError, ValueError) as error:
        log("cannot run {}: {}".format(path, error))
        return EXIT_DISK_FULL if is_no_space(error) else EXIT_USAGE
    return work_on(job, place)


def work_on(job, place):
    """The exit code."""
    if place.site.has_srun:
        job["gpus"] //= job_spec.nodes_of(job)
    place.open(job)
    if len(job["tasks"]) > 1:
        heed_cancellations(place, job)
    place.take(job)
    while not place.scheduler.is_idle:
        place.step()
    is_well = place.close()
    if place.was_told_to_end:
        return EXIT_TOLD_TO_END
    if is_well:
        return 0
    return EXIT_DISK_FULL if place.is_disk_full else EXIT_FAILED


def _beside_jobs(path):
    """The secrets of a submission, for jobs/N.json of its folder."""
    return os.path.dirname(os.path.dirname(os.path.abspath(path))) + "/secrets"
