"""The zip file that is shipped."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from wf_launcher import VERSION

from .harness import ROOT

BUILD = os.path.join(os.path.dirname(os.path.dirname(ROOT)), "scripts", "build-launcher.mjs")


@unittest.skipUnless(shutil.which("node"), "SKIPPED: node is not installed, so nothing can be packed")
class Packing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="wf-pack-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.packed = self.pack("one")

    def pack(self, name):
        path = os.path.join(self.folder, name, "wf-launcher.pyz")
        subprocess.run(["node", BUILD, path], check=True)
        return path

    def test_it_runs(self):
        command = [sys.executable, "-I", "-S", self.packed, "--version"]
        said = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        self.assertEqual(said.stdout.decode(), VERSION + "\n")
        self.assertTrue(os.access(self.packed, os.X_OK))

    def test_it_holds_every_module_and_nothing_else(self):
        with zipfile.ZipFile(self.packed) as packed:
            self.assertIsNone(packed.testzip())
            modules = sorted(name for name in os.listdir(os.path.join(ROOT, "wf_launcher")) if name.endswith(".py"))
            self.assertEqual(packed.namelist(), ["__main__.py"] + ["wf_launcher/" + name for name in modules])

    def test_the_same_sources_give_the_same_bytes(self):
        with open(self.packed, "rb") as one, open(self.pack("two"), "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_what_is_up_to_date_is_left_alone(self):
        before = os.stat(self.packed)
        self.pack("one")
        after = os.stat(self.packed)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))


if __name__ == "__main__":
    unittest.main()
