"""What is told while a runtime is prepared: JSON lines on stdout, and the same in a log that who waits can read."""

import json
import os
import sys

LINE_START = '{"event":"progress"'


class Progress:
    def __init__(self):
        self._log = None
        self._last = None

    def open_log(self, path):
        self._log = open(path, "w", encoding="utf-8", errors="replace")

    def log(self, text):
        """What a command printed."""
        if self._log is not None:
            self._log.write(text)
            self._log.flush()

    def tell(self, says, percent=None):
        percent = None if percent is None else max(0, min(100, int(percent)))
        if (says, percent) == self._last:
            return
        self._last = (says, percent)
        line = LINE_START + ',"says":{},"percent":{}}}'.format(json.dumps(says), json.dumps(percent))
        self.log(line + "\n")
        _print(line)

    def pass_on(self, line):
        """A line that somebody else has told."""
        _print(line)

    def end(self, document):
        line = json.dumps(document, sort_keys=True)
        self.log(line + "\n")
        _print(line)


def _print(line):
    """Nobody may listen any more: what is prepared is prepared all the same."""
    try:
        print(line, flush=True)
    except OSError:
        sys.stdout = open(os.devnull, "w")
