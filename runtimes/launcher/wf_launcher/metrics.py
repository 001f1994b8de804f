"""What a task reports: one JSON object a line, in the file that WF_METRICS names."""

import json
import math
import os

_PLAIN = (str, int, float, bool, type(None))


def read(path):
    """[{name: number, text, boolean or None}]. NaN and infinities become None; a line that is not an object and a value
    that is not plain are left out."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return []
    with open(fd, "rb") as file:
        return [step for step in map(_step, file) if step]


def _step(line):
    try:
        step = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(step, dict):
        return None
    return {name: _finite(value) for name, value in step.items() if isinstance(value, _PLAIN)}


def _finite(value):
    try:
        return value if isinstance(value, (str, bool, type(None))) or math.isfinite(value) else None
    except OverflowError:
        return None  # an integer beyond all doubles
