"""Where things lie under a site's storage. Every path here is native and absolute."""

import os

from .names import is_hash, is_plain, native


class RunFolder:
    def __init__(self, storage, run):
        self.storage = os.path.abspath(native(storage))
        self.run = run
        self.objects = self.storage + "/objects"
        self._real_storage = None
        self.quarantine = self.storage + "/quarantine"
        self.root = self.storage + "/runs/" + native(run)
        self.attempts = self.root + "/attempts"
        self.records = self.root + "/records"
        self.started = self.root + "/started"
        self.cancelled = self.root + "/cancelled"
        self.mailbox = self.root + "/mailbox"
        self.journal = self.root + "/journal.jsonl"
        self.lock = self.root + "/launcher.lock"

    def make(self):
        for folder in (self.objects, self.attempts, self.records):
            os.makedirs(folder, exist_ok=True)

    def object(self, content_hash):
        return self.objects + "/" + object_name(content_hash)

    def real(self, path):
        """A path under the storage, as it is when the storage is reached without links."""
        if self._real_storage is None:
            self._real_storage = os.path.realpath(self.storage)
        return self._real_storage + path[len(self.storage) :]

    def attempt(self, attempt):
        return self.attempts + "/" + _plain(attempt)

    def start_marker(self, attempt):
        return self.started + "/" + _plain(attempt) + ".json"

    def record(self, attempt):
        return self.records + "/" + _plain(attempt) + ".json"


def object_name(content_hash):
    """Below the objects of any store. Every path of an object is made here, so that whatever names one, it is one: a
    hash with steps of a path in it would lead to any file of the user."""
    if not is_hash(content_hash):
        raise ValueError("not a content hash: {!r}".format(content_hash))
    return content_hash[:2] + "/" + content_hash


def _plain(name):
    if not is_plain(name):
        raise ValueError("not the name of a file: {!r}".format(name))
    return native(name)
