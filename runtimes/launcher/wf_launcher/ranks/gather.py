"""What the ranks of an attempt come to together, once all of them are gone."""

import json
import os

from .. import record
from ..failure import Failure
from . import launch_file
from .summed import summed_series, summed_usage

_SHOWN = ("rank", "localRank", "host", "pid", "exitCode", "signal", "startedAt", "endedAt", "usage")


def gather(attempt):
    """The records of its ranks, in order; None for one that left no record."""
    size = launch_file.world_size(attempt.spec)
    return [_read(launch_file.rank_record(attempt.sandbox.folder, rank)) for rank in range(size)]


def _read(path):
    content = record.read(path)
    return None if content is None else json.loads(content.decode("utf-8"))


def explain(attempt, failure):
    """The failure of the rank that failed first, since others fail for want of it. `failure`: what its starter said."""
    if attempt.stop is not None:
        return failure
    size = len(attempt.ranks)
    failed = [rank for rank in attempt.ranks if rank is not None and rank["failure"] and not rank["wasStopped"]]
    by_itself = [rank for rank in failed if rank["signal"] != "SIGTERM"]
    silent = [rank for rank, found in enumerate(attempt.ranks) if found is None]
    if by_itself:
        return _of_first(by_itself, size)
    if len(silent) == size and failure is not None:
        return Failure(failure.failure_class, "no rank left a record: {}".format(failure.message))
    if silent:
        message = "rank {} of {} left no record: it was killed, or its node is gone".format(silent[0], size)
        return Failure("lost", message, rank=silent[0])
    if failed:
        return _of_first(failed, size)
    told = next((rank for rank in attempt.ranks if rank["wasStopped"]), None)
    if told is None or (failure is not None and failure.failure_class not in ("exit", "signal")):
        return failure
    message = "rank {} of {} on {} was told to end".format(told["rank"], size, told["host"])
    return Failure("interrupted", message, rank=told["rank"])


def _of_first(failed, size):
    first = min(failed, key=lambda rank: rank["endedAt"])
    why = first["failure"]
    message = "rank {} of {} on {}: {}".format(first["rank"], size, first["host"], why["message"])
    return Failure(why["class"], message, rank=first["rank"])


def complete(document, ranks):
    """Puts the ranks and their sums into the record of the task."""
    document["ranks"] = [_shown(number, rank) for number, rank in enumerate(ranks)]
    found = [rank for rank in ranks if rank is not None]
    document["usage"] = summed_usage([rank["usage"] for rank in document["ranks"]], document["usage"]["wallSeconds"])
    document["series"] = summed_series([rank["series"] for rank in found])
    document["gpus"] = [gpu for rank in found for gpu in rank["gpus"]]
    first = None if document["failure"] is None else document["failure"].get("rank")
    if first is not None:
        document["exitCode"], document["signal"] = (document["ranks"][first][name] for name in ("exitCode", "signal"))
    document["leftoverProcesses"] += sum(rank["leftoverProcesses"] for rank in found)


def _shown(number, rank):
    if rank is None:
        return dict(dict.fromkeys(_SHOWN), rank=number)
    return {name: rank[name] for name in _SHOWN}


def clear(folder, keeps_launch):
    """Removes what only the ranks needed. Their logs stay where they said something."""
    _remove(launch_file.rendezvous(folder))
    for name in _listed(folder + "/ranks"):
        path = "{}/ranks/{}".format(folder, name)
        is_empty = not os.path.isfile(path) or os.path.getsize(path) == 0
        if is_empty or (name.endswith(".json") and not (keeps_launch and name == "launch.json")):
            _remove(path)
    try:
        os.rmdir(folder + "/ranks")
    except OSError:
        pass  # logs are left in it


def _listed(folder):
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _remove(path):
    try:
        os.unlink(path)
    except OSError:
        pass
