"""Single tasks of a job that somebody cancels while the others go on: a file for each, named after the attempt.

Law: who cancels leaves the file first and looks then whether the job has started; a job looks for files after it has
started and before its tasks do. So an attempt that was found waiting never runs.
"""

import os

from .names import native

LOOK_SECONDS = 1


class Cancellations:
    def __init__(self, folder, attempts):
        """Of these attempts."""
        self._path = folder.cancelled
        self._names = {native(attempt): attempt for attempt in attempts}
        self._changed_ns = None

    def new(self):
        """Attempts of which nothing was told before."""
        try:
            changed_ns = os.stat(self._path).st_mtime_ns
            if changed_ns == self._changed_ns:
                return []
            found = os.listdir(self._path)
        except FileNotFoundError:
            return []
        self._changed_ns = changed_ns
        return [self._names.pop(name) for name in found if name in self._names]


def leave(folder, attempt):
    os.makedirs(folder.cancelled, exist_ok=True)
    open(folder.cancelled + "/" + native(attempt), "w").close()
