"""After the last process of an attempt: judge, collect, publish, clear up, describe."""

import os
import time

from . import checkpoint, ending, input_watch, pictures, plain_record, quick_json, record, repeat_file, reports, undeclared
from .collect import collect
from .failure import Failure, of_os_error
from .log import log
from .objects import Publisher


class Conclusion:
    """`text` is the record. `is_spare`: the sandbox can serve another attempt."""

    __slots__ = ("text", "succeeded", "is_spare")

    def __init__(self, text, succeeded, is_spare):
        self.text = text
        self.succeeded = succeeded
        self.is_spare = is_spare


def conclude(attempt, failure, site):
    """Of an attempt whose processes are gone, or that never had one. `failure` is what is known so far."""
    sandbox = attempt.sandbox
    if sandbox is None:
        return unexamined(attempt, failure)
    keeps = attempt.spec["keepSandbox"]
    if "ranks" in attempt.spec and attempt.pid is not None:
        from .ranks import gather

        attempt.ranks = gather.gather(attempt)
        failure = gather.explain(attempt, failure)
    if failure is None and attempt.staged is None and keeps != "always" and sandbox.is_untouched(attempt.started_at):
        if site.setup is None and plain_record.is_plain(attempt):
            return Conclusion(plain_record.encode(attempt), True, True)
        return Conclusion(record.encode(dict(describe(attempt, None), **_set_up(attempt, site))), True, True)
    facts = _set_up(attempt, site)
    shown, left = [], []
    if attempt.pid is not None:
        reported = reports.read(sandbox)
        shown = pictures.find(reported.pictures, attempt, site.folder, reported.warnings)
        try:
            failure = _changed_inputs(attempt, ending.where_disk_is_full(failure, sandbox.path), site.folder)
            named = pictures.paths(shown, site.folder.real(sandbox.path))
            facts["undeclared"] = undeclared.find(attempt.spec, sandbox.path, named)
            if failure is None and attempt.spec["outputs"]:
                _publish_outputs(attempt, site, facts)
        except Failure as found:
            failure = found
        except OSError as error:
            failure = of_os_error(error, "internal", "the sandbox cannot be looked through", path=sandbox.path)
        if failure is not None:
            failure, left = checkpoint.leave(attempt, failure, site, facts)
        kept = pictures.publish(shown, attempt, site, reported.warnings)
        facts.update(_said(reported, kept, facts.get("warnings", [])))
    # What fills the disk is not kept on it: there would be no room even for the record.
    has_failed = failure is not None and failure.failure_class not in (checkpoint.SLICE_ENDED, "disk-full")
    keep_sandbox = keeps == "always" or (keeps == "failed" and has_failed)
    if keep_sandbox:
        _leave_links([picture.piece for picture in shown] + left, site.folder)
    if attempt.ranks is not None:
        from .ranks import gather

        gather.clear(sandbox.folder, keep_sandbox)
    is_spare = not keep_sandbox and sandbox.reset()
    if not is_spare:
        sandbox.clear(keep_sandbox)
    if keep_sandbox:
        _leave_command(attempt, site)
    document = describe(attempt, failure)
    document.update(facts)
    return Conclusion(record.encode(document), failure is None, is_spare)


def _said(reported, kept, damages):
    """What a task seldom says is left out of the record where it did not."""
    said = {"metrics": reported.steps}
    if kept:
        said["pictures"] = kept
    if reported.summary:
        said["summary"] = reported.summary
    if reported.warnings or damages:
        said["warnings"] = damages + reports.told(reported.warnings)
    return said


def _set_up(attempt, site):
    return {} if site.setup is None else {"setup": site.setup.document(attempt.job)}


def _leave_command(attempt, site):
    """A convenience: on a full disk the record matters, and this does not."""
    try:
        repeat_file.write(attempt, site.setup)
    except OSError as error:
        log("no command.json for {}: {}".format(attempt.id, error))


