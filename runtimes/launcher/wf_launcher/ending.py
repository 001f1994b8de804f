"""How a process ended, in the words of a record."""

import os

from . import plain_signal as signal
from .failure import Failure

_KILLED_EXIT = 128 + signal.SIGKILL
_NEARLY_ALL = 0.95
_NO_ROOM_BYTES = 1 << 16
_SURVIVED = "the kernel ended a process of it for its memory, though it ended with exit status 0"
_BESIDE = "the kernel ended a process of its job for its memory while it ran: whether it was one of its own is not known"


def exit_code(status):
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None


def signal_name(status):
    if not os.WIFSIGNALED(status):
        return None
    from signal import Signals

    number = os.WTERMSIG(status)
    try:
        return Signals(number).name
    except ValueError:
        return "SIG{}".format(number)


def failure_of(status, memory_bytes, peak_bytes, oom_kills, is_alone=True):
    """None for success. A kill is blamed on memory only with evidence: the kernel counted one, or the peak was near
    what the task asked for.

    Law: a task beside which the kernel ended a process is no success, whatever its exit status: it may have gone on
    without a part of itself. `is_alone`: there was no other task in its job that it could have been."""
    code = exit_code(status)
    if code == 0:
        if not oom_kills:
            return None
        return Failure("out-of-memory", _SURVIVED) if is_alone else Failure("interrupted", _BESIDE)
    was_killed = code is None and os.WTERMSIG(status) == signal.SIGKILL
    if was_killed or code == _KILLED_EXIT:
        if oom_kills:
            return Failure("out-of-memory", "the kernel ended a process of it for its memory")
        if was_killed and memory_bytes > 0 and peak_bytes >= _NEARLY_ALL * memory_bytes:
            return Failure("out-of-memory", "killed at {} of {} bytes".format(peak_bytes, memory_bytes))
    if code is not None:
        return Failure("exit", "the command ended with exit status {}".format(code))
    return Failure("signal", "the command was ended by {}".format(signal_name(status)))


def where_disk_is_full(failure, folder):
    """A command that failed where no room is left most likely failed for that: a retry of it is of no use."""
    if failure is None or failure.failure_class != "exit":
        return failure
    disk = os.statvfs(folder)
    free_blocks = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
    if free_blocks * disk.f_frsize >= _NO_ROOM_BYTES:
        return failure
    from . import disk_room

    return Failure("disk-full", "{}, and its disk is full ({})".format(failure.message, disk_room.in_words(folder)))
