"""`look STORAGE RUN`: what the storage knows of attempts that an earlier engine handed over."""

import os

from ..folders import RunFolder
from .submission import of_run


def look(storage, run, document):
    """{"attempts": {ATTEMPT: {"isRecorded", "token", "index"}}, "submissions": {TOKEN: {"id", "elements"}}}.

    `token` and `index` say where an attempt waits or runs; they are missing where it was never handed over. Of
    submissions only those are named that an attempt is in.
    """
    folder = RunFolder(storage, run)
    wanted = set(document["attempts"])
    found = {attempt: {"isRecorded": os.path.exists(folder.record(attempt))} for attempt in wanted}
    submissions = {}
    for token, submission in of_run(folder):
        table = submission.table()
        for index, element in enumerate(table):
            for attempt in wanted.intersection(task["attempt"] for task in element["tasks"]):
                found[attempt].update(token=token, index=index)
                submissions[token] = {"id": submission.id, "elements": table}
    return {"attempts": found, "submissions": submissions}
