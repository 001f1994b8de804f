"""`task.json` in the sandbox: what a task may want to know of itself, named by WF_TASK."""

import json


def is_needed(spec):
    return bool(spec["inputs"] or spec["outputs"] or spec["params"])


def write(attempt, sandbox):
    spec = attempt.spec
    document = {
        "task": spec["task"],
        "attempt": attempt.id,
        "run": attempt.job["run"],
        "inputs": attempt.staged.paths,
        "outputs": {output["name"]: output["path"] for output in spec["outputs"]},
        "params": spec["params"],
        "cpus": spec["cpus"],
        "memoryBytes": spec["memoryBytes"],
        "gpus": attempt.gpus,
        "timeLimitSeconds": spec["timeLimitSeconds"],
    }
    with open(sandbox + "/task.json", "wb") as file:
        file.write(json.dumps(document).encode("ascii") + b"\n")
