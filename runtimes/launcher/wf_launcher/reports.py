"""What a task says of itself: numbers by step, pictures, and a summary. One JSON object a line:

    {"step": 3, "loss": 0.2, "dice": 0.91}
    {"image": "prediction", "path": "prediction.png", "step": 3}
    {"summary": {"classes": ["a", "b"], "best_epoch": 7}}

Law: a line that makes no sense is told of, and harms nothing else.
"""

import math

from . import quick_json, report_lines
from .report_steps import LIMIT, Steps

WARNINGS = 20
_NAME_LIMIT = 200
_PLAIN = (str, int, float, bool, type(None))


class Reports:
    def __init__(self):
        self.steps = []
        self.pictures = []  # NamedPicture, in order
        self.summary = {}
        self.warnings = []


class NamedPicture:
    """A picture as the task names it; `path` is text."""

    __slots__ = ("name", "path", "step", "where")

    def __init__(self, name, path, step, where):
        self.name = name
        self.path = path
        self.step = step
        self.where = where


def read(sandbox):
    reader = _Reader()
    file = sandbox.folder + "/metrics.jsonl"
    for source, lines in ("stdout", report_lines.of_stream(sandbox.stdout)), ("metrics", report_lines.of_file(file)):
        try:
            for number, text in lines:
                reader.take(text, "{} line {}".format(source, number))
        except OSError as error:
            reader.warn("{} cannot be read: {}".format(source, error.strerror or error))
    return reader.finish()


def steps_left_in(folder):
    """The numbers that an attempt had written, of which nobody is left to ask. Its standard output is passed over."""
    reader = _Reader()
    try:
        for number, text in report_lines.of_file(folder + "/metrics.jsonl"):
            reader.take(text, "metrics line {}".format(number))
    except OSError:
        pass
    return reader.finish().steps


def told(warnings):
    """At most WARNINGS of them, and how many more there are."""
    if len(warnings) <= WARNINGS:
        return warnings
    return warnings[:WARNINGS] + ["{} more of the kind".format(len(warnings) - WARNINGS)]


class _Reader:
    def __init__(self):
        self._reports = Reports()
        self._steps = Steps()
        self._told = set()  # what is told once a name

    def take(self, text, where):
        if not text.strip():
            return
        if len(text) > report_lines.LINE_LIMIT:
            self.warn("{}: longer than {} bytes, and left out".format(where, report_lines.LINE_LIMIT))
            return
        try:
            line = quick_json.loads(text.decode("utf-8"))
        except (ValueError, RecursionError):
            self.warn("{}: no JSON: {}".format(where, _excerpt(text)))
            return
        if not quick_json.is_nested_within(line, quick_json.MOST_NESTED):
            self.warn("{}: nested more than {} deep, and left out".format(where, quick_json.MOST_NESTED))
        elif not isinstance(line, dict):
            self.warn("{}: no JSON object: {}".format(where, _excerpt(text)))
        elif isinstance(line.get("image"), str) and isinstance(line.get("path"), str):
            self._take_picture(line, where)
        else:
            self._take_numbers(line, where)

    def _take_picture(self, line, where):
        step = line.get("step")
        is_number = isinstance(step, (int, float)) and not isinstance(step, bool)
        step = step if is_number and _is_finite(step) else None
        self._reports.pictures.append(NamedPicture(line["image"], line["path"], step, where))
        more = sorted(set(line) - {"image", "path", "step"})
        if more:
            self._once(("picture", tuple(more)), "{}: a picture has no {}".format(where, ", ".join(more)))

    def _take_numbers(self, line, where):
        if isinstance(line.get("summary"), dict):
            summary = line.pop("summary")
            self._reports.summary.update(
                {name: self._jsonable(value, "summary." + name, where) for name, value in summary.items()}
            )
        step = {}
        for name, value in line.items():
            if len(name) > _NAME_LIMIT:
                self._once(("name", ""), "{}: a name is longer than {} characters".format(where, _NAME_LIMIT))
            elif isinstance(value, _PLAIN):
                step[name] = self._number(value, name, where)
            else:
                reason = "{}: {} is no number, text, true or false, and was left out".format(where, name)
                self._once(("plain", name), reason)
        if step and not self._steps.add(step):
            self._once(("kinds", ""), "{}: too many kinds of lines; this one was left out".format(where))

    def _number(self, value, name, where):
        """JSON has no NaN and no infinities: they are kept as text."""
        if isinstance(value, (str, bool, type(None))) or _is_finite(value):
            return value
        text = _not_finite(value)
        self._once((text, name), "{}: {} is {}".format(where, name, text))
        return text

    def _jsonable(self, value, name, where):
        if isinstance(value, dict):
            return {key: self._jsonable(item, "{}.{}".format(name, key), where) for key, item in value.items()}
        if isinstance(value, list):
            return [self._jsonable(item, name, where) for item in value]
        return self._number(value, name, where)

    def _once(self, what, message):
        if what not in self._told:
            self._told.add(what)
            self.warn(message)

    def warn(self, message):
        self._reports.warnings.append(message)

    def finish(self):
        self._reports.steps = self._steps.in_order()
        for lines, kept in self._steps.thinned:
            self.warn("{} lines of one kind were reported; {} of them are kept (limit {})".format(lines, kept, LIMIT))
        return self._reports


def _is_finite(number):
    try:
        return math.isfinite(number)
    except OverflowError:
        return False  # an integer beyond all doubles


def _not_finite(number):
    if number != number:
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


def _excerpt(text):
    shown = text[:60].decode("utf-8", "replace")
    return shown if len(text) <= 60 else shown + "..."
