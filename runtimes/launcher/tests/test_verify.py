"""What `verify` finds on a storage, and where that goes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from .harness import PATIENCE_SECONDS, ROOT
from .store import Store


class Verify(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-verify-")
        self.addCleanup(shutil.rmtree, self.storage)
        self.store = Store(self.storage)

    def verify(self):
        command = [sys.executable, "-I", "-S", ROOT, "verify", self.storage]
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=PATIENCE_SECONDS)
        self.assertEqual(done.returncode, 0)
        return json.loads(done.stdout.decode())

    def write(self, path, text):
        path = os.path.join(self.storage, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def test_damaged_content_and_records_go_into_quarantine(self):
        sound, bad = self.store.put(b"sound"), self.store.put(b"bad")
        os.chmod(self.store.path(bad), 0o644)
        self.write(os.path.relpath(self.store.path(bad), self.storage), "bat")
        self.write("runs/r/records/a@1.json", "{}")
        self.write("runs/r/records/b@1.json", '{"half":')
        self.write("runs/r/records/.c@1.json.host.1", "a draft")
        found = self.verify()
        self.assertEqual(found["objects"], {"checked": 2, "damaged": [bad]})
        self.assertEqual(found["records"], {"checked": 2, "damaged": ["r/b@1.json"]})
        self.assertEqual(self.store.read(sound), b"sound")
        self.assertEqual(sorted(os.listdir(self.storage + "/quarantine")), sorted([bad, "records"]))
        self.assertEqual(self.verify()["objects"], {"checked": 1, "damaged": []})

    def test_whatever_lies_in_the_place_of_objects_and_records(self):
        os.makedirs(self.storage + "/runs/r/records")
        sound = self.store.put(b"sound")
        names = []
        for number, put in enumerate((os.mkfifo, os.mkdir, lambda path: os.symlink(self.store.path(sound), path))):
            names.append(self.store.put(b"" if number == 0 else b"%d" % number))
            os.unlink(self.store.path(names[-1]))
            put(self.store.path(names[-1]))
            put("{}/runs/r/records/{}@1.json".format(self.storage, number))
        put("{}/objects/{}/{}\n".format(self.storage, sound[:2], sound))
        self.write(os.fsdecode(b"runs/r/records/\xff.json"), "[" * 100000)
        for _ in range(2):  # the second time, something lies in quarantine under these names
            found = self.verify()
            self.assertEqual(found["objects"]["checked"], 4)
            self.assertEqual(sorted(found["objects"]["damaged"]), sorted(names))
            self.assertEqual(found["records"]["checked"], 4)
            self.assertEqual(len(found["records"]["damaged"]), 4)
            self.assertEqual(self.verify()["objects"], {"checked": 1, "damaged": []})
            for number, name in enumerate(names):
                (os.mkdir if number != 1 else os.mkfifo)(self.store.path(name))
                (os.mkdir if number != 1 else os.mkfifo)("{}/runs/r/records/{}@1.json".format(self.storage, number))
            self.write(os.fsdecode(b"runs/r/records/\xff.json"), "")

    def test_an_empty_storage_is_sound(self):
        self.assertEqual(self.verify()["objects"], {"checked": 0, "damaged": []})


if __name__ == "__main__":
    unittest.main()
