"""The edge at which a job comes in: its shape is checked once, and relied upon from then on."""

from .names import is_plain

VERSION = 1
_NUMBER = (int, float)
_JOB = {"run": str, "job": str, "storage": str, "cpus": _NUMBER, "memoryBytes": _NUMBER, "gpus": int, "tasks": list}
_TASK = {
    "task": str,
    "attempt": str,
    "after": list,
    "argv": list,
    "env": dict,
    "inputs": list,
    "outputs": list,
    "params": dict,
    "cpus": _NUMBER,
    "memoryBytes": _NUMBER,
    "gpus": int,
    "timeLimitSeconds": _NUMBER + (type(None),),
    "graceSeconds": _NUMBER,
    "warnSeconds": _NUMBER,
    "keepSandbox": str,
}
_INPUT = {"name": str, "path": str, "value": dict, "how": str}
_MISSING = object()
_OUTPUT = {"name": str, "path": str, "kind": str}
_RANKS = {"nodes": int, "perNode": int, "launch": (str, type(None))}


def check(job, run):
    """Raises ValueError, which says what is wrong."""
    _check_fields(job, _JOB, "job")
    if job.get("version") != VERSION:
        raise ValueError("this launcher reads version {} of a job, not {!r}".format(VERSION, job.get("version")))
    if run is not None and job["run"] != run:
        raise ValueError("this launcher serves run {}, not {}".format(run, job["run"]))
    if not is_plain(job["run"]):
        raise ValueError("not a run's name: {!r}".format(job["run"]))
    if not job["tasks"]:
        raise ValueError("a job needs a task")
    for task in job["tasks"]:
        _check_fields(task, _TASK, "task")
        if not is_plain(task["attempt"]):
            raise ValueError("not an attempt's name: {!r}".format(task["attempt"]))
        if not task["argv"]:
            raise ValueError("task {} has no command".format(task["task"]))
        if "ranks" in task:
            _check_fields(task["ranks"], _RANKS, "way to start ranks")
            if len(job["tasks"]) > 1:
                raise ValueError("task {} is distributed, and not alone in its job".format(task["task"]))
        for item in task["inputs"]:
            _check_fields(item, _INPUT, "input")
        for item in task["outputs"]:
            _check_fields(item, _OUTPUT, "output")


def nodes_of(job):
    """How many nodes a job lies on. A distributed task is alone in its job."""
    return job["tasks"][0].get("ranks", {}).get("nodes", 1)


def _check_fields(document, fields, what):
    if not isinstance(document, dict):
        raise ValueError("not a {}: {!r}".format(what, document))
    for name, kinds in fields.items():
        if not isinstance(document.get(name, _MISSING), kinds):
            raise ValueError("{} without a proper {}: {!r}".format(what, name, document.get(name)))
