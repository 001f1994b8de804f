"""`look STORAGE RUN`: what the storage knows of attempts that an earlier engine handed over."""

from .. import record
from ..folders import RunFolder
from ..mailbox import Mailbox
from .condor_collect import collect_returned
from .submission import of_run


def look(storage, run, document):
    """{"attempts": {ATTEMPT: {"isRecorded", "token", "index", "isMailed"}}, "submissions": {TOKEN: {"id", "elements"}},
    "pilots": {TOKEN: {"id", "hasLeft"}}}.

    `token` and `index` say where an attempt waits or runs, `isMailed` that a pilot has it or will have it; they are
    missing where it was never handed over. Of submissions only those are named that an attempt is in.
    """
    folder = RunFolder(storage, run)
    wanted = set(document["attempts"])
    found = {attempt: {} for attempt in wanted}
    submissions = {}
    for token, submission in of_run(folder):
        table = submission.table()
        for index, element in enumerate(table):
            for attempt in wanted.intersection(task["attempt"] for task in element["tasks"]):
                found[attempt].update(token=token, index=index)
                submissions[token] = {"id": submission.id, "elements": table}
                collect_returned(folder, token, index)
    for attempt in wanted:
        found[attempt]["isRecorded"] = record.read(folder.record(attempt)) is not None
    mailbox = Mailbox(folder)
    for path in mailbox.taken():
        mailbox.put_back(path)  # who took it was killed
    for attempt in wanted.intersection(mailbox.attempts()):
        found[attempt]["isMailed"] = True
    return {"attempts": found, "submissions": submissions, "pilots": _pilots(folder, mailbox)}


def _pilots(folder, mailbox):
    """{NAME: {"id", "hasLeft"}}. A pilot is a submission that carries no tasks of its own."""
    gone = mailbox.pilots_that_left()
    return {
        token: {"id": submission.id, "hasLeft": token in gone}
        for token, submission in of_run(folder)
        if not any(element["tasks"] for element in submission.table())
    }
