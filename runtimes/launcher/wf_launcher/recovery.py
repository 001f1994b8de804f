"""What a dead launcher of the same run left behind: its processes are ended, its attempts are recorded as lost.

Law: an attempt is called lost only when every process of it is proven to be gone.
"""

import os
import signal
import time

from . import checkpoint, journal, proc, record
from .failure import Failure
from .log import log
from .spawn import launcher_of

_LOOK_AGAIN_SECONDS = 0.02
_COMPLAIN_SECONDS = 5
_RANKS = b"/ranks"
_ELSEWHERE = "attempt {} was started {} and may still run there. Resume the run {}, or remove {} if nothing of it is left."


class ElsewhereError(Exception):
    """The journal names a launcher of another machine or container, whose processes cannot be seen from here."""


def recover(folder, pid_namespace=proc.pid_namespace):
    """Returns the attempts that were lost."""
    launchers, left = journal.read(folder.journal)
    left = [attempt for attempt in left if record.read(folder.record(attempt.id)) is None]
    _refuse_unseen(folder, left, pid_namespace())
    died_here = {launcher["launcher"] for launcher in launchers if launcher["bootId"] == record.BOOT_ID}
    if died_here:
        _end_processes(folder, died_here, left)
    for attempt in left:
        _record_lost(folder, attempt)
    return [attempt.id for attempt in left]


def _refuse_unseen(folder, left, namespace):
    for attempt in left:
        if attempt.boot_id != record.BOOT_ID:
            if attempt.host != record.HOST:
                raise ElsewhereError(_ELSEWHERE.format(attempt.id, "on " + attempt.host, "on that machine", folder.journal))
        elif namespace not in (attempt.pid_namespace, proc.MACHINES_OWN, None) and attempt.pid_namespace is not None:
            where = "on {}, outside of this container".format(attempt.host)
            raise ElsewhereError(_ELSEWHERE.format(attempt.id, where, "where it was begun", folder.journal))


def _end_processes(folder, launcher_ids, left):
    """Kills until a look at every process finds none."""
    is_ours = _recogniser(folder, launcher_ids, left)
    complain_at = time.monotonic() + _COMPLAIN_SECONDS
    while True:
        alive = [pid for pid in proc.all_pids() if pid != os.getpid() and is_ours(pid)]
        if not alive:
            return
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if time.monotonic() > complain_at:
            log("waiting for processes to end: {}".format(alive))
            complain_at += _COMPLAIN_SECONDS
        time.sleep(_LOOK_AGAIN_SECONDS)


def _recogniser(folder, launcher_ids, left):
    """A process is the dead launcher's by its tag, by pid and start time, or by the environment of a left attempt.
    The last two are for machines where tags cannot be set."""
    mains = {attempt.pid: attempt.ticks for attempt in left if attempt.ticks and attempt.boot_id == record.BOOT_ID}
    folders = {os.fsencode(folder.attempt(attempt.id)) for attempt in left}

    def is_ours(pid):
        stat = proc.stat_of(pid)
        if stat is None or stat.state in "ZX":
            return False
        tag = proc.file_lock_limit(pid)
        return (
            (tag is not None and launcher_of(tag) in launcher_ids)
            or (pid in mains and mains[pid][0] <= stat.start_ticks <= mains[pid][1])
            or _attempt_folder(proc.environment_of(pid)) in folders
        )

    return is_ours


def _attempt_folder(variables):
    """Where a process reports to; a rank of a distributed task does so one folder below."""
    folder = os.path.dirname(variables.get(b"WF_METRICS", b""))
    return folder[: -len(_RANKS)] if folder.endswith(_RANKS) else folder


def _record_lost(folder, attempt):
    failure = Failure("lost", "the launcher died while it ran; its processes have been ended")
    job = {"run": folder.run, "job": attempt.job}
    document = record.unstarted(job, {"task": attempt.task, "attempt": attempt.id}, failure, time.time())
    document["pid"] = attempt.pid
    document.update(checkpoint.rescue(folder, attempt.id, durable=False))
    record.write(folder.record(attempt.id), record.encode(document), durable=False)
