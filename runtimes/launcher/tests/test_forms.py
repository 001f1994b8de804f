"""Names, paths and hashes in documents that a task could have written."""

import os
import shutil
import tempfile
import unittest

from wf_launcher import canonical, forms
from wf_launcher.away.sending import Sending
from wf_launcher.folders import RunFolder
from wf_launcher.names import is_hash, is_inside, is_plain

from .store import Store

GOOD = "ab" * 32
BAD_NAMES = ("", ".", "..", "/", "/x", "a/b", "m/../../.bashrc", "a\0", "x" * 256, "é" * 128, "\ud800", None, 1)
GOOD_NAMES = ("x", "...", "..x", " ", "a\nb", "'\"", "x" * 255, "é" * 127, "肺")
BAD_PATHS = ("", "/x", "../x", "a/../b", "a//b", "a/", "./a", "a/\0", "/".join("d" * 257), None)
BAD_HASHES = ("", "../home/.ssh/id_rsa", GOOD[1:], GOOD + "\n", GOOD.upper(), "g" * 64, "٣" * 64, None, 1)


class Forms(unittest.TestCase):
    def assert_refused(self, check, *documents):
        for document in documents:
            with self.assertRaises(ValueError, msg=repr(document)):
                check(document)

    def test_names_paths_and_hashes(self):
        for name in BAD_NAMES:
            self.assertFalse(is_plain(name), repr(name))
        for name in GOOD_NAMES:
            self.assertTrue(is_plain(name) and is_inside("a/" + name), repr(name))
        for path in BAD_PATHS:
            self.assertFalse(is_inside(path), repr(path))
        for name in BAD_HASHES:
            self.assertFalse(is_hash(name), repr(name))
        self.assertTrue(is_hash(GOOD))

    def test_values(self):
        file = {"kind": "file", "hash": GOOD, "size": 1, "name": "x"}
        forms.check_value({"kind": "list", "items": [file, {"kind": "absent"}, dict(file, kind="json")]})
        bad = [dict(file, name=name) for name in BAD_NAMES] + [dict(file, hash=name) for name in BAD_HASHES]
        bad += [dict(file, kind="device"), dict(file, size=-1), dict(file, size="1"), {}, None, [file], {"kind": "list"}]
        self.assert_refused(forms.check_value, *bad)
        self.assert_refused(forms.check_value, *[{"kind": "list", "items": [file, wrong]} for wrong in bad])

    def test_manifests(self):
        entry = {"path": "a/x", "hash": GOOD, "size": 1}
        cell = {"hash": GOOD, "size": 1, "name": "x"}

        def directory(*entries, **more):
            return dict({"kind": "directory", "entries": list(entries)}, **more)

        def dataset(cell, column="image"):
            return {"kind": "dataset", "columns": {column: "file", "label": "value"}, "rows": [{column: cell, "label": 1}]}

        def read(kind):
            return lambda manifest: forms.read_manifest(canonical.canonical(manifest), kind)

        read("directory")(directory(entry, folders=["b"]))
        read("dataset")(dataset(cell))
        bad = [directory(dict(entry, path=path)) for path in BAD_PATHS] + [directory(folders=[path]) for path in BAD_PATHS]
        bad += [directory(dict(entry, hash=name)) for name in BAD_HASHES]
        bad += [directory(entry, entry), dataset(cell), {"kind": "directory"}, [], directory(1)]
        self.assert_refused(read("directory"), *bad)
        bad = [dataset(dict(cell, name=name)) for name in BAD_NAMES] + [dataset(dict(cell, hash=name)) for name in BAD_HASHES]
        bad += [dataset(cell, name) for name in BAD_NAMES if isinstance(name, str)]
        self.assert_refused(read("dataset"), *bad + [directory(entry), dataset("x"), dataset(None)])


class Paths(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf-forms-")
        self.addCleanup(shutil.rmtree, self.root)
        self.folder = RunFolder(self.root + "/storage", "r1")

    def test_no_path_is_made_of_anything_else(self):
        for name in BAD_HASHES:
            with self.assertRaises(ValueError, msg=repr(name)):
                self.folder.object(name)
        for name in BAD_NAMES:
            for path_of in (self.folder.attempt, self.folder.record, self.folder.start_marker):
                with self.assertRaises(ValueError, msg=repr(name)):
                    path_of(name)

    def test_a_file_of_the_user_that_a_manifest_names_is_not_sent_with_a_job(self):
        store = Store(self.root + "/storage")
        with open(self.root + "/id_rsa", "w") as file:
            file.write("mine")
        steps = "../../../id_rsa"
        content = canonical.canonical({"kind": "directory", "entries": [{"path": "x", "hash": steps, "size": 4}]})
        value = {"kind": "directory", "hash": store.put(content), "size": 4, "files": 1}
        job = {"tasks": [{"inputs": [{"value": value}]}]}
        self.assertEqual(Sending(self.folder).files_of(job), [self.folder.object(value["hash"])])
        self.assertTrue(os.path.exists(self.root + "/id_rsa"))


if __name__ == "__main__":
    unittest.main()
