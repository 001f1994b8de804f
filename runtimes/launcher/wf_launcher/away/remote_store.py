"""The site's store, reached from a machine that does not see it, under `copy`: what is missing is fetched from there, and
what was made is delivered to it.

A store has
  fetch(content_hashes, arrivals)   those that it has
  deliver(content_hashes, folder)   yields those that are there then
Both raise StoreError; what was done until then stays done.
"""

import random
import time
from urllib.parse import urlsplit

from ..log import log

_PAUSES_SECONDS = (1, 2, 4, 8, 16)


class StoreError(Exception):
    """The store did not do what it was asked. `is_final`: nor would it, if it were asked again."""

    def __init__(self, message, is_final=False):
        super().__init__(message)
        self.is_final = is_final


def open_store(described, scratch, secrets):
    """`described`: {"url", "command", "identity", "knownHosts", "readSecret", "writeSecret"} of a job."""
    scheme = urlsplit(described["url"]).scheme
    if scheme == "ssh":
        from .ssh_store import SshStore

        return SshStore(described, scratch)
    from .http_store import HttpStore

    tokens = [secrets.get(described.get(name)) for name in ("readSecret", "writeSecret")]
    return HttpStore(described["url"], *tokens, scratch)


def fetch(store, content_hashes, arrivals):
    """What is not there after it, the store does not have. Raises StoreError."""

    def attempt():
        missing = [wanted for wanted in content_hashes if wanted not in arrivals.hashes]
        if missing:
            store.fetch(missing, arrivals)

    _patiently(attempt)


def deliver(store, content_hashes, folder):
    """The hashes of what is in the store now. What could not be delivered is told, and raises nothing."""
    delivered = set()

    def attempt():
        missing = [made for made in content_hashes if made not in delivered]
        for content_hash in store.deliver(missing, folder) if missing else ():
            delivered.add(content_hash)

    try:
        _patiently(attempt)
    except StoreError as error:
        log("the store does not take everything: {}".format(error))
    return delivered


def _patiently(attempt):
    """Jobs that start at once ask at once: none of them waits exactly as long as another."""
    for pause_seconds in _PAUSES_SECONDS:
        try:
            return attempt()
        except StoreError as error:
            if error.is_final:
                raise
            log("the store is asked again: {}".format(error))
        time.sleep(pause_seconds * random.uniform(0.5, 1.5))
    return attempt()
