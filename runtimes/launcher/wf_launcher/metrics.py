"""What a task reports: one JSON object a line, in the file that WF_METRICS names."""

import json
import math

_PLAIN = (str, int, float, bool, type(None))


def read(path):
    """[{name: number, text, boolean or None}]. NaN and infinities become None; a line that is not an object, and a value
    that is not plain, are left out."""
    steps = []
    try:
        with open(path, "rb") as file:
            for line in file:
                step = _step(line)
                if step:
                    steps.append(step)
    except OSError:
        pass
    return steps


def _step(line):
    try:
        step = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(step, dict):
        return None
    return {name: _finite(value) for name, value in step.items() if isinstance(value, _PLAIN)}


def _finite(value):
    return None if isinstance(value, float) and not math.isfinite(value) else value
