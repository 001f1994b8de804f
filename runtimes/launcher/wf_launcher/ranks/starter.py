"""The program that starts the ranks of a task: the launcher itself, srun within a job of SLURM, torchrun or mpirun."""

import os
import sys

from .. import environment
from ..failure import Failure
from . import launch_file
from .signals import PassedOn, ThroughStep

# A zip file, or the folder that holds the package: python runs either.
CODE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_LOOPBACK = "127.0.0.1"


def own_command(*arguments):
    return [sys.executable, "-I", "-S", CODE] + list(arguments)


def prepare(attempt, variables, site):
    """(argv, environment, how to signal) of the program that starts the ranks. Raises Failure where there is none."""
    spec = attempt.spec
    launch = spec["ranks"]["launch"]
    program = None if launch is None else _found(launch, variables, attempt.sandbox.path)
    path = launch_file.write(attempt, variables, site.folder.storage)
    rank = own_command("rank", path)
    job_id = os.environ.get("SLURM_JOB_ID") if site.has_srun else None
    if job_id is None and launch is None:
        return own_command("ranks", path), variables, PassedOn()
    if job_id is not None:
        variables = dict(variables, **{name: os.environ[name] for name in os.environ if name.startswith("SLURM")})
    if launch is None:
        return _srun(spec, spec["ranks"]["perNode"]) + rank, variables, ThroughStep(job_id)
    if launch == "mpirun":
        return [program, "-np", str(launch_file.world_size(spec))] + rank, variables, PassedOn()
    nodes = 1 if job_id is None else spec["ranks"]["nodes"]
    agent = _torchrun(program, attempt, nodes, launch_file.read(path)["masterPort"])
    if nodes == 1:
        return agent + rank, variables, PassedOn()
    return _srun(spec, 1) + agent + rank, variables, ThroughStep(job_id)


def _srun(spec, per_node):
    """A rank that fails ends the others."""
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


def _torchrun(program, attempt, nodes, port):
    """The agent of one node; on a site of one machine, for all ranks."""
    address = _own_address() if nodes > 1 else _LOOPBACK
    return [
        program,
        "--nnodes={}".format(nodes),
        "--nproc_per_node={}".format(launch_file.world_size(attempt.spec) // nodes),
        "--max_restarts=0",
        # torch 1 under Python 3.11 trips over its own default; a rank's keeper prints nothing to stdout.
        "--redirects=1",
        "--tee=1",
        "--rdzv_backend=c10d",
        "--rdzv_endpoint={}:{}".format(address, port),
        "--rdzv_id={}".format(attempt.id),
        "--no_python",
    ]


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
