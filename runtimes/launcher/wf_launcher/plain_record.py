"""The record of the plainest attempt: it succeeded, nothing was staged, written, sampled or left. There may be
thousands of these in a second, so a template writes what `describe` and an encoder would (a test compares them)."""

from . import record
from .quick_json import quoted
from .usage import PLAIN_TEMPLATE

_TEMPLATE = (
    '{"version":%d,"run":%s,"job":%s,"task":%s,"attempt":%s,"state":"succeeded","failure":null,"exitCode":0,'
    '"signal":null,"host":%s,"pid":%d,"bootId":%s,"startedAt":%.6f,"endedAt":%.6f,"usage":'
    + PLAIN_TEMPLATE
    + ',"stagedIn":{"files":0,"bytes":0,"seconds":0},'
    '"stagedOut":{"files":0,"bytes":0,"seconds":0},"outputs":{},"undeclared":[],"leftoverProcesses":0,"gpus":[],'
    '"metrics":[],"series":[]}'
)
_HOST = quoted(record.HOST)
_BOOT_ID = "null" if record.BOOT_ID is None else quoted(record.BOOT_ID)


def is_plain(attempt):
    """Of an attempt that succeeded and left its sandbox untouched."""
    return attempt.totals.has_io and not attempt.gpus and not attempt.leftovers and attempt.series is None


def encode(attempt):
    values = (
        record.VERSION,
        quoted(attempt.job["run"]),
        quoted(attempt.job["job"]),
        quoted(attempt.spec["task"]),
        quoted(attempt.id),
        _HOST,
        attempt.pid,
        _BOOT_ID,
        attempt.started_at,
        attempt.ended_at,
    )
    figures = attempt.totals.plain_figures(attempt.ended - attempt.started)
    return (_TEMPLATE % (values + figures)).encode("ascii")
