"""Takes attempts from staging to their record: starts, watches, stops and reaps their processes."""

import os
import signal
import time

from . import ending, environment, proc, record
from .conclude import conclude
from .failure import Failure, is_no_space, of_os_error
from .names import native
from .spawn import Tags, adopt_orphans, spawn

_DRAIN_SECONDS = 10
_DRAIN_GRACE_SECONDS = 2
_KILL_AGAIN_SECONDS = 0.1
_RECORD_RETRY_SECONDS = 0.5
_RECORD_TRIES = 8
_CLOCK_BOOTTIME = 7
_WAIT_FLAGS = os.WEXITED | os.WNOWAIT | os.WNOHANG


class Runner:
    """`on_started(attempt)` and `on_finished(attempt, record, text)` tell the owner; both come from within `start`,
    `reap` or a step of the loop."""

    def __init__(self, loop, site, journal, on_started, on_finished):
        self._loop = loop
        self._site = site
        self._journal = journal
        self._on_started = on_started
        self._on_finished = on_finished
        self._environment = environment.Environment(site.folder.run)
        self._programs = {}
        self._null = os.open("/dev/null", os.O_RDONLY)
        self._tags = Tags()
        self._mains = {}  # pid -> attempt
        self._by_tag = {}
        self._orphans = {}  # pid -> attempt, or None for a process that names none
        self._children = proc.OwnChildren()
        adopt_orphans()
        loop.on_signal(signal.SIGCHLD, self.reap)

    @property
    def launcher_id(self):
        return self._tags.launcher_id

    def start(self, attempt):
        try:
            attempt.sandbox = self._site.spares.take(self._site.folder.attempt(attempt.id))
        except OSError as error:
            self._conclude(attempt, of_os_error(error, "stage-in", "cannot make the sandbox"))
            return
        self._launch(attempt)

    def _launch(self, attempt):
        sandbox = attempt.sandbox
        argv = [native(argument) for argument in attempt.spec["argv"]]
        variables = self._environment.of(attempt, False, self._site.has_gpus)
        key = (argv[0], variables["PATH"])
        program = self._programs.get(key)
        try:
            if program is None:
                program = environment.first_executable(argv[0], variables["PATH"], sandbox.path)
                if program is None:
                    raise FileNotFoundError
                if program.startswith("/"):
                    self._programs[key] = program
            attempt.tag = self._tags.take()
            attempt.pid = spawn(
                program, argv, variables, sandbox.path, self._null, sandbox.stdout, sandbox.stderr
            )
        except (OSError, ValueError) as error:
            self._programs.pop(key, None)
            self._conclude(attempt, environment.cannot_start(error, argv[0], program, sandbox.path))
            return
        attempt.started_at = time.time()
        attempt.started = time.monotonic()
        attempt.is_main_alive = True
        self._mains[attempt.pid] = attempt
        self._by_tag[attempt.tag] = attempt
        ticks = int(time.clock_gettime(_CLOCK_BOOTTIME) * proc.TICKS_A_SECOND)
        self._journal.started(attempt.job, attempt.spec, attempt.pid, ticks, attempt.tag)
        self._set_limits(attempt)
        self._on_started(attempt)

    def _set_limits(self, attempt):
        limit = attempt.spec["timeLimitSeconds"]
        if limit is None:
            return
        failure = Failure("time-limit", "still running at its time limit of {:g} s".format(limit))
        attempt.timers.append(self._loop.after(limit, lambda: self.stop(attempt, failure)))
        warn = attempt.spec["warnSeconds"]
        if 0 < warn < limit:
            attempt.timers.append(self._loop.after(limit - warn, lambda: self.signal(attempt, signal.SIGUSR2)))

    def stop(self, attempt, failure):
        """SIGTERM now, SIGKILL after the task's grace; `failure` says why."""
        if attempt.stop is not None or attempt.is_ending:
            return
        attempt.stop = failure
        if attempt.pid is not None:
            self.signal(attempt, signal.SIGTERM)
            attempt.timers.append(self._loop.after(attempt.spec["graceSeconds"], lambda: self._kill(attempt)))

    def signal(self, attempt, number):
        """To every process of the attempt."""
        self._find_orphans()
        roots = ([attempt.pid] if attempt.is_main_alive else []) + list(attempt.orphans)
        for pid in proc.with_descendants(roots):
            if not attempt.is_main_alive:
                attempt.leftovers.add(pid)
            try:
                os.kill(pid, number)
            except (ProcessLookupError, PermissionError):
                pass

    def _kill(self, attempt):
        """Again and again, since a process may fork while its tree is walked."""
        if not attempt.is_ending:
            self.signal(attempt, signal.SIGKILL)
            attempt.timers.append(self._loop.after(_KILL_AGAIN_SECONDS, lambda: self._kill(attempt)))

    def reap(self):
        """Takes in every process that has ended."""
        touched = []
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, _WAIT_FLAGS)
            except ChildProcessError:
                break
            if ended is None:
                break
            pid = ended.si_pid
            io = proc.io_of(pid)
            attempt = self._mains.pop(pid, None)
            if attempt is None:
                attempt = self._orphans.pop(pid) if pid in self._orphans else self._attribute(pid)
            _, status, rusage = os.wait4(pid, 0)
            if attempt is None:
                continue
            attempt.totals.add(rusage, io)
            if pid == attempt.pid:
                attempt.is_main_alive = False
                attempt.status = status
            attempt.orphans.discard(pid)
            if not attempt.is_main_alive:
                touched.append(attempt)
        if touched:
            self._find_orphans()
            for attempt in touched:
                self._settle(attempt)

    def _find_orphans(self):
        for pid in self._children.list():
            if pid not in self._mains and pid not in self._orphans:
                attempt = self._orphans[pid] = self._attribute(pid)
                if attempt is not None:
                    attempt.orphans.add(pid)

    def _attribute(self, pid):
        """Whose process an orphan is: by its tag; else by its session, else by its environment."""
        attempt = self._by_tag.get(proc.file_lock_limit(pid))
        if attempt is None and not self._tags.usable:
            stat = proc.stat_of(pid)
            running = {other.pid: other for other in self._by_tag.values()}
            attempt = running.get(stat.session) if stat is not None else None
        return attempt

    def _settle(self, attempt):
        if attempt.is_ending:
            return
        if not attempt.orphans:
            self._processes_gone(attempt)
        elif attempt.stop is None and attempt.ended is None:
            attempt.ended = time.monotonic()
            attempt.timers.append(self._loop.after(_DRAIN_SECONDS, lambda: self._end_leftovers(attempt)))

    def _end_leftovers(self, attempt):
        if attempt.is_ending or attempt.stop is not None:
            return
        self.signal(attempt, signal.SIGTERM)
        attempt.timers.append(self._loop.after(_DRAIN_GRACE_SECONDS, lambda: self._kill(attempt)))

    def _processes_gone(self, attempt):
        attempt.is_ending = True
        attempt.ended_at = time.time()
        attempt.ended = time.monotonic()
        for timer in attempt.timers:
            self._loop.forget(timer)
        attempt.timers = []
        self._by_tag.pop(attempt.tag, None)
        failure = attempt.stop or ending.failure_of(
            attempt.status, attempt.spec["memoryBytes"], attempt.totals.max_rss_bytes, 0
        )
        self._conclude(attempt, failure)

    def _conclude(self, attempt, failure):
        attempt.is_ending = True
        document = conclude(attempt, failure, self._site)
        self._write(attempt, document, record.encode(document), _RECORD_TRIES)

    def write_unstarted(self, attempt_id, content):
        """The record of an attempt that never came to the runner."""
        record.write(self._site.folder.record(attempt_id), content, self._site.durable)

    def _write(self, attempt, document, content, tries):
        """Law: the record is on disk before anyone hears of it, unless the disk stays full for seconds."""
        try:
            record.write(self._site.folder.record(attempt.id), content, self._site.durable)
        except OSError as error:
            if tries > 1 and is_no_space(error):
                self._loop.after(
                    _RECORD_RETRY_SECONDS, lambda: self._write(attempt, document, content, tries - 1)
                )
                return
        if attempt.pid is not None:
            self._journal.ended(attempt.id)
        self._on_finished(attempt, document, content)
