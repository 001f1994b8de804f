"""The processes of all attempts: starts them, knows whose an orphan is, signals whole trees, reaps and measures."""

import os
import time

from . import proc
from .plain_signal import SIGKILL
from .spawn import Tags, adopt_orphans, spawn

_CLOCK_BOOTTIME = 7
_LOOKS = 20
_LOOK_AGAIN_SECONDS = 0.001
_HAS_WAITID = hasattr(os, "waitid")
_WAIT_FLAGS = os.WEXITED | os.WNOWAIT | os.WNOHANG if _HAS_WAITID else 0


class Processes:
    def __init__(self, tags=None):
        self._tags = tags or Tags()
        self._mains = {}  # pid -> attempt
        self._by_tag = {}
        self._orphans = {}  # pid -> attempt, or None for a process of no attempt
        self._children = proc.OwnChildren()
        adopt_orphans()

    @property
    def launcher_id(self):
        return self._tags.launcher_id

    def start(self, attempt, program, argv, variables):
        """Raises OSError or ValueError when the program does not start."""
        sandbox = attempt.sandbox
        attempt.tag = self._tags.take()
        attempt.started_at = time.time()
        attempt.started = time.monotonic()
        attempt.pid = spawn(program, argv, variables, sandbox.path, sandbox.stdout, sandbox.stderr)
        attempt.is_main_alive = True
        self._mains[attempt.pid] = attempt
        self._by_tag[attempt.tag or attempt.pid] = attempt

    @staticmethod
    def start_ticks(attempt):
        """(earliest, latest) that its process can name as its start: cheaper than asking /proc, and as good to tell it
        from a later process with the same pid."""
        if not proc.HAS_PROC:
            return None
        latest = time.clock_gettime(_CLOCK_BOOTTIME)
        earliest = latest - (time.monotonic() - attempt.started)
        return int(earliest * proc.TICKS_A_SECOND) - 1, int(latest * proc.TICKS_A_SECOND) + 1

    def ignore(self, pid):
        """A child of the launcher's own that belongs to no attempt."""
        self._orphans[pid] = None

    def forget(self, attempt):
        self._by_tag.pop(attempt.tag or attempt.pid, None)

    def reap(self):
        """Takes in every process that has ended. Returns the attempts that lost one and whose command is over."""
        touched = []
        while True:
            try:
                pid, status, rusage, io, attempt = self._reap_next()
            except ChildProcessError:
                break
            if not pid:
                break
            self._orphans.pop(pid, None)
            is_main = self._mains.pop(pid, None) is not None
            if attempt is None:
                continue
            attempt.totals.add(rusage, io)
            if is_main:
                attempt.is_main_alive = False
                attempt.status = status
            else:
                attempt.orphans.discard(pid)
            if not attempt.is_main_alive:
                touched.append(attempt)
        if touched:
            self._find_orphans()
        return touched

    def _reap_next(self):
        """(pid, status, rusage, bytes moved, attempt) of a process that has ended; pid is 0 when none has. A zombie is
        first left as it is, so that /proc can be asked about it."""
        if not _HAS_WAITID:
            pid, status, rusage = os.wait4(-1, os.WNOHANG)
            return pid, status, rusage, None, self._mains.get(pid)
        ended = os.waitid(os.P_ALL, 0, _WAIT_FLAGS)
        if ended is None:
            return 0, None, None, None, None
        pid = ended.si_pid
        io = proc.io_of(pid)
        attempt = self._mains.get(pid) or self._owner(pid)
        before = proc.io_of_reaped() if io is None else None
        _, status, rusage = os.wait4(pid, 0)
        if before is not None:
            io = moved_between(before, proc.io_of_reaped())
        return pid, status, rusage, io, attempt

    def _owner(self, pid):
        return self._orphans[pid] if pid in self._orphans else self._attribute(pid)

    def _find_orphans(self):
        """Processes whose parent ended are the launcher's children now; each names its attempt."""
        for pid in self._children.list():
            if pid not in self._mains and pid not in self._orphans:
                attempt = self._orphans[pid] = self._attribute(pid)
                if attempt is not None:
                    attempt.orphans.add(pid)

    def _attribute(self, pid):
        """By its tag; where tags cannot be set, by its session or by its environment."""
        if self._tags.usable:
            return self._by_tag.get(proc.file_lock_limit(pid))
        stat = proc.stat_of(pid)
        attempt = self._by_tag.get(stat.session) if stat is not None else None
        if attempt is not None:
            return attempt
        name = _environment_of(pid).get(b"WF_METRICS")
        for candidate in self._by_tag.values():
            if name == os.fsencode(candidate.sandbox.folder) + b"/metrics.jsonl":
                return candidate
        return None

    def tree(self, attempt):
        """Every live process of the attempt."""
        self._find_orphans()
        roots = [attempt.pid] if attempt.is_main_alive else []
        return proc.with_descendants(roots + sorted(attempt.orphans))

    def signal(self, attempt, number, listeners_only=False):
        """To every process of the attempt. Those that outlived the command are noted. False when there was none to send
        it to."""
        if attempt.signals is not None and attempt.is_main_alive and attempt.signals.send(self, attempt, number):
            return True
        is_sent = False
        for pid in self.tree(attempt):
            if listeners_only and not proc.catches(pid, number):
                continue
            if not attempt.is_main_alive:
                attempt.leftovers.add(pid)
            try:
                os.kill(pid, number) if proc.HAS_PROC else os.killpg(pid, number)
                is_sent = True
            except (ProcessLookupError, PermissionError):
                pass
        return is_sent


def _environment_of(pid):
    """A process that is just about to run a program has none for a moment."""
    for _ in range(_LOOKS):
        variables = proc.environment_of(pid)
        stat = proc.stat_of(pid)
        if variables or stat is None or stat.state in "ZX":
            break
        time.sleep(_LOOK_AGAIN_SECONDS)
    return variables


def moved_between(before, after):
    """A signal that comes while the two figures of a look are read has its handler write a byte of the launcher's own,
    which only the second one holds: the look tells of a byte too few, and never of less than nothing."""
    return tuple(max(0, now - then) for then, now in zip(before, after))
