"""A storage is for its owner alone; or for a group, whose members write to it, too. Its own mode says which: folders
that a group shares are set-group-ID and writable by the group, and what is made in them is, too."""

import os

_GROUP_SHARES = 0o2020
_FOR_THE_GROUP = 0o007


def follow(path):
    """From now on, what this process and its tasks make is shared as the nearest folder of `path` that is there."""
    path = os.path.abspath(path)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    if os.stat(path).st_mode & _GROUP_SHARES == _GROUP_SHARES:
        os.umask(_FOR_THE_GROUP)
