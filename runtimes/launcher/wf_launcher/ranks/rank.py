"""`rank`: one rank of a distributed task. It runs the task's command, measures it, and leaves its record."""

import os
import signal

from .. import conclude, record
from ..attempt import Attempt
from ..failure import Failure
from ..folders import RunFolder
from ..log import log
from ..loop import Loop
from ..processes import Processes
from ..workplace import NoJournal, granted_gpus
from ..runner import Runner
from ..site import Site
from ..spawn import InheritedTag
from . import launch_file
from .position import position
from .rank_environment import RankEnvironment
from .signals import STOP, WARN

EXIT_FAILED = 1
EXIT_NOT_STARTED = 127
_STREAM_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
# Signals that whoever starts a rank may hold back until it listens.
HELD_BACK = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR2)
_TOLD = (
    *("host", "pid", "exitCode", "signal", "startedAt", "endedAt"),
    *("usage", "series", "gpus", "leftoverProcesses", "failure"),
)


class SharedSandbox:
    """The sandbox of the task, with the streams of one rank."""

    def __init__(self, folder, rank):
        self.folder = folder
        self.path = folder + "/sandbox"
        self.stdout = os.open(launch_file.stream(folder, rank, "stdout"), _STREAM_FLAGS, 0o644)
        self.stderr = os.open(launch_file.stream(folder, rank, "stderr"), _STREAM_FLAGS, 0o644)


class RankRunner(Runner):
    """Watches over a command as it does for a task, but the sandbox is there already, and stays."""

    def __init__(self, loop, site, rank_environment, on_record):
        super().__init__(loop, site, None, NoJournal(), _nothing, _nothing, _nothing)
        self._environment = rank_environment
        self._processes = Processes(InheritedTag())
        self._on_record = on_record

    def start(self, attempt):
        self._launch(attempt)

    def _conclude(self, attempt, failure):
        self._on_record(conclude.describe(attempt, failure))


class Rank:
    def __init__(self, launch, rank, local_rank, variables):
        self._launch = launch
        self._rank = rank
        self._local_rank = local_rank
        self._loop = Loop()
        self._exit_code = None
        site = Site(RunFolder(launch["storage"], launch["run"]), durable=True)
        rank_environment = RankEnvironment(launch, rank, local_rank, variables)
        self._runner = RankRunner(self._loop, site, rank_environment, self._record)
        spec = dict(launch, timeLimitSeconds=None, warnSeconds=0, inputs=[], outputs=[], params={}, env={})
        self._attempt = Attempt(launch, spec, _own_gpus(launch["gpus"], local_rank, variables))
        self._attempt.sandbox = SharedSandbox(launch["folder"], rank)

    def run(self):
        told = Failure("cancelled", "told to end")
        for number in (signal.SIGTERM, signal.SIGINT, STOP):
            self._loop.on_signal(number, lambda: self._runner.stop(self._attempt, told))
        for number in (signal.SIGUSR2, WARN):
            self._loop.on_signal(number, lambda: self._runner.warn(self._attempt))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)
        self._runner.start(self._attempt)
        self._runner.conclude_ended()
        while self._exit_code is None:
            self._loop.step()
            self._runner.conclude_ended()
        self._loop.end_by(signal.SIGTERM)
        self._runner.close()
        return self._exit_code

    def _record(self, document):
        told = {name: document[name] for name in _TOLD}
        told.update(rank=self._rank, localRank=self._local_rank, wasStopped=self._attempt.stop is not None)
        record.write(launch_file.rank_record(self._launch["folder"], self._rank), record.encode(told), durable=True)
        self._exit_code = _exit_code(document)


def _exit_code(document):
    if document["failure"] is None:
        return 0
    if document["pid"] is None:
        return EXIT_NOT_STARTED
    return document["exitCode"] or EXIT_FAILED


def _own_gpus(count, local_rank, variables):
    visible = granted_gpus(variables) or []
    return visible[local_rank * count : (local_rank + 1) * count]


def _nothing(*_):
    pass


def rank(path):
    try:
        launch = launch_file.read(path)
        one = Rank(launch, *position(os.environ), variables=dict(os.environ))
        return one.run()
    except (OSError, ValueError) as error:
        log("cannot run a rank of {}: {}".format(path, error))
        return EXIT_FAILED
