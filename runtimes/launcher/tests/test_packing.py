"""The zip file that is shipped."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from wf_launcher import VERSION

from .harness import ROOT, interpreter, task

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

    def test_it_unpacks_itself_once(self):
        folder = os.path.join(self.folder, "unpacked")
        for _ in range(2):
            subprocess.run([sys.executable, "-I", "-S", self.packed, "unpack", folder], check=True)
        self.assertTrue(os.listdir(os.path.join(folder, "wf_launcher", "__pycache__")))
        said = subprocess.run([sys.executable, "-I", "-S", folder, "--version"], stdout=subprocess.PIPE, check=True)
        self.assertEqual(said.stdout.decode(), VERSION + "\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["one", "unpacked"])

    def start_job(self, *options):
        """A job of one task, as a node starts it. Returns what is said and the record."""
        folder = os.path.join(self.folder, "unpacked")
        subprocess.run([sys.executable, "-I", "-S", self.packed, "unpack", folder], check=True)
        storage = os.path.join(self.folder, "storage")
        os.mkdir(storage)
        job = {"version": 1, "run": "r1", "job": "j1", "storage": storage, "cpus": 1, "memoryBytes": 0, "gpus": 0}
        path = os.path.join(self.folder, "job.json")
        with open(path, "w") as file:
            json.dump(dict(job, tasks=[task("a", ["sleep", "0.6"])]), file)
        command = [sys.executable] + list(options) + ["-I", "-S", os.path.join(folder, "__main__.py"), "run", path]
        said = subprocess.run(command, stderr=subprocess.PIPE, check=True).stderr.decode()
        with open(os.path.join(storage, "runs", "r1", "records", "a.json")) as file:
            return said, json.load(file)

    def test_a_job_imports_nothing_that_takes_long(self):
        said, record = self.start_job("-X", "importtime")
        self.assertEqual(record["state"], "succeeded")
        imported = {line.rpartition("|")[2].strip() for line in said.splitlines()}
        self.assertIn("wf_launcher.run", imported)
        slow = {"collections", "contextlib", "ctypes", "enum", "functools", "json", "re", "runpy", "signal", "threading"}
        self.assertEqual(imported & slow, set())

    def test_a_job_on_another_interpreter_reads_the_modules_one_by_one(self):
        other = interpreter("3.13") or interpreter("3.6")
        if other is None or os.path.realpath(other) == os.path.realpath(sys.executable):
            self.skipTest("SKIPPED: there is one interpreter alone")
        folder = os.path.join(self.folder, "unpacked")
        subprocess.run([sys.executable, "-I", "-S", self.packed, "unpack", folder], check=True)
        command = [other, "-I", "-S", os.path.join(folder, "__main__.py"), "run", "no-such.json"]
        said = subprocess.run(command, stderr=subprocess.PIPE)
        self.assertEqual(said.returncode, 2)
        self.assertIn("no-such.json", said.stderr.decode())

    def test_it_holds_every_module_and_nothing_else(self):
        with zipfile.ZipFile(self.packed) as packed:
            self.assertIsNone(packed.testzip())
            walked = os.walk(os.path.join(ROOT, "wf_launcher"))
            files = [os.path.join(folder, name) for folder, _, names in walked for name in names]
            modules = sorted(os.path.relpath(path, ROOT) for path in files if path.endswith(".py"))
            self.assertEqual(packed.namelist(), ["__main__.py"] + modules)

    def test_what_runs_inside_other_interpreters_is_read_from_it(self):
        wish = {"requirements": [], "requiresPython": ">=3.6", "python": None, "project": None}
        path = os.path.join(self.folder, "wish.json")
        with open(path, "w") as file:
            json.dump(dict(wish, runtimes=os.path.join(self.folder, "runtimes")), file)
        command = [sys.executable, "-I", "-S", self.packed, "prepare", "--look", path]
        said = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertEqual(json.loads(said.splitlines()[-1])["event"], "would-find")

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
