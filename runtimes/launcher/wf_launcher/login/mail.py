"""What an engine does with the mailbox of its pilots. All of it may be repeated without harm."""

import os

from .. import record
from ..folders import RunFolder
from ..mailbox import Mailbox, paths_in, read
from .settle import settle_one


def post(storage, run, document):
    """For `jobs`: those that nobody has, and that are not done, wait for a pilot from now on. Says which pilots have
    left: those that have not will see them."""
    _, mailbox = _open(storage, run)
    with mailbox.lock():
        known = mailbox.attempts()
        for place, job in enumerate(document["jobs"]):
            if mailbox.unrecorded(job) and not known.intersection(spec["attempt"] for spec in job["tasks"]):
                mailbox.post(job, place)
        mailbox.open_again()
    return {"left": mailbox.pilots_that_left()}


def close(storage, run, _):
    """Pilots that have nothing to do leave, until something is posted again."""
    _, mailbox = _open(storage, run)
    with mailbox.lock():
        mailbox.close()
    return {}


def cancel(storage, run, document):
    """For `attempts`: what no pilot has yet has failed with `failure`; the other tasks of its job stay. The others are ended by who runs them, unless only what waits is meant (`isOnlyWaiting`)."""
    folder, mailbox = _open(storage, run)
    wanted = set(document["attempts"])
    for path in paths_in(mailbox.waiting) + mailbox.taken():
        job = read(path)
        if job is None or not wanted.intersection(spec["attempt"] for spec in mailbox.unrecorded(job)):
            continue
        taken = mailbox.take_back(path)
        if taken is not None:
            _record(folder, job, [spec for spec in mailbox.unrecorded(job) if spec["attempt"] in wanted], document)
            mailbox.put_back(taken)
    for attempt in () if document.get("isOnlyWaiting") else wanted:
        if record.read(folder.record(attempt)) is None:
            mailbox.ask_for_end(attempt)
    return {}


def settle(storage, run, document):
    """For `pilot`, whose job is over: the records of what it was doing, with its `failure`, `host`, `startedAt` and
    `endedAt`. What was to be cancelled is."""
    folder, mailbox = _open(storage, run)
    mailbox.leave(document["pilot"])
    cancelled = set(mailbox.asked_for_end())
    settled = []
    for path in mailbox.claims(document["pilot"]):
        job = read(path)
        for spec in [] if job is None else mailbox.unrecorded(job):
            end = dict(document, failure=_CANCELLED) if spec["attempt"] in cancelled else document
            _record(folder, job, [spec], end)
            settled.append(spec["attempt"])
        os.unlink(path)
    return {"settled": settled}


_CANCELLED = {"class": "cancelled", "message": "it was cancelled"}


def _record(folder, job, specs, end):
    element = {
        "job": job["job"],
        "attempts": [spec["attempt"] for spec in job["tasks"]],
        "failure": end["failure"],
        "host": end.get("host"),
        "startedAt": end.get("startedAt"),
        "endedAt": end.get("endedAt"),
    }
    for spec in specs:
        settle_one(folder, element, spec)


def _open(storage, run):
    folder = RunFolder(storage, run)
    folder.make()
    mailbox = Mailbox(folder)
    mailbox.make()
    return folder, mailbox
