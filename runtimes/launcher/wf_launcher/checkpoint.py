"""A task that can go on in a further attempt: what it begins with, and what it leaves.

Law: what an attempt leaves is newer than what it began with, or it leaves nothing.
"""

import errno
import os
import stat

from . import collect, ending, forms, quick_json, reports, whole_file
from .failure import Failure, of_os_error
from .names import MOST_DEEP, native
from .objects import Publisher, copy_file
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

    It is copied: on a machine that nobody can reach, a process may still have it open. And nothing of it is believed: the
    folder may have returned from a machine where anybody could write into it."""
    place = folder.attempt(attempt)
    copied = place + "/rescued"
    try:
        note = _noted(place)
        if note is None:
            return {}
        remove_tree(copied)  # of a rescue that was killed
        _copy_out(place + "/sandbox", native(note["path"]), copied)
        value, pieces = _read(dict(note, name=note["output"]), copied, os.path.realpath(copied))
        if value is None or value["hash"] == note["from"]:
            return {}
        publish(pieces, Publisher(folder, place, durable))
        return {"checkpoint": value, "metrics": reports.steps_left_in(place)}
    except (OSError, ValueError, RecursionError, Failure):
        return {}
    finally:
        remove_tree(copied)


def _noted(place):
    document = quick_json.loads(whole_file.read(place + "/task.json").decode("utf-8"))
    note = document.get("checkpoint") if isinstance(document, dict) else None
    if note is not None:
        forms.check_checkpoint_note(note)
    return note


def _copy_out(sandbox, path, target):
    """Law: no folder on the way is a link. Raises OSError."""
    os.mkdir(target)
    steps = path.split("/")
    for step in [None] + steps[:-1]:
        if step is not None:
            sandbox, target = sandbox + "/" + step, target + "/" + step
            os.mkdir(target)
        if not stat.S_ISDIR(os.lstat(sandbox).st_mode):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), sandbox)
    _copy(sandbox + "/" + steps[-1], target + "/" + steps[-1], 0)


def _copy(source, target, depth):
    """Links are copied as such: who reads the copy judges where they lead. What is neither file, folder nor link is no
    checkpoint."""
    mode = os.lstat(source).st_mode
    if stat.S_ISLNK(mode):
        os.symlink(os.readlink(source), target)
    elif stat.S_ISDIR(mode) and depth < MOST_DEEP:
        os.mkdir(target)
        for name in os.listdir(source):
            _copy(source + "/" + name, target + "/" + name, depth + 1)
    elif stat.S_ISREG(mode):
        copy_file(source, target, mode & 0o777)
    else:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), source)
