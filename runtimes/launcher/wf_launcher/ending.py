"""How a process ended, in the words of a record."""

import os
import signal

from .failure import Failure

_KILLED_EXIT = 128 + signal.SIGKILL
_NEARLY_ALL = 0.95


def exit_code(status):
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None


def signal_name(status):
    if not os.WIFSIGNALED(status):
        return None
    number = os.WTERMSIG(status)
    try:
        return signal.Signals(number).name
    except ValueError:
        return "SIG{}".format(number)


def failure_of(status, memory_bytes, peak_bytes, oom_kills):
    """None for success. A kill is blamed on memory only with evidence: the kernel counted one, or the peak was near
    what the task asked for."""
    code = exit_code(status)
    if code == 0:
        return None
    was_killed = code is None and os.WTERMSIG(status) == signal.SIGKILL
    if was_killed or code == _KILLED_EXIT:
        if oom_kills:
            return Failure("out-of-memory", "the kernel ended a process of it for its memory")
        if was_killed and memory_bytes > 0 and peak_bytes >= _NEARLY_ALL * memory_bytes:
            return Failure("out-of-memory", "killed at {} of {} bytes".format(peak_bytes, memory_bytes))
    if code is not None:
        return Failure("exit", "the command ended with exit status {}".format(code))
    return Failure("signal", "the command was ended by {}".format(signal_name(status)))
