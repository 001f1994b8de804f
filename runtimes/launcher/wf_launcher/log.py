"""The launcher's own log is its stderr."""

import sys


def log(message):
    """Never fails: the log lies on the same disk as everything else, which may be full."""
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:
        pass
