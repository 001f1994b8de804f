"""The store of a site, for tests that fill it by hand."""

import hashlib
import json
import os


class Store:
    def __init__(self, storage):
        self.storage = storage
        os.makedirs(storage + "/objects")

    def path(self, content_hash):
        return "{}/objects/{}/{}".format(self.storage, content_hash[:2], content_hash)

    def put(self, content, mode=0o444):
        """Returns the hash."""
        content_hash = hashlib.sha256(content).hexdigest()
        path = self.path(content_hash)
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
            os.chmod(path, mode)
        return content_hash

    def read(self, content_hash):
        with open(self.path(content_hash), "rb") as file:
            return file.read()

    def file(self, content, name="file.txt", mode=0o444):
        return {"kind": "file", "hash": self.put(content, mode), "size": len(content), "name": name}

    def directory(self, files):
        entries = [{"path": path, "hash": self.put(files[path]), "size": len(files[path])} for path in sorted(files)]
        manifest = json.dumps({"kind": "directory", "entries": entries}).encode()
        size = sum(map(len, files.values()))
        return {"kind": "directory", "hash": self.put(manifest), "size": size, "files": len(files)}

    def dataset(self, rows):
        """`rows`: names and contents of the one column, `image`."""
        described = [
            {"image": {"hash": self.put(content), "size": len(content), "name": name}} for name, content in rows
        ]
        manifest = json.dumps({"kind": "dataset", "columns": {"image": "file"}, "rows": described}).encode()
        return {"kind": "dataset", "hash": self.put(manifest), "rows": len(rows), "files": len(rows), "size": 1}
