"""The launcher and packages/protocol mean the same places."""

import os
import unittest

from wf_launcher.folders import RunFolder
from wf_launcher.login.submission import SUBMISSIONS

from .harness import Launcher, shell
from .json_schema import stored


class Places(unittest.TestCase):
    def test_what_the_launcher_reads_and_writes_lies_where_protocol_says(self):
        folder = RunFolder("/storage", "RUN")
        paths = {name: "/storage/" + path for name, path in stored("paths.json").items()}
        self.assertEqual(folder.root, paths["root"])
        self.assertEqual(folder.attempts, paths["attempts"])
        self.assertEqual(folder.attempt("ATTEMPT"), paths["attempt"])
        self.assertEqual(folder.records, paths["records"])
        self.assertEqual(folder.record("ATTEMPT"), paths["record"])
        self.assertEqual(folder.lock, paths["lock"])
        self.assertEqual("{}/{}/TOKEN".format(folder.root, SUBMISSIONS), paths["submission"])

    def test_what_an_attempt_leaves(self):
        launcher = Launcher()
        self.addCleanup(launcher.close)
        record = launcher.run_task(shell("ATTEMPT", "echo said; echo told >&2; exit 1", keepSandbox="always"))
        self.assertEqual(record["failure"]["class"], "exit")
        two = {"nodes": 1, "perNode": 4, "launch": None}
        launcher.run_task(shell("RANKED", "echo said", ranks=two, cpus=4), cpus=4)
        paths = stored("paths.json")
        left = [paths[name] for name in ("attempt", "sandbox", "stdout", "stderr", "command", "record", "lock")]
        left.append(paths["stdoutOfRank"].replace("ATTEMPT", "RANKED"))
        for path in left:
            self.assertTrue(os.path.exists(os.path.join(launcher.storage, path.replace("RUN", launcher.run))), path)


if __name__ == "__main__":
    unittest.main()
