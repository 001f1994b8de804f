"""One try at one task, from its staging to its record."""

from .usage import Totals


class Attempt:
    __slots__ = (
        "job",
        "spec",
        "id",
        "gpus",
        "sandbox",
        "staged",
        "tag",
        "pid",
        "is_main_alive",
        "status",
        "orphans",
        "leftovers",
        "stop",
        "is_warned",
        "is_draining",
        "is_ending",
        "timers",
        "totals",
        "series",
        "ranks",
        "signals",
        "oom_kills_before",
        "started_at",
        "ended_at",
        "started",
        "ended",
    )

    def __init__(self, job, spec, gpus):
        self.job = job
        self.spec = spec
        self.id = spec["attempt"]
        self.gpus = gpus
        self.sandbox = None
        self.staged = None
        self.tag = None
        self.pid = None
        self.is_main_alive = False
        self.status = None
        self.orphans = set()  # live processes of it that are the launcher's children
        self.leftovers = set()  # processes that outlived the command and were signalled
        self.stop = None  # the Failure for which it is being stopped
        self.is_warned = False  # it was told that its time is nearly up
        self.is_draining = False  # the command is over, but processes of it are left
        self.is_ending = False  # its processes are gone; what remains is the launcher's work
        self.timers = []
        self.totals = Totals()
        self.series = None
        self.ranks = None  # records of the ranks of a distributed task, once they are gone
        self.signals = None  # how ranks are reached; None for a task of one process
        self.oom_kills_before = None
        self.started_at = self.ended_at = None  # Unix seconds
        self.started = self.ended = None  # monotonic seconds
