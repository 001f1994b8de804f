"""`verify STORAGE`: reads all content and all records of a storage. What is damaged goes into quarantine."""

import os

from .. import record
from ..folders import RunFolder
from ..names import is_hash, native, printable
from ..objects import quarantine, set_aside


def verify(storage):
    """{"objects": {"checked", "damaged": [HASH]}, "records": {"checked", "damaged": [RUN/NAME]}}"""
    folder = RunFolder(storage, ".")
    objects = {"checked": 0, "damaged": []}
    for shard in _names(folder.objects):
        for name in _names(folder.objects + "/" + shard):
            if is_hash(name):
                _verify_object(folder, name, objects)
    records = {"checked": 0, "damaged": []}
    runs = os.path.abspath(native(storage)) + "/runs"
    for run in _names(runs):
        for name in _names("{}/{}/records".format(runs, run)):
            _verify_record(folder, runs, run, name, records)
    return {"objects": objects, "records": records}


def _verify_object(folder, content_hash, tally):
    if not os.path.lexists(folder.object(content_hash)):
        return
    tally["checked"] += 1
    if quarantine(folder, content_hash):
        tally["damaged"].append(content_hash)


def _verify_record(folder, runs, run, name, tally):
    path = "{}/{}/records/{}".format(runs, run, name)
    tally["checked"] += 1
    if record.read(path) is not None or not os.path.lexists(path):
        return
    set_aside(path, "{}/records/{}/{}".format(folder.quarantine, run, name))
    tally["damaged"].append("{}/{}".format(printable(run), printable(name)))


def _names(path):
    """Hidden names are drafts."""
    try:
        return sorted(name for name in os.listdir(path) if not name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
