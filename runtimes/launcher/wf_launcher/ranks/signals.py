"""How a signal reaches the ranks of a task, which may lie on other machines."""

import os
import signal
import time

from .. import environment, proc
from ..log import log
from ..spawn import spawn

# SLURM signals every process of a step, and a rank alone knows who may get which signal. So it is told by signals that
# do no harm to others, since nobody ends for them who does not ask for them.
STOP = signal.SIGURG
WARN = signal.SIGWINCH
_STEP_ENDS_SECONDS = 10


class PassedOn:
    """Who starts ranks on this machine passes signals on to them."""

    def send(self, processes, attempt, number):
        """False where the processes themselves are to be signalled."""
        if number == signal.SIGKILL:
            return False
        if number != signal.SIGUSR2 or proc.catches(attempt.pid, number):
            _kill(attempt.pid, number)
        return True


class ThroughStep:
    """Ranks that srun has started, on whatever nodes."""

    def __init__(self, job_id):
        self._job_id = job_id
        self._step_ends_at = None

    def send(self, processes, attempt, number):
        if number == signal.SIGKILL:
            return self._end_step(attempt)
        if not self._tell(processes, STOP if number == signal.SIGTERM else WARN) and number == signal.SIGTERM:
            self._end_step(attempt)
        return True

    def _tell(self, processes, number):
        """To all steps of the job, and not to the launcher, which is its batch script."""
        program = environment.first_executable("scancel", os.environ.get("PATH", os.defpath), "/")
        if program is None:
            log("there is no scancel on this node, so the ranks cannot be told to end by themselves")
            return False
        argv = [program, "--quiet", "--signal={}".format(int(number)), self._job_id]
        processes.ignore(spawn(program, argv, dict(os.environ), "/", 2, 2))
        return True

    def _end_step(self, attempt):
        """On SIGTERM srun kills all ranks, and waits for them. False when it had time enough for that."""
        now = time.monotonic()
        if self._step_ends_at is None:
            self._step_ends_at = now + _STEP_ENDS_SECONDS
            _kill(attempt.pid, signal.SIGTERM)
        return now < self._step_ends_at


def _kill(pid, number):
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass
