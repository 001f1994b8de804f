"""The launcher's own notes of a run: who the launcher was, which attempts it started, which it ended.

They serve the next launcher of the run alone, to find what a dead one left behind.
"""

import errno
import json
import os

from .failure import is_no_space
from .quick_json import quoted


class Journal:
    def __init__(self, path):
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._lines = []
        # A launcher that was killed may have left half a line.
        self._unwritten = b"\n" if os.fstat(self._fd).st_size > 0 else b""

    def opened(self, launcher_id, host, boot_id, pid_namespace):
        """Raises OSError when it cannot be noted: without it, nobody would find what this launcher leaves."""
        place = {"host": host, "bootId": boot_id, "pidNamespace": pid_namespace}
        self._note(dict(place, launcher=launcher_id, pid=os.getpid()))
        self.flush()
        if self._unwritten:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def closed(self):
        self._note({"closed": True})
        self.flush()

    def starts(self, job, spec):
        """Law: it is noted before its first process is there, so that no attempt runs twice."""
        names = quoted(spec["attempt"]), quoted(job["job"]), quoted(spec["task"])
        self._lines.append('{"start":%s,"job":%s,"task":%s}' % names)
        self.flush()

    def started(self, attempt, pid, start_ticks):
        self._lines.append('{"process":%s,"pid":%d,"ticks":%s}' % (quoted(attempt), pid, _listed(start_ticks)))

    def ended(self, attempt):
        self._lines.append('{"end":%s}' % quoted(attempt))

    def _note(self, entry):
        self._lines.append(json.dumps(entry))

    def flush(self):
        """What does not fit on a full disk stays for the next time; tags tell the processes meanwhile."""
        if not self._lines:
            return
        content = self._unwritten + ("\n".join(self._lines) + "\n").encode("ascii")
        self._lines.clear()
        try:
            self._unwritten = content[os.write(self._fd, content) :]
        except OSError as error:
            if not is_no_space(error):
                raise
            self._unwritten = content


def _listed(start_ticks):
    return "null" if start_ticks is None else "[%d,%d]" % start_ticks


class LeftAttempt:
    """An attempt that the journal saw start and not end."""

    def __init__(self, entry, launcher):
        self.id = entry["start"]
        self.job = entry["job"]
        self.task = entry["task"]
        self.pid = None
        self.ticks = None
        self.boot_id = launcher["bootId"]
        self.host = launcher["host"]
        self.pid_namespace = launcher.get("pidNamespace")


def read(path):
    """(launchers that did not close, attempts without an end). A line that was cut by a crash is passed over."""
    launchers, open_attempts = [], {}
    try:
        with open(path, "rb") as file:
            for line in file:
                try:
                    entry = json.loads(line.decode("utf-8"))
                except ValueError:
                    continue
                if "launcher" in entry:
                    launchers.append(entry)
                elif "closed" in entry:
                    launchers = []
                elif "start" in entry and launchers:
                    open_attempts[entry["start"]] = LeftAttempt(entry, launchers[-1])
                elif "process" in entry and entry["process"] in open_attempts:
                    attempt = open_attempts[entry["process"]]
                    attempt.pid, attempt.ticks = entry["pid"], entry["ticks"]
                elif "end" in entry:
                    open_attempts.pop(entry["end"], None)
    except FileNotFoundError:
        pass
    return launchers, list(open_attempts.values())
