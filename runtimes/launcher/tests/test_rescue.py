"""The checkpoint of an attempt that nobody can ask any more: what lies in its folder, somebody else may have written."""

import json
import os
import shutil
import tempfile
import unittest

from wf_launcher import checkpoint
from wf_launcher.folders import RunFolder
from wf_launcher.login.settle import settle

from .seen import seen

GOOD = {"output": "state", "path": "out/state", "kind": "file", "from": None}


class Rescue(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="wf-rescue-")
        self.addCleanup(shutil.rmtree, self.home)
        self.write(".bashrc", "mine")
        self.folder = RunFolder(self.home + "/storage", "r1")
        self.folder.make()
        self.attempt = self.folder.attempt("a@1")
        os.makedirs(self.attempt)
        self.before = self.untouchable()

    def untouchable(self):
        """All but what a rescue may add to."""
        own = (self.attempt, self.folder.objects, self.folder.records)
        return {path: what for path, what in seen(self.home).items() if not path.startswith(own)}

    def write(self, path, text):
        path = os.path.join(self.home, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def note(self, wanted):
        self.write(self.attempt + "/task.json", json.dumps({"checkpoint": wanted}))

    def rescue(self):
        """What its record says then."""
        element = {"token": None, "index": 0, "isDead": True, "job": "j", "attempts": ["a@1"]}
        element.update(host=None, startedAt=None, endedAt=None, failure={"class": "lost", "message": "gone"})
        element["tasks"] = [{"task": "t", "attempt": "a@1"}]
        settle(self.folder.storage, "r1", {"elements": [element]})
        self.assertEqual(self.untouchable(), self.before)
        with open(self.folder.record("a@1")) as file:
            return json.load(file)

    def assert_nothing(self):
        self.assertNotIn("checkpoint", self.rescue())
        os.unlink(self.folder.record("a@1"))

    def test_a_file_and_a_folder_with_links_in_it(self):
        self.write(self.attempt + "/sandbox/out/state", "7")
        self.note(GOOD)
        self.assertEqual(self.rescue()["checkpoint"]["size"], 1)
        os.unlink(self.folder.record("a@1"))
        os.unlink(self.attempt + "/sandbox/out/state")
        self.write(self.attempt + "/sandbox/out/state/deep/er/b", "78")
        os.symlink("deep/er/b", self.attempt + "/sandbox/out/state/newest")
        self.note(dict(GOOD, kind="directory"))
        found = self.rescue()["checkpoint"]
        self.assertEqual((found["files"], found["size"]), (2, 4))
        self.assertEqual(sorted(os.listdir(self.attempt)), ["sandbox", "task.json"])

    def test_a_path_that_leaves_makes_no_file_elsewhere(self):
        """The sandbox is a link within the attempt, as one that returned from another machine may be: what goes up from
        it stays in the attempt, and what goes up from the copy does not."""
        os.makedirs(self.attempt + "/a/b/c/d/e/f")
        os.symlink("a/b/c/d/e/f", self.attempt + "/sandbox")
        self.write(self.attempt + "/.ssh/authorized_keys", "theirs")
        self.note(dict(GOOD, path="../../../../../../.ssh/authorized_keys"))
        self.assert_nothing()

    def test_a_sandbox_that_is_a_link(self):
        os.symlink(self.home, self.attempt + "/sandbox")
        self.note(dict(GOOD, path=".bashrc"))
        self.assert_nothing()

    def test_a_folder_on_the_way_that_is_a_link(self):
        os.makedirs(self.attempt + "/sandbox")
        os.symlink(self.home, self.attempt + "/sandbox/out")
        self.note(dict(GOOD, path="out/.bashrc"))
        self.assert_nothing()

    def test_a_link_in_the_place_of_the_copy(self):
        self.write(self.attempt + "/sandbox/out/state", "7")
        os.symlink(self.home, self.attempt + "/rescued")
        self.note(GOOD)
        self.assertEqual(self.rescue()["checkpoint"]["size"], 1)

    def test_links_in_the_place_of_what_is_written_on_the_way(self):
        self.write(self.attempt + "/sandbox/out/state/a", "7")
        for number in range(1, 4):
            os.symlink(self.home + "/.bashrc", "{}/.publish-{}".format(self.attempt, number))
        self.note(dict(GOOD, kind="directory"))
        self.assertEqual(self.rescue()["checkpoint"]["files"], 1)

    def test_what_is_no_note_of_a_checkpoint(self):
        self.write(self.attempt + "/sandbox/out/state", "7")
        for wanted in (
            [1, "x", {}, [], True]
            + [dict(GOOD, kind=kind) for kind in ("dataset", "json", "nonsense", None, 3)]
            + [dict(GOOD, path=path) for path in ("", "/etc/passwd", "../x", None, 7, "a/../..", "x\0")]
            + [dict(GOOD, output=None), dict(GOOD, **{"from": 7}), {"path": "out/state"}]
        ):
            self.note(wanted)
            self.assert_nothing()
        for text in ("", "null", "[]", '"x"', "[" * 100000):
            self.write(self.attempt + "/task.json", text)
            self.assert_nothing()

    def test_what_never_ends(self):
        os.makedirs(self.attempt + "/sandbox/out")
        for put in (os.mkfifo, lambda path: os.symlink("/dev/zero", path)):
            put(self.attempt + "/task.json")
            self.assert_nothing()
            os.unlink(self.attempt + "/task.json")
            self.note(GOOD)
            put(self.attempt + "/sandbox/out/state")
            self.assert_nothing()
            os.unlink(self.attempt + "/sandbox/out/state")
            os.unlink(self.attempt + "/task.json")

    def test_holes_take_no_room(self):
        self.write(self.attempt + "/sandbox/out/state", "7")
        os.truncate(self.attempt + "/sandbox/out/state", 1 << 30)
        self.note(GOOD)
        found = checkpoint.rescue(self.folder, "a@1", durable=False)["checkpoint"]
        status = os.stat(self.folder.object(found["hash"]))
        self.assertEqual(status.st_size, 1 << 30)
        self.assertLess(status.st_blocks * 512, 1 << 20)


if __name__ == "__main__":
    unittest.main()
