"""Why an attempt did not succeed. The classes are those of the record's schema."""

import errno

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


def of_os_error(error, failure_class, message, name=None):
    """Law: no space left is `disk-full`, wherever it is met."""
    reason = "{}: {}".format(message, error.strerror or error)
    return Failure("disk-full" if is_no_space(error) else failure_class, reason, name)
