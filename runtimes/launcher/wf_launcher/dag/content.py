"""The content-addressed store of the DAG, as far as nodes read and write it beside their tasks."""

import os

from .. import canonical, forms
from ..objects import Publisher, hash_bytes
from ..sandbox import remove_tree
from .documents import Refusal


class Content:
    def __init__(self, folder):
        self._folder = folder
        self._scratch = None

    def manifest(self, content_hash, kind):
        try:
            with open(self._folder.object(content_hash), "rb") as file:
                return forms.read_manifest(file.read(), kind)
        except (OSError, ValueError, RecursionError) as error:
            raise Refusal("the manifest {} cannot be read: {}".format(content_hash, error)) from None

    def put_manifest(self, manifest):
        text = canonical.canonical(manifest)
        self.put(text, hash_bytes(text))
        return hash_bytes(text)

    def put(self, text, content_hash):
        if self._scratch is None:
            import tempfile

            self._scratch = tempfile.mkdtemp(prefix="scratch-", dir=self._folder.root)
        Publisher(self._folder, self._scratch, durable=True).put_bytes(text, content_hash)

    def close(self):
        if self._scratch is not None:
            remove_tree(self._scratch)
