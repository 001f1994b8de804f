"""Why an attempt did not succeed. The classes are those of the record's schema."""

import errno
import os

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


class Failure(Exception):
    def __init__(self, failure_class, message, name=None, rank=None):
        super().__init__(message)
        self.failure_class = failure_class
        self.message = message
        self.name = name
        self.rank = rank

    def document(self):
        document = {"class": self.failure_class, "message": self.message}
        if self.name is not None:
            document["name"] = self.name
        if self.rank is not None:
            document["rank"] = self.rank
        return document


def is_no_space(error):
    return isinstance(error, OSError) and error.errno in _NO_SPACE


def of_os_error(error, failure_class, message, name=None, path=None):
    """Law: no space left is `disk-full`, wherever it is met. `path`: what was written to, where the error does not say."""
    reason = "{}: {}".format(message, error.strerror or error)
    if not is_no_space(error):
        return Failure(failure_class, reason, name)
    return Failure("disk-full", reason + how_full(error, path), name)


def how_full(error, path=None):
    """` (/scratch/me: 0 B of 6.29 MB are free)`; empty where nobody knows what is full."""
    from . import disk_room

    full = error.filename if isinstance(error.filename, str) else path
    return "" if full is None else " ({})".format(disk_room.in_words(os.path.abspath(full)))
