"""What tasks of a DAG have come to. Attempts are numbered by folders that only one process can make.

Law: of all attempts of a task, the first that ended well and said so is its result; no other takes its place.
"""

import os

from .. import forms, quick_json, record
from ..log import log
from ..names import native


class Results:
    def __init__(self, folder):
        self._folder = folder
        self._results = folder.root + "/results"
        self._claims = folder.root + "/claims"
        for path in (self._results, self._claims):
            os.makedirs(path, exist_ok=True)

    def of(self, task):
        """{attempt, outputs, metrics}, or None while there is none."""
        content = record.read(self._path(task))
        return None if content is None else quick_json.loads(content.decode("utf-8"))

    def settle(self, task, metrics):
        """Its result, where an attempt has left a good record. `metrics` are those that it has to report."""
        known = self.of(task)
        if known is not None:
            return known
        reported = {}
        for document in self.records(task):
            reported.update(last_metrics(document))
            if document["state"] == "succeeded" and why_not_good(reported, metrics) is None:
                result = {"attempt": document["attempt"], "outputs": document["outputs"], "metrics": reported}
                record.publish_once(self._path(task), record.encode(result))
                return self.of(task)
        return None

    def records(self, task):
        """Of its attempts so far, those that left one."""
        number = 1
        while os.path.isdir(self._claim(task, number)):
            document = self.record(attempt_name(task, number))
            if document is not None:
                yield document
            number += 1

    def record(self, attempt):
        """None where there is none, or one that no launcher writes."""
        content = record.read(self._folder.record(attempt))
        if content is None:
            return None
        document = quick_json.loads(content.decode("utf-8"))
        try:
            forms.check_record(document, attempt)
        except (ValueError, RecursionError) as error:
            log("the record of {} is not one that a launcher writes: {}".format(attempt, error))
            return None
        return document

    def claim(self, task):
        """The name of a new attempt, which nobody else gets."""
        number = 1
        while True:
            try:
                os.mkdir(self._claim(task, number))
                return attempt_name(task, number)
            except FileExistsError:
                number += 1

    def _path(self, task):
        return "{}/{}.json".format(self._results, native(task.replace("/", "~")))

    def _claim(self, task, number):
        return "{}/{}".format(self._claims, native(attempt_name(task, number)))


def attempt_name(task, number):
    """Law: what `attemptName` in TypeScript makes of the same."""
    return "{}@{}".format(task.replace("/", "~"), number)


def last_metrics(document):
    """The last number under each name."""
    last = {}
    for line in document["metrics"]:
        for name, value in line.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                last[name] = value
    return last


def why_not_good(reported, metrics):
    missing = [name for name in metrics if name not in reported]
    return None if not missing else "it never reported its metric {}".format(", ".join(missing))
