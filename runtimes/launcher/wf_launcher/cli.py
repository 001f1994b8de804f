"""The command line. Parsed by hand: argparse costs more than the rest of the start."""

import os
import sys

from . import VERSION

USAGE = """usage: wf-launcher serve --run RUN --storage DIR --socket PATH [--linger SECONDS]
       wf-launcher run JOB.json [MARKER]
       wf-launcher away JOB.json OUT
       wf-launcher pilot STORAGE RUN NAME TERMS.json
       wf-launcher ranks|rank LAUNCH.json
       wf-launcher watch STORAGE RUN
       wf-launcher store STORAGE
       wf-launcher look|settle|cancel STORAGE RUN < REQUEST.json
       wf-launcher condor-collect STORAGE RUN < REQUEST.json
       wf-launcher mail-post|mail-cancel|mail-settle|mail-close STORAGE RUN < REQUEST.json
       wf-launcher slurm-submit|condor-submit FOLDER < SUBMISSION.json
       wf-launcher slurm-recall|condor-recall FOLDER
       wf-launcher sweep STORAGE < REQUEST.json
       wf-launcher verify STORAGE
       wf-launcher unpack FOLDER
       wf-launcher dag run NODE | prepare KEY | gather
       wf-launcher prepare [--look] WISH.json
       wf-launcher prepare --project DIR --runtimes DIR
       wf-launcher setup-changes
       wf-launcher --version
"""
EXIT_USAGE = 2
_NEEDED = {"--run", "--storage", "--socket"}
_OWN_FILES = "/dev/fd"


def main(arguments):
    if arguments[:1] == ["run"] and len(arguments) in (2, 3):
        _order_files()
        from .run import run

        return run(*arguments[1:])
    if arguments[:1] == ["dag"] and len(arguments) > 1:
        _order_files()
        from .dag.command import dag

        code = dag(arguments[1:])
        if code is not None:
            return code
    from .login.command import login

    code = login(arguments)
    if code is not None:
        return code
    _order_files()
    if arguments == ["--version"]:
        print(VERSION)
        return 0
    if arguments == ["setup-changes"]:
        from .setup_changes import print_changes

        return print_changes(os.environ)
    if arguments[:1] == ["serve"]:
        options = _serve_options(arguments[1:])
        if options is not None:
            from .serve import serve

            return serve(*options)
    if arguments[:1] == ["away"] and len(arguments) == 3:
        from .away.away import away

        return away(*arguments[1:])
    if arguments[:1] == ["pilot"] and len(arguments) == 5:
        from .pilot import pilot

        return pilot(*arguments[1:])
    if arguments[:1] == ["ranks"] and len(arguments) == 2:
        from .ranks.start import start

        return start(arguments[1])
    if arguments[:1] == ["rank"] and len(arguments) == 2:
        from .ranks.rank import rank

        return rank(arguments[1])
    if arguments[:1] == ["prepare"]:
        from .prepare.command import prepare

        code = prepare(arguments[1:])
        if code is not None:
            return code
    sys.stderr.write(USAGE)
    return EXIT_USAGE


def _serve_options(arguments):
    """(run, storage, socket path, linger seconds), or None for what makes no sense."""
    given = dict(zip(arguments[::2], arguments[1::2]))
    if len(arguments) % 2 or not _NEEDED <= set(given) <= _NEEDED | {"--linger"}:
        return None
    try:
        linger_seconds = float(given.get("--linger", "30"))
    except ValueError:
        return None
    return given["--run"], given["--storage"], given["--socket"], linger_seconds


def _order_files():
    """Tasks inherit the launcher's stdin, which is empty, and no other file that the launcher was started with. A file
    that happens to get number 1 or 2 would become a task's stream, so none of them stays closed."""
    fd = os.open("/dev/null", os.O_RDWR)
    while fd <= 2:
        fd = os.dup(fd)
    os.dup2(fd, 0)
    os.close(fd)
    for name in os.listdir(_OWN_FILES) if os.path.isdir(_OWN_FILES) else ():
        if int(name) > 2:
            try:
                os.set_inheritable(int(name), False)
            except OSError:
                pass  # the one that the list itself was read from
