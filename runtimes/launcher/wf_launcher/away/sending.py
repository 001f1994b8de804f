"""What is sent with a job to a machine that does not see the storage, as files of the submit host.

An object goes as it lies in the store, so that one that many jobs need is on disk once; small ones that are many go as
a pack (pack.py). What the store does not have is not sent: the task then fails with words that name it, whereas
HTCondor would hold the job.
"""

import os

from . import pack
from .content import hashes_of, reader, values_of

SMALL_BYTES = 1 << 20
# Of one value, of all others together, and of all files. 1,000 files took HTCondor 2 s and a pack of 5,000 less than 1;
# with 5,000 files its shadow failed again and again for minutes.
_FEW_OF_VALUE = 10
_FEW_OF_JOB = 30
_MOST_FILES = 200


class Sending:
    def __init__(self, folder):
        self._folder = folder
        self._read = reader(folder)
        self._known = {}  # (kind, hash) of a value -> what its content goes as

    def files_of(self, job):
        """Paths of objects and packs."""
        packs, large, small = {}, {}, {}
        for value in values_of(job):
            pack_path, large_ones, small_ones = self._of_value(value)
            if pack_path is not None:
                packs[pack_path] = True
            large.update(dict.fromkeys(large_ones))
            small.update(dict.fromkeys(small_ones))
        if len(small) > _FEW_OF_JOB:
            packs[pack.write(self._folder, list(small))] = True
            small = {}
        if len(large) + len(small) > _MOST_FILES:
            packs[pack.write(self._folder, list(large) + list(small))] = True
            large, small = {}, {}
        return list(packs) + [self._folder.object(content_hash) for content_hash in list(large) + list(small)]

    def _of_value(self, value):
        """(a pack or None, large objects, small ones that are few)."""
        if "hash" not in value:
            return self._split(hashes_of(value, self._read))
        key = value["kind"], value["hash"]
        if key not in self._known:
            self._known[key] = self._split(hashes_of(value, self._read))
        return self._known[key]

    def _split(self, content_hashes):
        large, small = [], []
        for content_hash in content_hashes:
            try:
                size = os.stat(self._folder.object(content_hash)).st_size
            except FileNotFoundError:
                continue
            (large if size >= SMALL_BYTES else small).append(content_hash)
        if len(small) > _FEW_OF_VALUE:
            return pack.write(self._folder, small), large, []
        return None, large, small
