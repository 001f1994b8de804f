"""The last node: puts the results where a person finds them, and says what happened.

Its status is that of the whole DAG, so it ends well only when every task has.
"""

import os

from .. import canonical, stage_in, whole_file
from ..failure import Failure
from ..folders import RunFolder
from ..names import is_inside, native
from ..sandbox import remove_tree
from .content import Content
from .documents import Refusal, read
from .formulas import Formulas
from .results import Results

_FAILED = 1
REPORT = "report.txt"
OUTPUTS = "outputs"
_DRAFT = ".draft"


def gather(storage):
    document = read(storage + "/gather.json")
    folder = RunFolder(storage, document["run"])
    folder.make()
    results = Results(folder)
    content = Content(folder)
    try:
        problems = _put_all(storage, document, folder, Formulas(results, content))
    finally:
        content.close()
    lines, is_good = _report(document["tasks"], folder, results)
    text = "\n".join(lines + problems) + "\n"
    whole_file.write("{}/{}".format(storage, REPORT), text.encode("utf-8"))
    os.write(2, text.encode("utf-8"))
    return 0 if is_good and not problems else _FAILED


def _put_all(storage, document, folder, formulas):
    """What could not be put there, in words."""
    problems = []
    for name, formula in document["outputs"].items():
        try:
            _put(storage, name, formulas.value(formula), folder)
        except (Refusal, Failure) as error:
            problems.append("outputs/{} is not there: {}".format(name, getattr(error, "message", error)))
    metrics = {}
    for name, formula in document["metrics"].items():
        try:
            metrics[name] = formulas.json(formula)
        except Refusal as error:
            problems.append("the metric {} is not known: {}".format(name, error))
    if metrics:
        os.makedirs("{}/{}".format(storage, OUTPUTS), exist_ok=True)
        whole_file.write("{}/{}/metrics.json".format(storage, OUTPUTS), canonical.canonical(metrics) + b"\n")
    return problems


def _put(storage, name, value, folder):
    """A copy of its own, whole as soon as it has its name; it takes the place of what was there."""
    if value["kind"] == "absent":
        return
    path = OUTPUTS + "/" + name + _ending(value)
    if not is_inside(path):
        raise Refusal("the path {!r} leaves the folder".format(path))
    target = "{}/{}".format(storage, native(path))
    _remove(target + _DRAFT)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    stage_in.stage([{"name": name, "path": path + _DRAFT, "value": value, "how": "own"}], storage, folder)
    _remove(target)
    os.rename(target + _DRAFT, target)


def _ending(value):
    if value["kind"] == "json":
        return ".json"
    dot = value["name"].find(".", 1) if value["kind"] == "file" else -1
    return value["name"][dot:] if dot > 0 else ""


def _remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        remove_tree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def _report(tasks, folder, results):
    failed = []
    waiting = 0
    for task in tasks:
        if results.of(task) is not None:
            continue
        records = list(results.records(task))
        if records:
            last = records[-1]
            says = "its result is not good" if last["failure"] is None else last["failure"]["message"]
            failed.append("{} failed: {}; see {}".format(task, says, folder.attempt(last["attempt"])))
        else:
            waiting += 1
    done = len(tasks) - len(failed) - waiting
    lines = ["{} of {} tasks have ended well".format(done, len(tasks))] + failed
    if waiting:
        lines.append("{} did not come to their end".format(waiting))
    return lines, done == len(tasks)
