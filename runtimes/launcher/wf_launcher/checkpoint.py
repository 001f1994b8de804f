"""A task that can go on in a further attempt: what it begins with, and what it leaves.

Law: what an attempt leaves is newer than what it began with, or it leaves nothing.
"""

import os

from . import collect, ending, quick_json, reports
from .failure import Failure, of_os_error
from .names import native
from .objects import Publisher
from .sandbox import remove_tree

# EX_TEMPFAIL: a task that was told to end says so where it has not finished.
UNFINISHED_EXIT = 75
SLICE_ENDED = "slice-ended"


def output_of(spec):
    """The output that is its checkpoint, or None."""
    wanted = spec.get("checkpoint")
    if wanted is None:
        return None
    return next((output for output in spec["outputs"] if output["name"] == wanted["output"]), None)


def to_stage(spec):
    """What it begins with, as an item for staging, or None."""
    output = output_of(spec)
    value = None if output is None else spec["checkpoint"].get("from")
    return None if value is None else {"name": output["name"], "path": output["path"], "value": value, "how": "own"}


def leave(attempt, failure, site, facts):
    """Of an attempt that did not succeed. Notes what it left, and says how it failed in the light of that; the second
    value is what was published of it."""
    output = output_of(attempt.spec)
    if output is None or attempt.staged is None:
        return failure, []
    sandbox = attempt.sandbox.path
    try:
        value, pieces = _read(output, sandbox, site.folder.real(sandbox))
        began_with = attempt.spec["checkpoint"].get("from") or {}
        is_newer = value is not None and value["hash"] != began_with.get("hash")
        if is_newer:
            publish(pieces, Publisher(site.folder, attempt.sandbox.folder, site.durable))
            facts["checkpoint"] = value
    except Failure as found:
        return Failure(failure.failure_class, "{}; {}".format(failure.message, found.message), failure.name), []
    return _judged(attempt, failure, output, value, is_newer), pieces if is_newer else []


def _read(output, sandbox, real_sandbox):
    """(value, pieces), or (None, []) where there is none. A folder without a file is none."""
    collected = collect.collect([dict(output, optional=True)], sandbox, real_sandbox, ())
    value = collected.values[output["name"]]
    if value["kind"] == "absent" or value.get("files") == 0:
        return None, []
    return value, collected.pieces


def publish(pieces, publisher):
    try:
        for piece in pieces:
            publisher.put(piece)
    except OSError as error:
        raise of_os_error(error, "internal", "the checkpoint cannot be published") from error


def _judged(attempt, failure, output, value, is_newer):
    said_so = (
        attempt.is_warned and failure.failure_class == "exit" and ending.exit_code(attempt.status) == UNFINISHED_EXIT
    )
    if failure.failure_class != "time-limit" and not said_so:
        return failure
    if is_newer:
        limit = attempt.spec["timeLimitSeconds"]
        time = "its time was up" if limit is None else "its time of {:g} s was up".format(limit)
        return Failure(SLICE_ENDED, "{}, and it left a checkpoint".format(time))
    why = "it wrote no checkpoint" if value is None else "its checkpoint is the one that it began with"
    return Failure(failure.failure_class, "{}, and {}: {}".format(failure.message, why, output["path"]), output["name"])


def rescue(folder, attempt, durable):
    """What the record of an attempt that nobody can ask any more says of its checkpoint, and of what it had reported on
    the way there: nothing, where there is none. Its `task.json` says whether it has one.

    It is copied: on a machine that nobody can reach, a process may still have it open."""
    place = folder.attempt(attempt)
    copied = place + "/rescued"
    try:
        with open(place + "/task.json", "rb") as file:
            wanted = quick_json.loads(file.read().decode("utf-8")).get("checkpoint")
        if wanted is None:
            return {}
        path = native(wanted["path"])
        _copy(place + "/sandbox/" + path, copied + "/" + path)
        value, pieces = _read(dict(wanted, name=wanted["output"]), copied, os.path.realpath(copied))
        if value is None or value["hash"] == wanted["from"]:
            return {}
        publish(pieces, Publisher(folder, place, durable))
        return {"checkpoint": value, "metrics": reports.steps_left_in(place)}
    except (OSError, ValueError, RecursionError, Failure):
        return {}
    finally:
        remove_tree(copied)


def _copy(source, target):
    import shutil

    os.makedirs(os.path.dirname(target))
    if os.path.isdir(source):
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target, follow_symlinks=False)
