"""`ranks`: starts all ranks of a task on this machine. The first one that fails ends the others."""

import os
import signal

from ..log import log
from ..loop import Loop
from ..spawn import spawn
from . import launch_file
from .rank import HELD_BACK
from .starter import own_command

_KILL_AFTER_GRACE_SECONDS = 5


class Ranks:
    def __init__(self, launch, path):
        self._grace_seconds = launch["graceSeconds"] + _KILL_AFTER_GRACE_SECONDS
        self._size = launch["size"]
        self._command = own_command("rank", path)
        self._folder = launch["folder"]
        self._loop = Loop()
        self._alive = set()
        self._exit_code = 0

    def run(self):
        self._loop.on_signal(signal.SIGCHLD, self._reap)
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.on_signal(number, self._stop)
        self._loop.on_signal(signal.SIGUSR2, lambda: self._signal(signal.SIGUSR2))
        # A rank that is told to end before it listens would end without a record: it lets signals in when it does.
        signal.pthread_sigmask(signal.SIG_BLOCK, HELD_BACK)
        for rank in range(self._size):
            own = dict(os.environ, WF_RANK=str(rank), WF_LOCAL_RANK=str(rank))
            self._alive.add(spawn(self._command[0], self._command, own, self._folder, 1, 2))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD_BACK)
        while self._alive:
            self._loop.step()
        return self._exit_code

    def _reap(self):
        while self._alive:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            self._alive.discard(pid)
            if status != 0 and self._exit_code == 0:
                self._exit_code = os.WEXITSTATUS(status) or 1
                self._stop()

    def _stop(self):
        """Each rank gives its command the task's grace; one that does not answer is killed."""
        self._signal(signal.SIGTERM)
        self._loop.after(self._grace_seconds, lambda: self._signal(signal.SIGKILL))

    def _signal(self, number):
        for pid in self._alive:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass


def start(path):
    try:
        return Ranks(launch_file.read(path), path).run()
    except (OSError, ValueError) as error:
        log("cannot start the ranks of {}: {}".format(path, error))
        return 1
