"""Starting a task's process, and the mark by which everything that it starts is known.

The mark is the soft RLIMIT_LOCKS. Linux has not enforced that limit since 2.4, but every process inherits it through
fork, exec and setsid, and /proc/PID/limits shows it even for a zombie. The launcher sets its own soft limit to the
attempt's tag before each spawn, so that an orphan that comes to it, dead or alive, names its attempt.
"""

import os
import resource
import sys

from . import plain_signal as signal

RLIMIT_LOCKS = 10
_SEQUENCE_BITS = 24
# Python ignores the last two, and an ignored signal stays ignored through exec.
_RESET_SIGNALS = [signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGUSR2, signal.SIGPIPE, signal.SIGXFSZ]
_PR_SET_CHILD_SUBREAPER = 36
_HAS_POSIX_SPAWN = hasattr(os, "posix_spawn")


def adopt_orphans():
    """Descendants whose parent ends come to this process, not to init. False where the kernel cannot."""
    try:
        return _prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


def _prctl(*arguments):
    """By the core of ctypes alone: the rest of it takes milliseconds to import."""
    try:
        from _ctypes import call_function, dlopen, dlsym

        return call_function(dlsym(dlopen(None, os.RTLD_NOW), "prctl"), arguments)
    except (ImportError, TypeError):
        from ctypes import CDLL

        return CDLL(None).prctl(*arguments)


class Tags:
    """Tags of one launcher: a random number of its own, and a sequence."""

    def __init__(self):
        self.launcher_id = int.from_bytes(os.urandom(4), "big") | 1 << 32
        self._first = self.launcher_id << _SEQUENCE_BITS
        self._sequence = 0
        self._hard = resource.getrlimit(RLIMIT_LOCKS)[1] if sys.platform == "linux" else 0
        self.usable = self._hard == resource.RLIM_INFINITY or self._hard > self._first + (1 << _SEQUENCE_BITS)

    def take(self):
        """The tag that processes started from now on carry; None where the hard limit forbids it."""
        if not self.usable:
            return None
        self._sequence = (self._sequence + 1) % (1 << _SEQUENCE_BITS)
        tag = self._first + self._sequence
        resource.setrlimit(RLIMIT_LOCKS, (tag, self._hard))
        return tag


class InheritedTag(Tags):
    """Of a launcher that a task's own launcher has started: what it starts belongs to that task."""

    def take(self):
        inherited = resource.getrlimit(RLIMIT_LOCKS)[0] if self.usable else resource.RLIM_INFINITY
        return super().take() if inherited == resource.RLIM_INFINITY else inherited


def launcher_of(tag):
    return tag >> _SEQUENCE_BITS


def spawn(program, argv, environment, folder, stdout, stderr):
    """Starts `program` in `folder` in a session of its own; returns its pid. Its stdin is the launcher's, which is
    /dev/null. Raises OSError when it cannot start."""
    if _HAS_POSIX_SPAWN:
        os.chdir(folder)
        actions = [(os.POSIX_SPAWN_DUP2, stdout, 1), (os.POSIX_SPAWN_DUP2, stderr, 2)]
        try:
            return os.posix_spawn(
                program, argv, environment, file_actions=actions, setsid=True, setsigdef=_RESET_SIGNALS
            )
        except NotImplementedError:
            pass  # a C library before glibc 2.26 has no setsid here
    return _fork_and_exec(program, argv, environment, folder, stdout, stderr)


def _fork_and_exec(program, argv, environment, folder, stdout, stderr):
    """For Python before 3.8 and old C libraries. A pipe that exec closes brings back the reason why exec failed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.chdir(folder)
            for number in _RESET_SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            os.dup2(stdout, 1)
            os.dup2(stderr, 2)
            os.execve(program, argv, environment)
        except OSError as error:
            os.write(writer, str(error.errno).encode("ascii"))
        finally:
            os._exit(127)
    os.close(writer)
    with open(reader, "rb") as pipe:
        reason = pipe.read()
    if reason:
        os.waitpid(pid, 0)
        raise OSError(int(reason), os.strerror(int(reason)))
    return pid
