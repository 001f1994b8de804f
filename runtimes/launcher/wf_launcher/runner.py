"""Takes attempts from staging to their record."""

import time

from . import checkpoint, collect, conclude, ending, environment, stage_in, task_file
from . import plain_signal as signal
from .failure import Failure, of_os_error
from .gpu import of_assigned
from .gpu_probe import GpuProbe
from .log import log
from .names import native
from .oom_kills import OomKills
from .plain_collections import deque
from .processes import Processes
from .series import FIRST_SECONDS, Series

_DRAIN_SECONDS = 10
_DRAIN_GRACE_SECONDS = 2
_KILL_AGAIN_SECONDS = 0.1
_WARN_AGAIN_SECONDS = 0.2
_TOLD_MARGIN_SECONDS = 10  # signals reach the processes of a job one by one
_RANKS_PATIENCE_SECONDS = 5  # a rank that kills its command leaves a record of it
_LONG_SECONDS = 0.5
_LONG_LOG_BYTES = 4 << 20


class Runner:
    """Tells its owner, from within `start`, `conclude_ended` or a step of the loop: `on_started(attempt)`;
    `on_ended(attempt)` when no process is left; `on_recorded(attempt, succeeded, text)`."""

    def __init__(self, loop, site, writer, journal, on_started, on_ended, on_recorded):
        self._loop = loop
        self._site = site
        self._writer = writer
        self._journal = journal
        self._on_started = on_started
        self._on_ended = on_ended
        self._on_recorded = on_recorded
        self._ended = deque()
        self._environment = environment.Environment(site.folder.run, site.setup)
        self._programs = {}  # (name, search path) -> file
        self._processes = Processes()
        self._oom_kills = OomKills()
        self._gpus = None
        self._told = None  # when the job was told to end, and what that makes of its tasks
        loop.on_signal(signal.SIGCHLD, self._reap)

    @property
    def launcher_id(self):
        return self._processes.launcher_id

    def start(self, attempt):
        try:
            attempt.sandbox = self._site.spares.take(self._site.folder.attempt(attempt.id))
        except OSError as error:
            self._end(attempt, of_os_error(error, "stage-in", "the sandbox cannot be made"))
            return
        own = checkpoint.to_stage(attempt.spec)
        inputs = attempt.spec["inputs"] + ([] if own is None else [own])
        if stage_in.is_long(inputs, self._site.folder, self._site.seals):
            self._loop.in_thread(lambda: self._prepare(attempt), lambda _, error: self._prepared(attempt, error))
            return
        try:
            self._prepare(attempt)
        except Exception as error:  # judged below, as one that comes from a thread is
            self._prepared(attempt, error)
        else:
            self._prepared(attempt, None)

    def _prepare(self, attempt):
        spec = attempt.spec
        sandbox = attempt.sandbox
        try:
            if spec["inputs"] or spec["outputs"]:
                collect.prepare(spec["outputs"], sandbox.path)
                own = checkpoint.to_stage(spec)
                attempt.staged = stage_in.stage(
                    spec["inputs"], sandbox.path, self._site.folder, own, self._site.seals
                )
            sandbox.write_task(task_file.encode(attempt) if task_file.is_needed(spec) else b"")
        except OSError as error:
            raise of_os_error(error, "stage-in", "the sandbox cannot be made") from error

    def _prepared(self, attempt, error):
        failure = None if error is None else _failure_of(error)
        if failure is not None or attempt.stop is not None:
            self._end(attempt, failure or attempt.stop)
        else:
            self._launch(attempt)

    def _launch(self, attempt):
        argv = [native(argument) for argument in attempt.spec["argv"]]
        variables = self._environment.of(attempt, task_file.is_needed(attempt.spec), self._site.has_gpus)
        if "ranks" in attempt.spec:
            from .ranks import starter

            try:
                argv, variables, attempt.signals = starter.prepare(attempt, variables, self._site)
            except (Failure, OSError) as error:
                self._end(attempt, _failure_of(error))
                return
        sandbox = attempt.sandbox.path
        search = (argv[0], variables["PATH"])
        attempt.oom_kills_before = self._oom_kills.count()
        program = self._programs.get(search)
        try:
            if program is None:
                program = environment.first_executable(argv[0], variables["PATH"], sandbox)
                if program is None:
                    raise FileNotFoundError
                if program.startswith("/"):
                    self._programs[search] = program
            self._journal.starts(attempt.job, attempt.spec)
            self._processes.start(attempt, program, argv, variables)
        except (OSError, ValueError) as error:
            self._programs.pop(search, None)
            self._end(attempt, environment.cannot_start(error, argv[0], program, sandbox))
            return
        self._journal.started(attempt.id, attempt.pid, self._processes.start_ticks(attempt))
        self._set_timers(attempt)
        self._on_started(attempt)

    def _set_timers(self, attempt):
        self._after(attempt, FIRST_SECONDS, self._sample)
        if self._has_figures(attempt):
            self._probe().ask()
        limit = attempt.spec["timeLimitSeconds"]
        if limit is None:
            return
        failure = Failure("time-limit", "still running at its time limit of {:g} s".format(limit))
        self._after(attempt, limit, lambda attempt: self.stop(attempt, failure))
        warn = attempt.spec["warnSeconds"]
        if 0 < warn < limit:
            self._after(attempt, limit - warn, self.warn)

    def _after(self, attempt, seconds, callback):
        """Unless its processes are gone before."""
        attempt.timers = [timer for timer in attempt.timers if self._loop.is_due(timer)]
        attempt.timers.append(self._loop.after(seconds, lambda: callback(attempt)))

    def _has_figures(self, attempt):
        """The vendors' tools tell GPUs by number."""
        return attempt.gpus and not self._site.has_named_gpus

    def _probe(self):
        if self._gpus is None:
            self._gpus = GpuProbe(self._loop, self._processes.ignore, self._environment.search_path)
        return self._gpus

    def close(self):
        if self._gpus is not None:
            self._gpus.give_up()

    def _sample(self, attempt):
        if attempt.series is None:
            attempt.series = Series()
        elapsed = time.monotonic() - attempt.started
        gpu = (None, None)
        if self._has_figures(attempt):
            gpu = of_assigned(self._probe().figures, attempt.gpus)
            self._probe().ask()
        attempt.series.sample(elapsed, self._processes.tree(attempt), attempt.totals, gpu)
        self._after(attempt, attempt.series.next_delay(elapsed), self._sample)

    def warn(self, attempt):
        """SIGUSR2 to those that listen for it; to others it would be deadly. One that can go on from a checkpoint is told
        as soon as it listens: it may be slow to begin."""
        if attempt.pid is None or attempt.is_ending or attempt.stop is not None:
            return
        attempt.is_warned = True
        is_heard = self._processes.signal(attempt, signal.SIGUSR2, listeners_only=True)
        if not is_heard and "checkpoint" in attempt.spec:
            self._after(attempt, _WARN_AGAIN_SECONDS, self.warn)

    def stop(self, attempt, failure):
        """SIGTERM now, SIGKILL after the task's grace; `failure` says why."""
        if attempt.stop is not None or attempt.is_ending:
            return
        attempt.stop = failure
        if attempt.pid is not None:
            self._processes.signal(attempt, signal.SIGTERM)
            patience = 0 if attempt.signals is None else _RANKS_PATIENCE_SECONDS
            self._after(attempt, attempt.spec["graceSeconds"] + patience, self._kill)

    def interrupt(self, failure):
        """The whole job is to end. What has just ended by itself may have been ended by the same signals."""
        if self._told is None:
            self._told = (time.monotonic(), failure)

    def _is_doubtful(self, attempt):
        return self._told is not None and attempt.ended is not None and (
            attempt.ended > self._told[0] - _TOLD_MARGIN_SECONDS
        )

    def _kill(self, attempt):
        """Again and again, since a process may fork while its tree is walked."""
        self._processes.signal(attempt, signal.SIGKILL)
        self._after(attempt, _KILL_AGAIN_SECONDS, self._kill)

    def _reap(self):
        for attempt in self._processes.reap():
            if attempt.is_ending:
                continue
            if not attempt.orphans:
                self._processes_gone(attempt)
            elif attempt.stop is None and not attempt.is_draining:
                attempt.is_draining = True
                self._after(attempt, _DRAIN_SECONDS, self._end_leftovers)

    def _end_leftovers(self, attempt):
        if attempt.stop is None:
            self._processes.signal(attempt, signal.SIGTERM)
            self._after(attempt, _DRAIN_GRACE_SECONDS, self._kill)

    def _processes_gone(self, attempt):
        attempt.ended = time.monotonic()
        attempt.ended_at = attempt.started_at + attempt.ended - attempt.started
        self._processes.forget(attempt)
        for timer in attempt.timers:
            self._loop.forget(timer)
        attempt.timers = []
        self._end(attempt, attempt.stop or self._verdict(attempt))

    def _end(self, attempt, failure):
        """No process of it is left. Others may start on what it held before its record is made."""
        attempt.is_ending = True
        self._ended.append((attempt, failure))
        self._on_ended(attempt)

    @property
    def has_ended(self):
        return bool(self._ended)

    def conclude_ended(self):
        """Makes the records of the attempts that have ended."""
        while self._ended:
            self._conclude(*self._ended.popleft())

    def _verdict(self, attempt):
        kills = self._oom_kills.count()
        grew = kills is not None and attempt.oom_kills_before is not None and kills > attempt.oom_kills_before
        peak_bytes = max(attempt.totals.max_rss_bytes, attempt.series.peak_memory_bytes if attempt.series else 0)
        is_alone = len(attempt.job.get("tasks", ())) <= 1  # a rank has a job of its own
        return ending.failure_of(attempt.status, attempt.spec["memoryBytes"], peak_bytes, grew, is_alone)

    def _conclude(self, attempt, failure):
        if self._is_long_to_conclude(attempt):
            self._loop.in_thread(
                lambda: conclude.conclude(attempt, failure, self._site),
                lambda conclusion, error: self._concluded(attempt, failure, conclusion, error),
            )
            return
        try:
            conclusion = conclude.conclude(attempt, failure, self._site)
        except Exception as error:  # judged below, as one that comes from a thread is
            self._concluded(attempt, failure, None, error)
        else:
            self._concluded(attempt, failure, conclusion, None)

    @staticmethod
    def _is_long_to_conclude(attempt):
        """A task that ran for long may have left much to clear away."""
        if attempt.sandbox is None:
            return False
        is_long_run = attempt.ended is not None and attempt.ended - attempt.started > _LONG_SECONDS
        if is_long_run or collect.is_long(attempt.spec["outputs"], attempt.sandbox.path):
            return True
        return attempt.pid is not None and attempt.sandbox.has_reports(_LONG_LOG_BYTES)

    def _concluded(self, attempt, failure, conclusion, error):
        if error is not None:
            conclusion = conclude.unexamined(attempt, failure or _failure_of(error))
            attempt.sandbox.clear(keep_sandbox=True)
        elif conclusion.is_spare:
            self._site.spares.give(attempt.sandbox)
        if conclusion.succeeded and self._is_doubtful(attempt):
            conclusion = conclude.revoked(conclusion, self._told[1])
        self._writer.write(attempt.id, conclusion.text, lambda: self._recorded(attempt, conclusion))

    def _recorded(self, attempt, conclusion):
        # Without a record it stays open: who resumes the run hears that it is lost, and does not start it once more.
        if attempt.pid is not None and attempt.id not in self._writer.lost:
            self._journal.ended(attempt.id)
        self._on_recorded(attempt, conclusion.succeeded, conclusion.text)


def _failure_of(error):
    if isinstance(error, Failure):
        return error
    if isinstance(error, OSError):
        return of_os_error(error, "internal", "the launcher failed")
    import traceback

    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    log(trace)
    return Failure("internal", "the launcher failed: {!r}".format(error))
