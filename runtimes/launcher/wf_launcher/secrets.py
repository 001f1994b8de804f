"""Values of secrets on their way to a job: in no file and in no listing of jobs that can be read.

SLURM hands them on in WF_SECRETS, which nobody else sees. What HTCondor hands on lies in the job's ad, which everybody
may read; so they are added to random bytes. The sum lies in a file of the user's own, the bytes go as WF_SECRETS_PAD;
neither alone tells anything.
"""

import os

from . import quick_json


def hide(secrets, path):
    """Writes the file. Returns the value of WF_SECRETS_PAD."""
    import json

    content = json.dumps(secrets).encode("utf-8")
    pad = os.urandom(len(content))
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(fd, "wb") as file:
        file.write(_added(content, pad))
    return pad.hex()


def take(environment, path):
    """{NAME: VALUE} of a job, whose file, if it has one, is at `path`. No task inherits them from the launcher."""
    plain = environment.pop("WF_SECRETS", None)
    pad = environment.pop("WF_SECRETS_PAD", None)
    if pad:
        with open(path, "rb") as file:
            plain = _added(file.read(), bytes.fromhex(pad)).decode("utf-8")
    return quick_json.loads(plain or "{}")


def give(job, values):
    """To each task those that it names."""
    for spec in job["tasks"]:
        spec["env"].update((name, values[name]) for name in spec.get("secrets", ()) if name in values)


def _added(content, pad):
    return bytes(one ^ other for one, other in zip(content, pad))
