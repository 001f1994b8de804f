"""`cancel STORAGE RUN`: single tasks of jobs whose others go on. See cancellations.py."""

import os

from .. import cancellations
from ..folders import RunFolder
from .settle import settle_one
from .submission import SUBMISSIONS, Submission


def cancel(storage, run, document):
    """For `elements`, as in settle.py; their `tasks` are those to cancel. One whose job runs gets its record there."""
    folder = RunFolder(storage, run)
    folder.make()
    for element in document["elements"]:
        for spec in element["tasks"]:
            cancellations.leave(folder, spec["attempt"])
        if not _has_started(folder, element):
            for spec in element["tasks"]:
                settle_one(folder, element, spec)
    return {}


def _has_started(folder, element):
    if element["token"] is None:
        return False
    submission = Submission("{}/{}/{}".format(folder.root, SUBMISSIONS, element["token"]))
    return os.path.isdir(submission.mark(element["index"]))
