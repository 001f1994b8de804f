"""The program that starts the ranks of a task: the launcher itself, srun within a job of SLURM, torchrun or mpirun."""

import os
import sys

from .. import environment
from ..failure import Failure
from . import launch_file

# A zip file, or the folder that holds the package: python runs either.
CODE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_LOOPBACK = "127.0.0.1"


def own_command(*arguments):
    return [sys.executable, "-I", "-S", CODE] + list(arguments)


def prepare(attempt, variables, site):
    """(argv, environment) of the program that starts the ranks. Raises Failure where there is none."""
    path = launch_file.write(attempt, variables, site.folder.storage)
    launch = attempt.spec["ranks"]["launch"]
    rank = own_command("rank", path)
    if launch is None and not site.has_srun:
        return own_command("ranks", path), variables
    if site.has_srun:
        variables = dict(variables, **{name: os.environ[name] for name in os.environ if name.startswith("SLURM")})
    if launch is None:
        return _srun(attempt.spec, attempt.spec["ranks"]["perNode"]) + rank, variables
    program = _found(launch, variables, attempt.sandbox.path)
    if launch == "mpirun":
        return [program, "-np", str(launch_file.world_size(attempt.spec))] + rank, variables
    return _torchrun(program, attempt, launch_file.read(path)["masterPort"], site.has_srun) + rank, variables


def _srun(spec, per_node):
    """A rank that fails ends the others. Which ones they are is told by the launcher's rank, so srun prints nothing."""
    ranks = spec["ranks"]
    return [
        environment.first_executable("srun", os.environ.get("PATH", os.defpath), "/") or "srun",
        "--nodes={}".format(ranks["nodes"]),
        "--ntasks={}".format(ranks["nodes"] * per_node),
        "--ntasks-per-node={}".format(per_node),
        "--cpus-per-task={}".format(max(1, int(spec["cpus"] / ranks["nodes"] / per_node))),
        "--kill-on-bad-exit=1",
        "--wait=0",
        "--mpi=none",
        "--input=none",
        "--export=ALL",
    ]


def _torchrun(program, attempt, port, has_srun):
    """One agent a node; on a site of one machine, one for all ranks."""
    ranks = attempt.spec["ranks"]
    nodes = ranks["nodes"] if has_srun else 1
    address = _own_address() if nodes > 1 else _LOOPBACK
    agent = [
        program,
        "--nnodes={}".format(nodes),
        "--nproc_per_node={}".format(launch_file.world_size(attempt.spec) // nodes),
        "--max_restarts=0",
        "--rdzv_backend=c10d",
        "--rdzv_endpoint={}:{}".format(address, port),
        "--rdzv_id={}".format(attempt.id),
        "--no_python",
    ]
    return _srun(attempt.spec, 1) + agent if nodes > 1 else agent


def _own_address():
    import socket

    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return _LOOPBACK


def _found(launch, variables, sandbox):
    program = environment.first_executable(launch, variables["PATH"], sandbox)
    if program is None:
        raise Failure(
            "not-started",
            "its processes are to be started by {0}, but there is no {0} on its PATH; install it in the task's runtime, or "
            "leave `launch` out of the task".format(launch),
        )
    return program
