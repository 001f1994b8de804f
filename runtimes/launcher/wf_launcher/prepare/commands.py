"""Runs the programs that install, with what they print in the log."""

import os
import signal
import subprocess

_LAST_LINES = 15
_LONGEST_LINE = 300
_GRACE_SECONDS = 60


class Outcome:
    def __init__(self, code, output):
        self.is_good = code == 0
        self.code = code
        self.output = output

    @property
    def last_lines(self):
        return [line[:_LONGEST_LINE] for line in self.output.split("\n") if line.strip()][-_LAST_LINES:]


class Commands:
    def __init__(self, progress, lock_fd):
        self._progress = progress
        self._lock_fd = lock_fd

    def run(self, argv, on_line=None, cwd=None, environment=None, pass_fds=(), stop_with=signal.SIGTERM):
        """Each in a session of its own: Ctrl-C in a terminal is for whoever waits to hand on, with `stop_with`."""
        self._progress.log("$ {}\n".format(" ".join(argv)))
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                cwd=cwd,
                env=dict(os.environ, **(environment or {})),
                pass_fds=tuple(pass_fds) + (self._lock_fd,),
                start_new_session=True,
            )
        except OSError as error:
            return Outcome(127, "{}: {}".format(argv[0], error.strerror))
        lines = []
        try:
            for line in process.stdout:
                text = line.decode("utf-8", "replace")
                lines.append(text)
                self._progress.log(text)
                if on_line is not None:
                    on_line(text.strip())
            return Outcome(process.wait(), "".join(lines))
        finally:
            if process.poll() is None:
                _stop(process, stop_with)
            process.stdout.close()


def _stop(process, number):
    os.kill(process.pid, number)
    try:
        process.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def which(name, search_path):
    for folder in search_path.split(":"):
        path = os.path.join(folder, name)
        if folder and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None
