"""Follows the event log of a run's HTCondor jobs, in XML, and hands on whole events.

Somebody may truncate the log, put another one in its place, or move it away while HTCondor writes to it. What is there
is told then, and that something may be missing. A log that was moved away is read on: who has it open writes to it.
"""

import os

_CHUNK_BYTES = 1 << 18
_CHUNKS_AT_ONCE = 16
_BEGIN = b"<c>\n"
_END = b"\n</c>\n"  # one within an event is indented
_LARGEST_EVENT_BYTES = 4 << 20
_KNOWN_BETWEEN_EVENTS = (b"<?xml", b"<!DOCTYPE", b"<classads>", b"</classads>")


class EventLog:
    def __init__(self, path, tell_events, tell_loss):
        """`tell_events(bytes)`, `tell_loss()`."""
        self._path = path
        self._tell_events = tell_events
        self._tell_loss = tell_loss
        self._older = _Tail(path + ".old")
        self._older.open()
        self._current = _Tail(path)

    def look(self):
        self._current.open()
        if self._current.is_replaced():
            self._tell(self._current)
            self._older.close()
            self._older, self._current = self._current, _Tail(self._path)
            self._current.open()
            self._tell_loss()
        self._tell(self._older)
        self._tell(self._current)

    def _tell(self, tail):
        for _ in range(_CHUNKS_AT_ONCE):
            events, is_lost, is_more = tail.read()
            if is_lost:
                self._tell_loss()
            if events:
                self._tell_events(events)
            if not is_more:
                return


class _Tail:
    """Of one file, whatever its name becomes."""

    def __init__(self, path):
        self._path = path
        self._file = None
        self._unread = b""

    def open(self):
        try:
            if self._file is None:
                self._file = open(self._path, "rb", buffering=0)
        except OSError:
            pass  # it is not there yet

    def close(self):
        if self._file is not None:
            self._file.close()

    def is_replaced(self):
        if self._file is None:
            return False
        try:
            there = os.stat(self._path)
        except OSError:
            return False  # not yet, or not now
        ours = os.fstat(self._file.fileno())
        return (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino)

    def read(self):
        """(whole events, whether some may be missing, whether there is more)."""
        if self._file is None:
            return b"", False, False
        is_lost = False
        try:
            if os.fstat(self._file.fileno()).st_size < self._file.tell():
                self._file.seek(0)
                self._unread = b""
                is_lost = True
            chunk = self._file.read(_CHUNK_BYTES)
        except OSError:
            return b"", is_lost, False  # a file system of another machine: it is read again at the next look
        self._unread += chunk
        events, is_odd = self._take_events()
        if len(self._unread) > _LARGEST_EVENT_BYTES:
            self._unread = b""
            is_odd = True
        return events, is_lost or is_odd, len(chunk) == _CHUNK_BYTES

    def _take_events(self):
        """Takes whole events from what is unread; says whether anything else was between them."""
        events = []
        is_odd = False
        position = 0
        while True:
            end = self._unread.find(_END, position)
            if end < 0:
                break
            end += len(_END)
            text = self._unread[position:end]
            begin = _last_begin(text)
            is_odd = is_odd or not _is_known(text if begin is None else text[:begin])
            if begin is not None:
                events.append(text[begin:])
            position = end
        self._unread = self._unread[position:]
        return b"".join(events), is_odd


def _last_begin(text):
    """Where the event begins that `text` ends with. What is before it was cut off."""
    begin = text.rfind(b"\n" + _BEGIN)
    if begin >= 0:
        return begin + 1
    return 0 if text.startswith(_BEGIN) else None


def _is_known(text):
    lines = (line.strip() for line in text.split(b"\n"))
    return all(not line or line.startswith(_KNOWN_BETWEEN_EVENTS) for line in lines)
