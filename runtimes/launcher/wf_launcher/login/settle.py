"""`settle STORAGE RUN`: writes the records of attempts that will never write their own.

Law: a record is written for an element only when its job has not started and now never will, or when the engine knows
from the scheduler that it is dead. A record that is there already stays: it is the truth.
"""

from .. import record
from ..folders import RunFolder
from .submission import SUBMISSIONS, Submission


def settle(storage, run, document):
    """For `elements`: {"token", "index", "isDead", "records"}. Says which of them had not started, by position."""
    folder = RunFolder(storage, run)
    folder.make()
    unstarted = []
    for position, element in enumerate(document["elements"]):
        is_ours = True
        if element.get("token") is not None:
            submission = Submission("{}/{}/{}".format(folder.root, SUBMISSIONS, element["token"]))
            is_ours = submission.claim(element["index"])
        if is_ours:
            unstarted.append(position)
        if is_ours or element["isDead"]:
            for entry in element["records"]:
                record.publish_once(folder.record(entry["attempt"]), record.encode(entry))
    return {"unstarted": unstarted}
