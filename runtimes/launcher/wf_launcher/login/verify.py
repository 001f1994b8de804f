"""`verify STORAGE`: reads all content and all records of a storage. What is damaged goes into quarantine."""

import os
import re

from .. import record
from ..folders import RunFolder
from ..names import native, text
from ..objects import hash_file, quarantine

_HASH = re.compile(r"[0-9a-f]{64}$")


def verify(storage):
    """{"objects": {"checked", "damaged": [HASH]}, "records": {"checked", "damaged": [RUN/NAME]}}"""
    folder = RunFolder(storage, ".")
    objects = {"checked": 0, "damaged": []}
    for shard in _names(folder.objects):
        for name in _names(folder.objects + "/" + shard):
            if _HASH.match(name):
                _verify_object(folder, name, objects)
    records = {"checked": 0, "damaged": []}
    runs = os.path.abspath(native(storage)) + "/runs"
    for run in _names(runs):
        for name in _names("{}/{}/records".format(runs, run)):
            _verify_record(folder, runs, run, name, records)
    return {"objects": objects, "records": records}


def _verify_object(folder, content_hash, tally):
    try:
        is_sound = hash_file(folder.object(content_hash))[0] == content_hash
    except FileNotFoundError:
        return
    except OSError:  # the disk cannot read it
        is_sound = False
    tally["checked"] += 1
    if not is_sound and quarantine(folder, content_hash):
        tally["damaged"].append(content_hash)


def _verify_record(folder, runs, run, name, tally):
    path = "{}/{}/records/{}".format(runs, run, name)
    tally["checked"] += 1
    if record.read(path) is not None or not os.path.exists(path):
        return
    aside = "{}/records/{}".format(folder.quarantine, run)
    os.makedirs(aside, exist_ok=True)
    os.rename(path, aside + "/" + name)
    tally["damaged"].append("{}/{}".format(text(run), text(name)))


def _names(path):
    """Hidden names are drafts."""
    try:
        return sorted(name for name in os.listdir(path) if not name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return []
