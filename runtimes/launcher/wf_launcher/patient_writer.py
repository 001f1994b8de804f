"""A scheduler that ends a job may signal its tasks before the launcher. Their failures wait a moment for what follows."""

from . import quick_json, record

_PATIENCE_SECONDS = 0.25
_AMBIGUOUS = ("exit", "signal")


class PatientWriter:
    """Law: a task that ended because its job was told to end is recorded as interrupted, whoever heard of it first."""

    def __init__(self, writer, loop):
        self._writer = writer
        self._loop = loop
        self._waiting = set()
        self._interruption = None

    @property
    def pending(self):
        return self._writer.pending | self._waiting

    @property
    def lost(self):
        return self._writer.lost

    @property
    def is_disk_full(self):
        return self._writer.is_disk_full

    def interrupt(self, failure):
        self._interruption = failure

    def write(self, attempt, content, then):
        if not _is_ambiguous(content):
            self._writer.write(attempt, content, then)
            return
        self._waiting.add(attempt)
        patience_seconds = 0 if self._interruption is not None else _PATIENCE_SECONDS
        self._loop.after(patience_seconds, lambda: self._write_late(attempt, content, then))

    def _write_late(self, attempt, content, then):
        if self._interruption is not None:
            document = quick_json.loads(content.decode("utf-8"))
            content = record.encode(dict(document, failure=self._interruption.document()))
        self._writer.write(attempt, content, then)
        self._waiting.discard(attempt)


def _is_ambiguous(content):
    if b'"state":"failed"' not in content:
        return False
    failure = quick_json.loads(content.decode("utf-8"))["failure"]
    return failure is not None and failure["class"] in _AMBIGUOUS
