"""Content that a job fetches from the site's store itself, and delivers to it, under `copy`."""

from . import remote_store
from .content import executables_of, hashes_of, reader, values_of
from .parcel import made_in


class Borrowed:
    def __init__(self, store, folder, arrivals):
        self._store = store
        self._folder = folder
        self._arrivals = arrivals

    def fetch(self, job):
        """All that its tasks begin with: first what they name, then what manifests name. Raises StoreError."""
        read = reader(self._folder)
        values = list(values_of(job))
        for _ in range(2):
            wanted = list(dict.fromkeys(found for value in values for found in hashes_of(value, read)))
            remote_store.fetch(self._store, wanted, self._arrivals)
        for value in values:
            for content_hash in executables_of(value, read) & self._arrivals.hashes:
                self._arrivals.make_executable(content_hash)

    def deliver(self):
        """What the job has made. Returns all that the store has now."""
        made = [content_hash for content_hash in made_in(self._folder) if content_hash not in self._arrivals.hashes]
        return self._arrivals.hashes | remote_store.deliver(self._store, made, self._folder)
