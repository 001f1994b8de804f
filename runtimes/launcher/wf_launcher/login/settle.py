"""`settle STORAGE RUN`: writes the records of attempts that will never write their own.

Law: a record is written for an element only when its job has not started and now never will, or when the engine knows
from the scheduler that it is dead. A record that is there already stays: it is the truth.

Law: a task that never started has failed nothing, where another one of its job did start. Where none did, the failure of
the job is that of all its tasks: otherwise it would be tried for ever. Who cancels a job means all of its tasks.
"""

import os
import time

from .. import checkpoint, record
from ..failure import Failure
from ..folders import RunFolder
from .submission import SUBMISSIONS, Submission

NOT_REACHED = "not-reached"


def settle(storage, run, document):
    """For `elements`: {"token", "index", "isDead", "job", "tasks", "attempts", "failure", "host", "startedAt", "endedAt",
    "peakMemoryBytes"}; what the scheduler does not say of the last four is null, and `attempts` are all those of its job,
    also those that have records. Says which of them had not started, by position."""
    folder = RunFolder(storage, run)
    folder.make()
    unstarted = []
    for position, element in enumerate(document["elements"]):
        is_ours = True
        if element["token"] is not None:
            submission = Submission("{}/{}/{}".format(folder.root, SUBMISSIONS, element["token"]))
            is_ours = submission.claim(element["index"])
        if is_ours:
            unstarted.append(position)
        if is_ours or element["isDead"]:
            for spec in element["tasks"]:
                settle_one(folder, element, spec)
    return {"unstarted": unstarted}


def settle_one(folder, element, spec):
    """The record of one attempt, unless it has one."""
    failure = _failure_of(folder, element, spec["attempt"])
    now = time.time()
    entry = record.unstarted({"run": folder.run, "job": element["job"]}, spec, failure, now)
    entry["host"] = element["host"] or entry["host"]
    entry["endedAt"] = element["endedAt"] or now
    started_at = None if failure.failure_class == NOT_REACHED else element["startedAt"]
    entry["startedAt"] = min(started_at or entry["endedAt"], entry["endedAt"])
    entry["usage"]["wallSeconds"] = entry["endedAt"] - entry["startedAt"]
    entry["usage"]["peakMemoryBytes"] = element.get("peakMemoryBytes")
    entry["bootId"] = None
    entry.update(checkpoint.rescue(folder, spec["attempt"], durable=True))
    record.publish_once(folder.record(spec["attempt"]), record.encode(entry))


def _failure_of(folder, element, attempt):
    failure_class, message = element["failure"]["class"], element["failure"]["message"]
    started = [other for other in element["attempts"] if os.path.exists(folder.start_marker(other))]
    if failure_class == "cancelled" or not started or attempt in started:
        return Failure(failure_class, message)
    return Failure(NOT_REACHED, "its job ended before its turn came: {}".format(message))
