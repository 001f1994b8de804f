"""What tests of submitting share: a scheduler that is a stand-in, since a real one cannot be made to lose an answer at
will; test/cluster submits to real ones."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

from .harness import PATIENCE_SECONDS, ROOT, shell


class Submits(unittest.TestCase):
    """`SCHEDULER`: as in the names of the launcher's commands. `STAND_IN`: a script that is all of `PROGRAMS`; what
    `mode.PROGRAM` beside it says is how they behave, `queue` has a line for each job. `request(**more)`: what is submitted."""

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf-submit-")
        self.addCleanup(shutil.rmtree, self.root)
        self.bin = self.root + "/bin"
        self.folder = self.root + "/runs/r1/submissions/t1"
        os.mkdir(self.bin)
        for name in self.PROGRAMS:
            path = self.bin + "/" + name
            with open(path, "w") as file:
                file.write(textwrap.dedent(self.STAND_IN).lstrip())
            os.chmod(path, 0o755)
        for name in ("queue", "calls"):
            open(self.bin + "/" + name, "w").close()

    def mode(self, program, mode):
        with open("{}/mode.{}".format(self.bin, program), "w") as file:
            file.write(mode)

    def job(self, *tasks):
        fixed = {"version": 1, "run": "r1", "storage": self.root, "cpus": 1, "memoryBytes": 0, "gpus": 0}
        return dict(fixed, job="j1", tasks=list(tasks) or [shell("a@1", "true")])

    def call(self, act, document=None, **environment):
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", ROOT, self.SCHEDULER + "-" + act, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict({"PATH": self.bin + ":" + os.environ["PATH"]}, **environment),
        )
        said, _ = process.communicate(json.dumps(document).encode(), timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 0)
        return json.loads(said.decode())

    def submit(self, **more):
        return self.call("submit", self.request(**more))

    def lines(self, name):
        with open(self.bin + "/" + name) as file:
            return file.read().splitlines()

    def calls(self, program):
        return sum(line.startswith(program + " ") for line in self.lines("calls"))

    def environment(self):
        """That of the last job."""
        with open(self.bin + "/environment") as file:
            return dict(entry.split("=", 1) for entry in file.read().split("\0") if entry)
