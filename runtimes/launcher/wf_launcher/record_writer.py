"""Puts records on disk, with patience for a disk that is full."""


from . import record
from .failure import is_no_space
from .log import log

_RETRY_SECONDS = 0.5
_TRIES = 8


class RecordWriter:
    """Law: a record is on disk before `then` is called, unless the disk stays full for seconds."""

    def __init__(self, loop, folder, durable):
        self._loop = loop
        self._folder = folder
        self._durable = durable
        self.pending = set()  # attempts whose record waits for room
        self.lost = set()  # attempts that have no record
        self.is_disk_full = False  # that is why

    def write(self, attempt, content, then, tries=_TRIES):
        try:
            record.write(self._folder.record(attempt), content, self._durable)
        except OSError as error:
            if tries > 1 and is_no_space(error):
                self.pending.add(attempt)
                self._loop.after(_RETRY_SECONDS, lambda: self.write(attempt, content, then, tries - 1))
                return
            self.lost.add(attempt)
            self.is_disk_full = is_no_space(error)
            log("no record of {}: {}".format(attempt, error))
        self.pending.discard(attempt)
        then()
