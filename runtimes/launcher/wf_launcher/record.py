"""The record: what was measured and seen of one attempt. Its schema is that of the project's core package."""

import os

from . import proc, quick_json, whole_file
from .sandbox import remove
from .usage import nothing_used

HOST = whole_file.HOST
BOOT_ID = proc.boot_id()
VERSION = 1
NOTHING_STAGED = {"files": 0, "bytes": 0, "seconds": 0}


def unstarted(job, spec, failure, now):
    """The record of an attempt that never had a process."""
    return {
        "version": VERSION,
        "run": job["run"],
        "job": job["job"],
        "task": spec["task"],
        "attempt": spec["attempt"],
        "state": "failed",
        "failure": failure.document(),
        "exitCode": None,
        "signal": None,
        "host": HOST,
        "pid": None,
        "bootId": BOOT_ID,
        "startedAt": round(now, 6),
        "endedAt": round(now, 6),
        "usage": nothing_used(),
        "stagedIn": NOTHING_STAGED,
        "stagedOut": NOTHING_STAGED,
        "outputs": {},
        "undeclared": [],
        "leftoverProcesses": 0,
        "gpus": [],
        "metrics": [],
        "series": [],
    }


def encode(record):
    return quick_json.encode(record).encode("ascii")


def write(path, content, durable):
    """Law: a record is there whole or not at all. `durable`: also after a power cut, and for other machines."""
    if durable:
        publish_once(path, content)
        return
    whole_file.write(path, content)


def publish_once(path, content):
    """Law: of all who write the record of one attempt, on whatever machine, the first one counts. A job that was given
    up may yet come to its end on a node that nobody can reach."""
    folder, _, name = path.rpartition("/")
    temporary = "{}/.{}.{}.{}".format(folder, name, HOST, os.getpid())
    whole_file.write_draft(temporary, content, True)
    try:
        os.link(temporary, path)
    except FileExistsError:
        if read(path) is None:  # what a power cut left of one, or no record at all
            if os.path.isdir(path):
                remove(path)
            os.rename(temporary, path)
            whole_file.sync(folder)
            return
    except OSError:  # a file system without links
        if not os.path.exists(path):
            os.rename(temporary, path)
            whole_file.sync(folder)
            return
    os.unlink(temporary)
    whole_file.sync(folder)


def has_succeeded(text):
    return quick_json.loads(text.decode("utf-8"))["state"] == "succeeded"


def read(path):
    """The text of a record, or None where there is none that is whole."""
    try:
        content = whole_file.read(path)
        quick_json.loads(content.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return content
