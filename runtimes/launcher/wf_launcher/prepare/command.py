"""`prepare`: JSON lines on stdout, of which the last one has the result."""

import os
import signal
import sys

from .. import sharing
from . import prepared, wish as wishes
from .lock import acquire
from .preparing import FOUND, Preparing
from .progress import Progress
from .unavailable import Unavailable

EXIT_UNAVAILABLE = 1
EXIT_USAGE = 2
EXIT_STOPPED = 130
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


def prepare(arguments):
    """None for arguments that make no sense."""
    is_look = arguments[:1] == ["--look"]
    words = arguments[1:] if is_look else arguments
    try:
        if len(words) == 1:
            wish = wishes.read(words[0])
        elif len(words) == 4 and words[0] == "--project" and words[2] == "--runtimes":
            wish = wishes.of_project(words[1], words[3])
        else:
            return None
    except (OSError, ValueError, ImportError) as error:
        sys.stderr.write("cannot prepare this: {}\n".format(error))
        return EXIT_USAGE
    return fulfil(wish, is_look)


def fulfil(wish, is_look=False):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop)
    progress = Progress()
    try:
        (_look if is_look else _prepare)(wish, progress)
        return 0
    except Unavailable as unavailable:
        progress.end(unavailable.document())
        return EXIT_UNAVAILABLE


def _prepare(wish, progress):
    document = prepared.read(wish.folder)
    if document is None:
        sharing.follow(wish.runtimes)
        os.makedirs(wish.runtimes, exist_ok=True)
        log_path = wish.folder + ".log"
        lock_fd = acquire(wish.folder + ".lock", log_path, progress)
        progress.open_log(log_path)
        document = Preparing(wish, progress, lock_fd, _search_path()).prepare()
    progress.end(dict(document, event="ready"))


def _look(wish, progress):
    """What is there, or would be made, without making it."""
    document = prepared.read(wish.folder)
    if document is not None:
        progress.end(dict(document, event="ready"))
        return
    with open(os.devnull, "w") as nothing:
        preparing = Preparing(wish, progress, nothing.fileno(), _search_path())
        good = preparing.find()
        if good is None:
            progress.end(dict(preparing.foresee(), event="would-build"))
        else:
            found = prepared.document_of(wish, FOUND, good, good.executable)
            progress.end(dict(found, event="would-find"))


def _search_path():
    return os.environ.get("PATH", _DEFAULT_PATH)


def _stop(number, frame):
    """What was begun is ended on the way out; a draft that is left is cleared by who comes next."""
    raise SystemExit(EXIT_STOPPED)
