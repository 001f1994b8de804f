"""One node: the tasks of it that have no result yet, each as a new attempt, in this very process."""

import os
import sys

from .. import quick_json, record, whole_file
from ..folders import RunFolder
from ..log import log
from . import rendering
from .content import Content
from .documents import FOR_GOOD, node_path, read
from .formulas import Formulas
from .results import Results, last_metrics, why_not_good
from .runtime import folder_of
from .secret_files import read_secret

_CODE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_SANDBOX = "\0sandbox\0"
_OWN = ("later", "metrics", "secretNames", "runtime")
_FAILED = 1
_IN_VAIN = ("cancelled", "input-changed", "not-started", "disk-full")
_PLACE_IS_GONE = ("slice-ended", "time-limit")


def run_node(storage, name):
    document = read(node_path(storage, name))
    folder = RunFolder(storage, document["run"])
    folder.make()
    results = Results(folder)
    open_tasks = [task for task in document["tasks"] if results.settle(task["task"], task["metrics"]) is None]
    if not open_tasks:
        log("nothing to do: all of {} has ended well before".format(name))
        return 0
    content = Content(folder)
    try:
        specs = [_spec(task, storage, folder, results, Formulas(results, content)) for task in open_tasks]
    finally:
        content.close()
    secrets = _secrets(open_tasks, storage)
    path = _write_job(dict(document, storage=storage, tasks=specs), folder, specs[0]["attempt"])
    if secrets:
        os.environ["WF_SECRETS"] = quick_json.encode(secrets)
    from ..run import run

    run(path)
    return _conclude(name, open_tasks, specs, folder, results)


def _spec(task, storage, folder, results, formulas):
    """The task as the launcher runs it, with nothing left open."""
    spec = {name: value for name, value in task.items() if name not in _OWN}
    later = task["later"]
    inputs = {name: _input(formulas, wanted) for name, wanted in later["inputs"].items()}
    params = {name: formulas.json(formula) for name, formula in later["params"].items()}
    attempt = results.claim(task["task"])
    sandbox = folder.attempt(attempt) + "/sandbox"
    spec["attempt"] = attempt
    spec["argv"] = rendering.fill(
        spec["argv"],
        {
            "inputs": {name: rendering.of_input(name, value) for name, value in inputs.items()},
            "params": {name: rendering.of_param(value) for name, value in params.items()},
        },
    )
    spec["env"] = {name: value.replace(_SANDBOX, sandbox) for name, value in spec["env"].items()}
    spec["params"] = dict(spec["params"], **params)
    spec["inputs"] = spec["inputs"] + [
        {"name": name, "path": rendering.input_path(name, value), "value": value, "how": later["inputs"][name]["how"]}
        for name, value in inputs.items()
        if value["kind"] != "absent"
    ]
    if "runtime" in task:
        spec["path"] = [folder_of(storage, task["runtime"])]
    if "checkpoint" in spec:
        left = [document["checkpoint"] for document in results.records(task["task"]) if "checkpoint" in document]
        spec["checkpoint"] = dict(spec["checkpoint"], **({"from": left[-1]} if left else {}))
    return spec


def _input(formulas, wanted):
    value = formulas.value(wanted["from"])
    return {"kind": "list", "items": []} if wanted["isMany"] and value["kind"] == "absent" else value


def _secrets(tasks, storage):
    return {
        variable: read_secret(storage, secret) for task in tasks for variable, secret in task["secretNames"].items()
    }


def _write_job(job, folder, attempt):
    """It stays, for who wants to know what exactly was run. Secrets are not in it."""
    jobs = folder.root + "/jobs"
    os.makedirs(jobs, exist_ok=True)
    path = "{}/{}.json".format(jobs, attempt)
    whole_file.write(path, record.encode(job))
    return path


def _conclude(name, tasks, specs, folder, results):
    failures = []
    goes_on = False
    for task, spec in zip(tasks, specs):
        if results.settle(task["task"], task["metrics"]) is not None:
            continue
        document = results.record(spec["attempt"])
        failure_class, says = _failure(document, task)
        goes_on = goes_on or (failure_class in _PLACE_IS_GONE and "checkpoint" in (document or {}))
        failures.append(failure_class)
        log("{}: {}; see {}".format(spec["attempt"], says, folder.attempt(spec["attempt"])))
    if goes_on:
        log("{} goes on from its checkpoint".format(name))
        os.chdir(folder.storage)
        os.execv(sys.executable, [sys.executable, "-I", "-S", _CODE, "dag", "run", name])
    if not failures:
        return 0
    return FOR_GOOD if all(failure in _IN_VAIN for failure in failures) else _FAILED


def _failure(document, task):
    if document is None:
        return "lost", "it left no record"
    if document["failure"] is not None:
        return document["failure"]["class"], document["failure"]["message"]
    return "output-missing", why_not_good(last_metrics(document), task["metrics"])
