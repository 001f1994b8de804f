"""The launcher's own notes of a run: who the launcher was, which attempts it started, which it ended.

They serve the next launcher of the run alone, to find what a dead one left behind.
"""

import json
import os

from .failure import is_no_space


class Journal:
    def __init__(self, path):
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._lines = []

    def opened(self, launcher_id, host, boot_id):
        self._note({"launcher": launcher_id, "pid": os.getpid(), "host": host, "bootId": boot_id})
        self.flush()

    def closed(self):
        self._note({"closed": True})
        self.flush()

    def started(self, job, spec, pid, start_ticks, tag):
        names = {"job": job["job"], "task": spec["task"], "start": spec["attempt"]}
        self._note(dict(names, pid=pid, ticks=start_ticks, tag=tag))

    def ended(self, attempt):
        self._note({"end": attempt})

    def _note(self, entry):
        self._lines.append(json.dumps(entry, separators=(",", ":")))

    def flush(self):
        """What does not fit on a full disk stays for the next time; tags tell the processes meanwhile."""
        if not self._lines:
            return
        try:
            os.write(self._fd, ("\n".join(self._lines) + "\n").encode("ascii"))
            self._lines.clear()
        except OSError as error:
            if not is_no_space(error):
                raise


class LeftAttempt:
    """An attempt that the journal saw start and not end."""

    def __init__(self, entry, launcher):
        self.id = entry["start"]
        self.job = entry["job"]
        self.task = entry["task"]
        self.pid = entry["pid"]
        self.ticks = entry["ticks"]
        self.boot_id = launcher["bootId"]
        self.host = launcher["host"]


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
                elif "end" in entry:
                    open_attempts.pop(entry["end"], None)
    except FileNotFoundError:
        pass
    return launchers, list(open_attempts.values())
