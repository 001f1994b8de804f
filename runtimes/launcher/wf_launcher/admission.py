"""Which job starts next on a machine of limited capacity.

Jobs start in the order in which they came. A later job that fits may pass one that waits for room, but a waiting job is
passed at most PASSES times. Jobs of one shape (cpus, memory, gpus) queue up behind each other, so that choosing costs
the number of shapes, not of jobs.
"""

from bisect import bisect, insort

from .plain_collections import OrderedDict

PASSES = 20
_ROUNDING = 1e-9


class Resources:
    __slots__ = ("cpus", "memory_bytes", "gpus")

    def __init__(self, cpus, memory_bytes, gpus):
        self.cpus = cpus
        self.memory_bytes = memory_bytes
        self.gpus = gpus

    @staticmethod
    def of(document):
        return Resources(document["cpus"], document["memoryBytes"], document["gpus"])

    def holds(self, shape):
        return shape[0] <= self.cpus + _ROUNDING and shape[1] <= self.memory_bytes and shape[2] <= self.gpus

    def take(self, shape):
        self.cpus -= shape[0]
        self.memory_bytes -= shape[1]
        self.gpus -= shape[2]

    def give(self, shape):
        self.cpus += shape[0]
        self.memory_bytes += shape[1]
        self.gpus += shape[2]


class Queue:
    """Of anything with a `shape`: (cpus, memory in bytes, gpus)."""

    def __init__(self):
        self._by_shape = {}  # shape -> jobs by arrival
        self._arrivals = 0
        self._arrival_of = {}  # job -> its number
        self._passers = []  # arrivals of jobs that started while an older one waited, sorted

    @property
    def has_jobs(self):
        return bool(self._by_shape)

    def add(self, job):
        self._arrivals += 1
        self._arrival_of[job] = self._arrivals
        self._by_shape.setdefault(job.shape, OrderedDict())[self._arrivals] = job

    def jobs(self):
        """In the order in which they came."""
        return list(self._arrival_of)

    def discard(self, job):
        arrival = self._arrival_of.pop(job)
        jobs = self._by_shape[job.shape]
        del jobs[arrival]
        if not jobs:
            del self._by_shape[job.shape]
        self._forget_passers()

    def take(self, free):
        """The next job that may start with the free resources, or None."""
        oldest_first = sorted((next(iter(jobs)), shape) for shape, jobs in self._by_shape.items())
        for place, (arrival, shape) in enumerate(oldest_first):
            if free.holds(shape):
                job = self._by_shape[shape][arrival]
                if place > 0:
                    insort(self._passers, arrival)
                self.discard(job)
                return job
            if len(self._passers) - bisect(self._passers, arrival) >= PASSES:
                return None
        return None

    def _forget_passers(self):
        if self._passers:
            oldest = min((next(iter(jobs)) for jobs in self._by_shape.values()), default=self._arrivals + 1)
            del self._passers[: bisect(self._passers, oldest)]
