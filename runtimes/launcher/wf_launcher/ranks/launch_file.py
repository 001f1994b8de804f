"""`ranks/launch.json` of an attempt: what each of its ranks has to know.

Law: values of variables are not in it, since some are secret. They come in the environment of who starts the ranks.
"""

import json
import os

from .. import whole_file


def write(attempt, variables, storage):
    """Returns its path. `variables`: what the task sees."""
    spec = attempt.spec
    size = world_size(spec)
    folder = attempt.sandbox.folder
    os.mkdir(folder + "/ranks")
    document = {
        "run": attempt.job["run"],
        "job": attempt.job["job"],
        "task": spec["task"],
        "attempt": attempt.id,
        "storage": storage,
        "folder": folder,
        "argv": spec["argv"],
        "variables": sorted(variables),
        "size": size,
        "cpus": spec["cpus"] / size,
        "memoryBytes": spec["memoryBytes"] / size,
        "gpus": spec["gpus"] // size,
        "graceSeconds": spec["graceSeconds"],
        "masterPort": _free_port(),
    }
    path = folder + "/ranks/launch.json"
    whole_file.write(path, json.dumps(document).encode("ascii"))
    return path


def read(path):
    with open(path, encoding="ascii") as file:
        return json.load(file)


def world_size(spec):
    return spec["ranks"]["nodes"] * spec["ranks"]["perNode"]


def rendezvous(folder):
    return folder + "/rendezvous"


def rank_record(folder, rank):
    return "{}/ranks/{}.json".format(folder, rank)


def stream(folder, rank, name):
    """The first rank speaks for the task: its streams are the task's."""
    return "{}/{}".format(folder, name) if rank == 0 else "{}/ranks/{}.{}".format(folder, rank, name)


def metrics(folder, rank):
    """What other ranks report than the first is kept beside their logs, and is not the task's."""
    return folder + "/metrics.jsonl" if rank == 0 else "{}/ranks/{}.jsonl".format(folder, rank)


def _free_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]
