"""After the last process of an attempt: judge, collect, clear up, describe."""

import time

from . import ending, record


def conclude(attempt, failure, site):
    """The record of an attempt whose processes are gone, or that never had one. `failure` is what is known so far."""
    spec = attempt.spec
    document = record.unstarted(attempt.job, spec, failure, time.time()) if attempt.pid is None else _base(attempt)
    document["gpus"] = attempt.gpus
    document["failure"] = None if failure is None else failure.document()
    document["state"] = "succeeded" if failure is None else "failed"
    keeps = spec["keepSandbox"]
    if attempt.sandbox is not None:
        keep = keeps == "always" or (keeps == "failed" and failure is not None)
        if not keep and site.spares is not None and attempt.sandbox.is_untouched():
            site.spares.give(attempt.sandbox)
        else:
            attempt.sandbox.clear(keep)
    return document


def _base(attempt):
    return {
        "version": 1,
        "run": attempt.job["run"],
        "job": attempt.job["job"],
        "task": attempt.spec["task"],
        "attempt": attempt.id,
        "state": "succeeded",
        "failure": None,
        "exitCode": ending.exit_code(attempt.status),
        "signal": ending.signal_name(attempt.status),
        "host": record.HOST,
        "pid": attempt.pid,
        "bootId": record.BOOT_ID,
        "startedAt": round(attempt.started_at, 6),
        "endedAt": round(attempt.ended_at, 6),
        "usage": attempt.totals.document(attempt.ended - attempt.started, 0, None, None),
        "stagedIn": record.NOTHING_STAGED,
        "stagedOut": record.NOTHING_STAGED,
        "outputs": {},
        "undeclared": [],
        "leftoverProcesses": len(attempt.leftovers),
        "gpus": attempt.gpus,
        "metrics": [],
        "series": [],
    }
