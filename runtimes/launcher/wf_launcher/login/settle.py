"""`settle STORAGE RUN`: writes the records of attempts that will never write their own.

Law: a record is written for an element only when its job has not started and now never will, or when the engine knows
from the scheduler that it is dead. A record that is there already stays: it is the truth.
"""

import time

from .. import checkpoint, record
from ..failure import Failure
from ..folders import RunFolder
from .submission import SUBMISSIONS, Submission


def settle(storage, run, document):
    """For `elements`: {"token", "index", "isDead", "job", "tasks", "failure", "host", "startedAt", "endedAt"}; what is
    not known of the last three is null. Says which of them had not started, by position."""
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
    failure = Failure(element["failure"]["class"], element["failure"]["message"])
    now = time.time()
    entry = record.unstarted({"run": folder.run, "job": element["job"]}, spec, failure, now)
    entry["host"] = element["host"] or entry["host"]
    entry["endedAt"] = element["endedAt"] or now
    entry["startedAt"] = min(element["startedAt"] or entry["endedAt"], entry["endedAt"])
    entry["usage"]["wallSeconds"] = entry["endedAt"] - entry["startedAt"]
    entry["bootId"] = None
    entry.update(checkpoint.rescue(folder, spec["attempt"], durable=True))
    record.publish_once(folder.record(spec["attempt"]), record.encode(entry))
