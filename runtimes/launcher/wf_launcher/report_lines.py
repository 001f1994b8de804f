"""The lines in which a task reports: those of the file that WF_METRICS names, and those of its standard output that
begin with a marker."""

import errno
import os
import stat

MARKER = b"wf-metrics "
LINE_LIMIT = 1 << 20
_CHUNK = 1 << 20


def of_stream(fd):
    """(number, text after the marker) of each marked line, whatever the length of the log."""
    offset = 0

    def read():
        nonlocal offset
        chunk = os.pread(fd, _CHUNK, offset)
        offset += len(chunk)
        return chunk

    return _marked(read)


def of_file(path):
    """(number, text) of each line; nothing where there is no such file. A pipe in its place is not waited for, and a
    device, which may never end, not read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return
    with open(fd, "rb") as file:
        if stat.S_ISCHR(os.fstat(fd).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        for number, line in enumerate(iter(lambda: _line(file), b""), 1):
            yield number, line.rstrip(b"\r\n")


def _line(file):
    """A line that is far too long is cut: it is no report, and must not fill the memory."""
    line = file.readline(LINE_LIMIT + 2)
    rest = line
    while len(rest) == LINE_LIMIT + 2 and not rest.endswith(b"\n"):
        rest = file.readline(LINE_LIMIT + 2)
    return line


def _marked(read):
    number = 1  # of the line that `rest` begins
    rest = b""
    for chunk in iter(read, b""):
        text = rest + chunk
        end = text.rfind(b"\n") + 1
        for at, found in _starts(text, end, number):
            yield found, text[at + len(MARKER) : text.index(b"\n", at)].rstrip(b"\r")
        number += text.count(b"\n", 0, end)
        rest = text[end : end + LINE_LIMIT + len(MARKER) + 1]
    if rest.startswith(MARKER):
        yield number, rest[len(MARKER) :].rstrip(b"\r")


def _starts(text, end, number):
    """(place, number of the line) of each marker that a line before `end` begins with."""
    counted = 0
    at = 0 if text.startswith(MARKER) else _next(text, 0)
    while 0 <= at < end:
        number += text.count(b"\n", counted, at)
        counted = at
        yield at, number
        at = _next(text, at)


def _next(text, at):
    found = text.find(b"\n" + MARKER, at)
    return found + 1 if found >= 0 else -1
