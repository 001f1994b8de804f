"""The command line. Parsed by hand: argparse costs more than the rest of the start."""

import os
import sys

from . import VERSION

USAGE = """usage: wf-launcher serve --run RUN --storage DIR --socket PATH [--linger SECONDS]
       wf-launcher run JOB.json
       wf-launcher --version
"""
EXIT_USAGE = 2
_OWN_FILES = "/dev/fd"


def main(arguments):
    _order_files()
    if arguments == ["--version"]:
        print(VERSION)
        return 0
    if arguments[:1] == ["serve"]:
        options = _options(arguments[1:], {"--run", "--storage", "--socket", "--linger"})
        if options is not None and {"--run", "--storage", "--socket"} <= set(options):
            from .serve import serve

            return serve(
                options["--run"], options["--storage"], options["--socket"], float(options.get("--linger", "30"))
            )
    if arguments[:1] == ["run"] and len(arguments) == 2:
        from .run import run

        return run(arguments[1])
    sys.stderr.write(USAGE)
    return EXIT_USAGE


def _options(arguments, allowed):
    if len(arguments) % 2:
        return None
    options = dict(zip(arguments[::2], arguments[1::2]))
    return options if set(options) <= allowed else None


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
