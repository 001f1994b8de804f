"""Jobs of a launcher: admits them as the capacity allows, and hands their tasks to the runner in order."""

import time

from . import record
from .admission import Queue, Resources
from .attempt import Attempt
from .failure import Failure
from .job_progress import JobProgress


class Scheduler:
    """`on_record(attempt id, text)` for every attempt of a submitted job, once its record is on disk."""

    def __init__(self, site, writer, start, on_record):
        self._site = site
        self._writer = writer
        self._start = start
        self._on_record = on_record
        self._capacity = None
        self._free = None
        self._free_gpus = []
        self._queue = Queue()
        self._jobs = {}  # attempt -> JobProgress, of jobs that hold resources
        self._queued = {}  # attempt -> JobProgress, of jobs in the queue
        self._attempts = {}  # attempt -> Attempt, of tasks that were handed to the runner

    def set_capacity(self, capacity, gpu_ids=None):
        """May change while jobs run; what they hold stays held. `gpu_ids`: other than those from 0."""
        new = Resources.of(capacity)
        held = {job for job in self._jobs.values() if job.has_resources}
        self._capacity = capacity
        self._free = new
        for job in held:
            self._free.take(job.shape)
        in_use = {gpu for job in held for gpu in job.gpus}
        self._free_gpus = [gpu for gpu in gpu_ids or range(capacity["gpus"]) if gpu not in in_use]
        self._site.has_gpus = capacity["gpus"] > 0
        whole = Resources.of(capacity)
        for progress in self._queue.jobs():
            if not whole.holds(progress.shape):
                self._queue.discard(progress)
                self._refuse(progress)

    def submit(self, job):
        """What is under way is left alone; what has a record is told again; the rest will run."""
        recorded = {}
        under_way = 0
        for spec in job["tasks"]:
            attempt = spec["attempt"]
            if attempt in self._jobs or attempt in self._queued or attempt in self._writer.pending:
                under_way += 1
                continue
            text = record.read(self._site.folder.record(attempt))
            if text is not None:
                recorded[attempt] = record.has_succeeded(text)
                self._on_record(attempt, text)
        if under_way + len(recorded) == len(job["tasks"]):
            return
        if under_way:
            raise ValueError("job {} shares attempts with another one that is under way".format(job["job"]))
        progress = JobProgress(job)
        self._never_start(progress, progress.leave_out(recorded))
        if progress.needs_nothing:
            return
        for attempt in progress.waiting():
            self._queued[attempt] = progress
        if Resources.of(self._capacity).holds(progress.shape):
            self._queue.add(progress)
        else:
            self._refuse(progress)

    def _refuse(self, progress):
        site = (self._capacity["cpus"], self._capacity["memoryBytes"], self._capacity["gpus"])
        amounts = "{:g} cpus, {} bytes of memory and {} gpus"
        asked, there = amounts.format(*progress.shape), amounts.format(*site)
        failure = Failure("not-started", "its job asks for {}, but the site has {}".format(asked, there))
        for spec in progress.specs():
            self._queued.pop(spec["attempt"], None)
            self._record_unstarted(progress, spec, failure)

    def has_room_for(self, shape):
        """Whether a job of this shape would start at once."""
        return not self._queue.has_jobs and self._free.holds(shape)

    def start_what_fits(self):
        while self._free is not None and self._free.cpus > 0 and self._queue.has_jobs:
            progress = self._queue.take(self._free)
            if progress is None:
                return
            self._free.take(progress.shape)
            count = progress.shape[2]
            gpus, self._free_gpus = self._free_gpus[:count], self._free_gpus[count:]
            for attempt in progress.waiting():
                self._jobs[attempt] = self._queued.pop(attempt)
            progress.begin(gpus)
            self._go_on(progress)

    def _advance(self, progress):
        for spec, gpus in progress.startable():
            attempt = self._attempts[spec["attempt"]] = Attempt(progress.job, spec, gpus)
            self._start(attempt)

    def ended(self, attempt):
        """Its processes are gone: what it held is free, before its record is made."""
        progress = self._jobs[attempt.id]
        progress.ended(attempt.id)
        self._go_on(progress)

    def recorded(self, attempt, succeeded):
        """The runner has written the attempt's record."""
        progress = self._jobs.pop(attempt.id)
        del self._attempts[attempt.id]
        self._never_start(progress, progress.recorded(attempt.id, succeeded, attempt.spec["task"]))
        self._go_on(progress)

    def _go_on(self, progress):
        if not progress.needs_nothing:
            self._advance(progress)
        elif progress.has_resources:
            progress.has_resources = False
            self._free.give(progress.shape)
            self._free_gpus = sorted(self._free_gpus + progress.gpus)

    def _never_start(self, progress, never, why=None):
        for spec, failed_task in never:
            self._jobs.pop(spec["attempt"], None)
            self._queued.pop(spec["attempt"], None)
            self._record_unstarted(progress, spec, why or _why_not_started(failed_task))

    def _record_unstarted(self, progress, spec, failure):
        document = record.unstarted(progress.job, spec, failure, time.time())
        text = record.encode(document)
        self._writer.write(spec["attempt"], text, lambda: self._on_record(spec["attempt"], text))

    def cancel(self, attempt, stop, why=None):
        """`stop(attempt)` for one that runs; a record at once for one that waits, which says `why`."""
        if attempt in self._attempts:
            stop(self._attempts[attempt])
            return
        progress = self._jobs.get(attempt) or self._queued.get(attempt)
        if progress is None:
            return
        self._never_start(progress, progress.cancel(attempt), why)
        if progress.has_resources:
            self._go_on(progress)
        elif progress.needs_nothing:
            self._queue.discard(progress)

    def cancel_all(self, stop, why, why_unreached):
        """First what waits, so that nothing takes the place of what is stopped. `why_unreached`: of tasks whose job has
        begun with others."""
        for attempt in self.waiting() + list(self._attempts):
            self.cancel(attempt, stop, why_unreached if attempt in self._jobs else why)

    def drop_queued(self):
        """Forgets jobs of which nothing has started; nothing is recorded."""
        self._queue = Queue()
        self._queued.clear()

    def waiting(self):
        """Attempts that have not been handed to the runner."""
        return [attempt for attempt in self._jobs if attempt not in self._attempts] + list(self._queued)

    def running(self):
        return list(self._attempts.values())

    @property
    def has_capacity(self):
        return self._capacity is not None

    @property
    def has_queue(self):
        return self._queue.has_jobs

    @property
    def is_idle(self):
        return not self._jobs and not self._queued and not self._writer.pending


def _why_not_started(failed_task):
    """`failed_task`: the one that it waited for; None where it was cancelled itself."""
    if failed_task is None:
        return Failure("cancelled", "cancelled before it started")
    return Failure("not-reached", "not started: {} failed".format(failed_task))
