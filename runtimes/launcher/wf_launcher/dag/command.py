"""`dag`: what the jobs of an exported DAG do, in the folder of the export."""

import os

from ..log import log
from .documents import FOR_GOOD, Refusal


def dag(arguments):
    """None for arguments that make no sense."""
    _know_the_user()
    try:
        if arguments[0] == "run" and len(arguments) == 2:
            from .node import run_node

            return run_node(os.getcwd(), arguments[1])
        if arguments[0] == "prepare" and len(arguments) == 2:
            from .runtime import prepare_runtime

            return prepare_runtime(os.getcwd(), arguments[1])
        if arguments == ["gather"]:
            from .gather import gather

            return gather(os.getcwd())
    except Refusal as refusal:
        log(str(refusal))
        return FOR_GOOD
    return None


def _know_the_user():
    """HTCondor does not say who a job belongs to, and where that user is at home."""
    import pwd

    try:
        user = pwd.getpwuid(os.getuid())
    except KeyError:
        return
    for name, value in (("HOME", user.pw_dir), ("USER", user.pw_name), ("LOGNAME", user.pw_name)):
        os.environ.setdefault(name, value)