def unexamined(attempt, failure):
    """Of an attempt without a sandbox, or with one that cannot be looked at."""
    return Conclusion(record.encode(describe(attempt, failure)), False, False)


def revoked(conclusion, failure):
    """While a success was looked at, `failure` came to be known."""
    document = quick_json.loads(conclusion.text.decode("utf-8"))
    document.update(state="failed", failure=failure.document(), outputs={})
    return Conclusion(record.encode(document), False, conclusion.is_spare)


def _changed_inputs(attempt, failure, folder):
    """A changed input explains whatever came of it, but not that somebody stopped the task."""
    if attempt.staged is None:
        return failure
    changed = input_watch.find_changes(attempt.staged.watched, folder)
    if changed is None or attempt.stop is not None:
        return failure
    return changed if failure is None else Failure(
        "input-changed", "{}; {}".format(changed.message, failure.message), changed.name
    )


def _publish_outputs(attempt, site, facts):
    started = time.monotonic()
    folder = site.folder
    staged = {folder.real(item.object) for item in attempt.staged.watched}
    sandbox = attempt.sandbox.path
    collected = collect(attempt.spec["outputs"], sandbox, folder.real(sandbox), staged)
    publisher = Publisher(folder, attempt.sandbox.folder, site.durable)
    try:
        for piece in collected.pieces:
            publisher.put(piece)
    except OSError as error:
        raise of_os_error(error, "internal", "the outputs cannot be published", path=sandbox) from error
    if publisher.replaced:
        facts["warnings"] = [
            "object {} of the store was damaged; what this task made takes its place".format(content_hash)
            for content_hash in publisher.replaced
        ]
    if attempt.spec["keepSandbox"] == "always":
        _leave_links(collected.pieces, folder)
    facts["outputs"] = collected.values
    seconds = round(time.monotonic() - started, 6)
    facts["stagedOut"] = {"files": collected.files, "bytes": collected.bytes, "seconds": seconds}


def _leave_links(pieces, folder):
    """A kept sandbox still shows the outputs and pictures that were moved out of it."""
    for piece in pieces:
        if piece.source is not None and not os.path.lexists(piece.source):
            os.symlink(folder.object(piece.hash), piece.source)


def describe(attempt, failure):
    """The record, without what is found in the sandbox."""
    if attempt.pid is None:
        document = record.unstarted(attempt.job, attempt.spec, failure, time.time())
    else:
        document = _measured(attempt, failure)
    document["gpus"] = attempt.gpus
    if attempt.ranks is not None:
        from .ranks import gather

        gather.complete(document, attempt.ranks)
    if attempt.staged is not None:
        document["stagedIn"] = attempt.staged.document()
    return document


def _measured(attempt, failure):
    series = attempt.series
    usage = attempt.totals.document(
        attempt.ended - attempt.started,
        series.peak_memory_bytes if series else 0,
        series.gpu_percent if series else None,
        series.gpu_peak_bytes if series else None,
    )
    return {
        "version": record.VERSION,
        "run": attempt.job["run"],
        "job": attempt.job["job"],
        "task": attempt.spec["task"],
        "attempt": attempt.id,
        "state": "succeeded" if failure is None else "failed",
        "failure": None if failure is None else failure.document(),
        "exitCode": ending.exit_code(attempt.status),
        "signal": ending.signal_name(attempt.status),
        "host": record.HOST,
        "pid": attempt.pid,
        "bootId": record.BOOT_ID,
        "startedAt": round(attempt.started_at, 6),
        "endedAt": round(attempt.ended_at, 6),
        "usage": usage,
        "stagedIn": record.NOTHING_STAGED,
        "stagedOut": record.NOTHING_STAGED,
        "outputs": {},
        "undeclared": [],
        "leftoverProcesses": len(attempt.leftovers),
        "gpus": attempt.gpus,
        "metrics": [],
        "series": series.points if series else [],
    }
