"""`pilot`: works off the jobs of a mailbox inside one allocation, several at once, until none is left."""

import json
import os
import time

from . import job_spec
from .admission import PASSES, Resources
from .log import log
from .login.watch import WatchedFolder
from .mailbox import Mailbox, read
from .run import EXIT_TOLD_TO_END
from .workplace import Workplace

EXIT_USAGE = 2
_LOOK_SECONDS = 0.1
# A task without a limit may take long: in the last part of its time a pilot begins none.
_LAST_PART = 0.25


class Pilot:
    """`terms`: {"cpus", "memoryBytes", "gpus", "idleSeconds", "timeSeconds"}."""

    def __init__(self, storage, run, name, terms):
        self._name = name
        self._terms = terms
        self._place = Workplace(storage, run, self._recorded, self._end, name)
        self._mailbox = Mailbox(self._place.site.folder)
        self._mailbox.make()
        self._folder = WatchedFolder(self._mailbox.waiting)
        self._cancellations = WatchedFolder(self._mailbox.root + "/cancel")
        self._waiting = {}  # name -> (shape, seconds or None), of jobs that were looked at
        self._passes = {}  # name -> how many jobs that came later were claimed before it
        self._claims = {}  # attempt -> the file of its job
        self._began = self._busy_at = time.monotonic()
        self._is_over = False

    def run(self):
        """The exit code."""
        self._place.open(self._terms)
        self._look()
        while True:
            self._claim()
            if self._place.scheduler.is_idle and (self._is_over or self._is_quiet()) and self._may_leave():
                break
            self._place.step()
        self._place.close()
        return EXIT_TOLD_TO_END if self._place.was_told_to_end else 0

    def _end(self):
        self._is_over = True

    def _is_quiet(self):
        is_idle = time.monotonic() - self._busy_at >= self._terms["idleSeconds"]
        return is_idle or self._seconds_left() <= 0 or self._mailbox.is_closed

    def _seconds_left(self):
        return self._terms["timeSeconds"] - (time.monotonic() - self._began)

    def _may_leave(self):
        """Law: a job that is posted is seen by a pilot that stays, or who posted it sees that all have left."""
        self._mailbox.leave(self._name)
        self._see(os.listdir(self._mailbox.waiting))
        if self._is_over or not any(self._is_ours(name) for name in self._waiting):
            return True
        self._mailbox.come_back(self._name)
        return False

    def _look(self):
        names = self._folder.names(False)
        if names is not None:
            self._see(names)
        for attempt in self._cancellations.names(False) or ():
            if attempt in self._claims:
                self._place.cancel(attempt)
        self._place.loop.after(_LOOK_SECONDS, self._look)

    def _see(self, names):
        known = self._waiting
        self._passes = {name: self._passes[name] for name in names if name in self._passes}
        self._waiting = {name: known[name] if name in known else self._shape_of(name) for name in sorted(names)}

    def _shape_of(self, name):
        """None where it has just been claimed by another."""
        job = read(self._mailbox.waiting + "/" + name)
        if job is None:
            return None
        limits = [spec["timeLimitSeconds"] for spec in job["tasks"]]
        seconds = None if None in limits else sum(limits)
        return (job["cpus"], job["memoryBytes"], job["gpus"]), seconds

    def _is_ours(self, name):
        """Whether it could be worked off here, as soon as there is room."""
        if self._waiting[name] is None:
            return False
        shape, seconds = self._waiting[name]
        needed = self._terms["timeSeconds"] * _LAST_PART if seconds is None else seconds
        return Resources.of(self._terms).holds(shape) and needed <= self._seconds_left()

    def _has_room_for(self, name):
        return self._place.scheduler.has_room_for(self._waiting[name][0])

    def _claim(self):
        if self._is_over:
            return
        passed = []
        for name in list(self._waiting):
            if not self._is_ours(name):
                continue
            if not self._has_room_for(name):
                passed.append(name)
                if self._passes.get(name, 0) >= PASSES:
                    break
                continue
            del self._waiting[name]
            path = self._mailbox.claim(name, self._name)
            if path is not None:
                self._passes.update((other, self._passes.get(other, 0) + 1) for other in passed)
                self._work_off(path)
        if not self._place.scheduler.is_idle:
            self._busy_at = time.monotonic()

    def _work_off(self, path):
        job = read(path)
        job_spec.check(job, None)
        cancelled = set(self._mailbox.asked_for_end())
        for spec in job["tasks"]:
            self._claims[spec["attempt"]] = path
        self._place.take(job)
        for attempt in cancelled.intersection(spec["attempt"] for spec in job["tasks"]):
            self._place.cancel(attempt)

    def _recorded(self, attempt):
        path = self._claims.pop(attempt, None)
        if path is not None and path not in self._claims.values():
            os.unlink(path)


def pilot(storage, run, name, terms):
    try:
        with open(terms, encoding="utf-8") as file:
            work = Pilot(storage, run, name, json.load(file))
    except (OSError, ValueError) as error:
        log("cannot work as a pilot: {}".format(error))
        return EXIT_USAGE
    return work.run()
