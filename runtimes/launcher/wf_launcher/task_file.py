"""`task.json` beside the sandbox: what a task may want to know of itself, named by WF_TASK."""

from . import checkpoint, quick_json


def is_needed(spec):
    return bool(spec["inputs"] or spec["outputs"] or spec["params"])


def encode(attempt):
    spec = attempt.spec
    document = {
        "task": spec["task"],
        "attempt": attempt.id,
        "run": attempt.job["run"],
        "inputs": {} if attempt.staged is None else attempt.staged.paths,
        "outputs": {output["name"]: output["path"] for output in spec["outputs"]},
        "params": spec["params"],
        "cpus": spec["cpus"],
        "memoryBytes": spec["memoryBytes"],
        "gpus": attempt.gpus,
        "timeLimitSeconds": spec["timeLimitSeconds"],
    }
    own = checkpoint.output_of(spec)
    if own is not None:
        began_with = spec["checkpoint"].get("from")
        document["checkpoint"] = {
            "output": own["name"],
            "path": own["path"],
            "kind": own["kind"],
            "from": None if began_with is None else began_with["hash"],
        }
    return quick_json.encode(document).encode("ascii") + b"\n"
