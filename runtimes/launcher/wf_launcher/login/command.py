"""The commands of a login node. Each takes its request from stdin and answers with one JSON object on stdout."""

import json
import sys

from .. import sharing
from ..failure import how_full, is_no_space


EXIT_DISK_FULL = 77


def login(arguments):
    """The exit code, or None for what is no command of a login node."""
    if len(arguments) > 1 and arguments[1].startswith("/"):
        sharing.follow(arguments[1])
    try:
        return _obey(arguments)
    except OSError as error:
        if not is_no_space(error):
            raise
        sys.stderr.write("{}{}\n".format(error.strerror, how_full(error, arguments[1])))
        return EXIT_DISK_FULL


def _obey(arguments):
    shape = (arguments[0], len(arguments) - 1) if arguments else None
    if shape == ("watch", 2):
        from .watch import watch

        return watch(*arguments[1:])
    if shape == ("unpack", 1):
        from .unpack import unpack

        return unpack(arguments[1])
    if shape == ("store", 1):
        from ..away.store_server import serve_store

        return serve_store(arguments[1])
    if shape == ("look", 2):
        from .look import look

        return _answer(look(arguments[1], arguments[2], _request()))
    if shape == ("settle", 2):
        from .settle import settle

        return _answer(settle(arguments[1], arguments[2], _request()))
    if shape == ("cancel", 2):
        from .cancel import cancel

        return _answer(cancel(arguments[1], arguments[2], _request()))
    if shape == ("condor-collect", 2):
        from .condor_collect import condor_collect

        return _answer(condor_collect(arguments[1], arguments[2], _request()))
    if shape is not None and shape[0].startswith("mail-") and shape[1] == 2:
        from . import mail

        acts = {"post": mail.post, "cancel": mail.cancel, "settle": mail.settle, "close": mail.close}
        act = acts.get(shape[0].partition("-")[2])
        return None if act is None else _answer(act(arguments[1], arguments[2], _request()))
    if shape == ("sweep", 1):
        from .sweep import sweep

        return _answer(sweep(arguments[1], _request()))
    if shape == ("verify", 1):
        from .verify import verify

        return _answer(verify(arguments[1]))
    if shape in (("slurm-submit", 1), ("slurm-recall", 1), ("condor-submit", 1), ("condor-recall", 1)):
        return _hand_over(*arguments)
    return None


def _hand_over(command, folder):
    from .submitting import recall, submit

    name, _, act = command.partition("-")
    if name == "slurm":
        from .slurm import Slurm as Scheduler
    else:
        from .condor import Condor as Scheduler
    return _answer(submit(folder, _request(), Scheduler()) if act == "submit" else recall(folder, Scheduler()))


def _request():
    return json.loads(sys.stdin.buffer.read().decode("utf-8"))


def _answer(document):
    sys.stdout.write(json.dumps(document) + "\n")
    return 0
