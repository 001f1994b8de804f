"""What HTCondor sends with the jobs of a submission that do not see the storage."""

import json
import os
import re

from .. import record
from ..away import runtimes_sent
from ..away.sending import Sending
from ..folders import RunFolder

_PLAIN = re.compile("[A-Za-z0-9/._@+=-]+$")


def describe(document, draft):
    """(the jobs, which say what of their runtimes is sent, and which of their tasks are done; the lines of queue.txt)."""
    jobs, lines = [], []
    sendings = {}
    more, keys = _of_store(document)
    for index, job in enumerate(document["jobs"]):
        runtimes, sent = runtimes_sent.describe(job)
        folder = RunFolder(job["storage"], job["run"])
        jobs.append(dict(job, runtimes=runtimes, records=_records(job, folder), **more))
        if document["placement"] == "copy":
            sent = sent + keys
        else:
            if folder.root not in sendings:
                sendings[folder.root] = Sending(folder)
            sent = sent + sendings[folder.root].files_of(job)
        own = ["jobs/{}.json".format(index)] + (["secrets"] if document["secrets"] else [])
        lines.append("{} {}".format(index, ",".join(own + [_named(path, draft) for path in sent])))
    return jobs, lines


def _records(job, folder):
    """Those that are there already: their tasks are not run again."""
    texts = ((spec["attempt"], record.read(folder.record(spec["attempt"]))) for spec in job["tasks"])
    return {attempt: json.loads(text.decode("utf-8")) for attempt, text in texts if text is not None}


def _of_store(document):
    """(what jobs are told of the store that they reach, files of the user that are sent so that they do)."""
    if document["placement"] != "copy":
        return {}, []
    store = dict(document["store"])
    keys = [store[name] for name in ("identity", "knownHosts") if store.get(name)]
    store.update((name, os.path.basename(store[name])) for name in ("identity", "knownHosts") if store.get(name))
    return {"store": store}, keys


def _named(path, draft):
    """HTCondor separates names by commas, and a storage may lie in a folder that has one in its name."""
    return path if _PLAIN.match(path) else os.path.relpath(path, draft)
