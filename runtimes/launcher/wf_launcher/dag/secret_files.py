"""Secrets of tasks: each in a file of its own that whoever submitted the DAG has put there."""

import os
import stat

from ..names import is_plain
from .documents import Refusal

_OTHERS = 0o077


def read_secret(storage, name):
    path = "{}/secrets/{}".format(storage, name)
    if not is_plain(name):
        raise Refusal("not a secret's name: {!r}".format(name))
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_mode & _OTHERS:
                raise Refusal("{} can be read by others: chmod 600 {}".format(path, path))
            return file.read().decode("utf-8")
    except OSError as error:
        raise Refusal(
            "the secret {} is wanted: put it into {}, mode 600 ({})".format(name, path, error.strerror)
        ) from None
