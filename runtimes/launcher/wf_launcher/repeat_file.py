"""`command.json` beside a kept sandbox: what a person needs to repeat the attempt there."""

from . import whole_file


def write(attempt, setup):
    """Law: the value of a secret is in no file. Of secrets only the names are written."""
    import json

    spec = attempt.spec
    folder = attempt.sandbox.folder
    secrets = spec.get("secrets", [])
    env = {}
    if setup is not None:
        setup.apply(env, attempt.job)
    env.update(
        TMPDIR=folder + "/sandbox/tmp",
        WF_ATTEMPT=attempt.id,
        WF_CPUS="%g" % spec["cpus"],
        WF_METRICS=folder + "/metrics.jsonl",
        WF_RUN=attempt.job["run"],
        WF_TASK=folder + "/task.json",
        WF_TASK_NAME=spec["task"],
    )
    env.update((name, value) for name, value in spec["env"].items() if name not in secrets)
    path = spec.get("path", [])
    if "PATH" in env:
        env["PATH"] = ":".join(path + [env["PATH"]])
        path = []
    argv = spec["argv"]
    if attempt.ranks is not None:
        from .ranks import starter

        argv = starter.own_command("ranks", folder + "/ranks/launch.json")
    document = {"argv": argv, "env": env, "secrets": secrets, "path": path}
    content = json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogateescape")
    whole_file.write(folder + "/command.json", content)
