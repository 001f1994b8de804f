"""`command.json` beside a kept sandbox: what a person needs to repeat the attempt there."""


def write(attempt):
    """Law: the value of a secret is in no file. Of secrets only the names are written."""
    import json

    spec = attempt.spec
    folder = attempt.sandbox.folder
    secrets = spec.get("secrets", [])
    env = {
        "TMPDIR": folder + "/sandbox/tmp",
        "WF_ATTEMPT": attempt.id,
        "WF_CPUS": "%g" % spec["cpus"],
        "WF_METRICS": folder + "/metrics.jsonl",
        "WF_RUN": attempt.job["run"],
        "WF_TASK": folder + "/task.json",
        "WF_TASK_NAME": spec["task"],
    }
    env.update((name, value) for name, value in spec["env"].items() if name not in secrets)
    argv = spec["argv"]
    if attempt.ranks is not None:
        from .ranks import starter

        argv = starter.own_command("ranks", folder + "/ranks/launch.json")
    document = {"argv": argv, "env": env, "secrets": secrets, "path": spec.get("path", [])}
    with open(folder + "/command.json", "w", encoding="utf-8", errors="surrogateescape") as file:
        json.dump(document, file, ensure_ascii=False)
