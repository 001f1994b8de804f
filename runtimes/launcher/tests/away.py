"""What HTCondor does for a job that does not see the storage: brings files to a folder of the job, runs the launcher in
it, and brings one folder back. Meanwhile the storage has another name."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from wf_launcher.away.sending import SMALL_BYTES
from wf_launcher.login.condor import Condor
from wf_launcher.login.submission import Submission

from .harness import PATIENCE_SECONDS, ROOT, read_record
from .store import Store

LARGE = SMALL_BYTES + 1


class AwayCase(unittest.TestCase):
    PLACEMENT = "transfer"

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf-away-")
        self.addCleanup(shutil.rmtree, self.root)
        self.storage = self.root + "/storage, with a comma"
        self.store = Store(self.storage)
        self.submissions = self.storage + "/runs/r1/submissions"
        self.scratches = 0

    def job(self, *tasks, **more):
        fixed = {"version": 1, "run": "r1", "job": "j1", "storage": self.storage, "cpus": 2, "memoryBytes": 0}
        return dict(dict(fixed, gpus=0, tasks=list(tasks)), **more)

    def lay_out(self, *jobs, token="t1", **more):
        os.makedirs(self.submissions, exist_ok=True)
        document = {"name": token, "script": "", "description": "", "jobs": jobs, "secrets": {}}
        self.submission = Submission(self.submissions + "/" + token)
        self.submission.lay_out(dict(document, placement=self.PLACEMENT, **more), Condor())

    def sent(self, index):
        """The files that go with an element, by the names that they have there."""
        with open(self.submission.folder + "/queue.txt") as file:
            line = file.read().splitlines()[index]
        number, _, names = line.partition(" ")
        self.assertEqual(number, str(index))
        paths = [os.path.join(self.submission.folder, name) for name in names.split(",")]
        return {os.path.basename(path): path for path in paths}

    def make_scratch(self, path):
        os.mkdir(path)

    def travel(self, index=0, spoil=lambda scratch: None, **environment):
        """Runs an element away. Returns the exit code."""
        self.scratches += 1
        scratch = "{}/scratch{}".format(self.root, self.scratches)
        self.make_scratch(scratch)
        for name, path in self.sent(index).items():
            shutil.copy2(path, scratch + "/" + name)
        spoil(scratch)
        hidden = self.root + "/hidden"
        os.rename(self.storage, hidden)
        command = [sys.executable, "-I", "-S", ROOT, "away", "{}.json".format(index), "wf-out"]
        process = subprocess.Popen(command, cwd=scratch, env=environment, stderr=subprocess.PIPE)
        try:
            self.said = process.communicate(timeout=PATIENCE_SECONDS)[1].decode()
        finally:
            process.kill()
            process.wait()
            os.rename(hidden, self.storage)
        self.out = scratch + "/wf-out"
        return process.returncode

    def bring_back(self, index=0):
        shutil.copytree(self.out, "{}/returned/{}".format(self.submission.folder, index))

    def collect(self, *indices):
        elements = [{"token": "t1", "index": index} for index in indices or (0,)]
        done = subprocess.run(
            [sys.executable, "-I", "-S", ROOT, "condor-collect", self.storage, "r1"],
            input=json.dumps({"elements": elements}).encode(),
            stdout=subprocess.PIPE,
            timeout=PATIENCE_SECONDS,
        )
        self.assertEqual(done.returncode, 0)
        return json.loads(done.stdout.decode())["elements"]

    def run_away(self, *tasks, **more):
        """All of it, for one job. Returns the records of its tasks."""
        self.lay_out(self.job(*tasks))
        self.code = self.travel(**more)
        self.bring_back()
        self.assertEqual(self.collect(), [{"state": "collected", "says": None, "unrecorded": []}])
        return [self.record(spec["attempt"]) for spec in tasks]

    def record(self, attempt):
        return read_record("{}/runs/r1/records/{}.json".format(self.storage, attempt))

    def attempt_path(self, attempt, *parts):
        return os.path.join(self.storage, "runs/r1/attempts", attempt, *parts)
