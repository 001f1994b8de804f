"""What the lines of a site's setup change, and who gets it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from wf_launcher.setup_changes import between

from .harness import PATIENCE_SECONDS, ROOT, shell, task

JOB = {"tasks": [{"secrets": []}, {"secrets": ["DECLARED"]}]}


class Changes(unittest.TestCase):
    def document(self, before, after):
        return between(before, after).document(JOB)

    def test_what_is_new_other_or_gone(self):
        before = {"PATH": "/bin", "SAME": "a=b\nc", "GONE": "1", "EMPTY": "x"}
        found = self.document(before, {"PATH": "/opt/bin:/bin", "SAME": "a=b\nc", "NEW": "two\nlines", "EMPTY": ""})
        self.assertEqual(found["set"], {"EMPTY": "", "NEW": "two\nlines", "PATH": "/opt/bin:/bin"})
        self.assertEqual(found["unset"], ["GONE"])

    def test_what_belongs_to_others(self):
        after = {"PATH": "/bin", "OMP_NUM_THREADS": "4"}
        for name in ("_", "PWD", "SHLVL", "TMPDIR", "WF_RUN", "SLURM_JOB_ID", "SLURMD_X", "SBATCH_X", "_CONDOR_SLOT"):
            after[name] = "new"
        after["BASH_FUNC_module%%"] = "() {  eval 1\n}"
        self.assertEqual(self.document({"PATH": "/bin"}, after)["set"], {"OMP_NUM_THREADS": "4"})

    def test_secrets_are_named_and_kept(self):
        after = {"HF_TOKEN": "x", "WANDB_API_KEY": "x", "DECLARED": "x", "TOKENIZERS_PARALLELISM": "false"}
        found = between({"PATH": "/bin"}, dict(after, PATH="/bin"))
        secret = {"HF_TOKEN": None, "WANDB_API_KEY": None, "DECLARED": None}
        self.assertEqual(found.document(JOB)["set"], dict(secret, TOKENIZERS_PARALLELISM="false"))
        variables = {}
        found.apply(variables, JOB)
        self.assertEqual(variables, {"TOKENIZERS_PARALLELISM": "false"})

    def test_a_task_always_has_a_path(self):
        variables = {"PATH": "/usr/bin", "LANG": "C.UTF-8"}
        between({"PATH": "/bin", "LANG": "C"}, {"X": "1"}).apply(variables, JOB)
        self.assertEqual(variables, {"PATH": "/usr/bin", "X": "1"})

    def test_long_values_are_cut_for_people_alone(self):
        found = between({"PATH": "/bin"}, {"PATH": "/bin", "LONG": "x" * 5000})
        self.assertEqual(found.document(JOB)["set"]["LONG"], "x" * 1000 + "...")
        variables = {}
        found.apply(variables, JOB)
        self.assertEqual(len(variables["LONG"]), 5000)

    def test_no_change(self):
        self.assertIsNone(between({"PATH": "/bin"}, {"PATH": "/bin", "SLURM_JOB_ID": "1"}))


class Tasks(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-setup-")
        self.addCleanup(shutil.rmtree, self.storage)

    def test_get_what_changed_after_what_they_say_themselves(self):
        path = self.storage + "/job.json"
        tasks = [
            shell("a", 'echo "$LIB|$OWN|$TMPDIR|${LANG-none}|${WF_SETUP_AFTER-none}|${OTHER-none}${BY_A_SHIM-}"', env={"OWN": "task"}),
            shell("b", "exit 3"),
            task("c", ["no-such-program"]),
        ]
        job = {"version": 1, "run": "r1", "job": "j1", "storage": self.storage, "cpus": 1, "memoryBytes": 0, "gpus": 0}
        with open(path, "w") as file:
            json.dump(dict(job, tasks=tasks), file)
        before = {"PATH": "/bin", "LANG": "C", "OTHER": "of the user"}
        after = {"PATH": "/bin", "OTHER": "of the user", "LIB": "/opt/lib", "OWN": "setup", "X_TOKEN": "hush"}
        env = dict(after, PATH=os.environ["PATH"], BY_A_SHIM="1")
        for name, variables in (("WF_SETUP_BEFORE", before), ("WF_SETUP_AFTER", after)):
            env[name] = "".join("{}={}\1".format(*entry) for entry in variables.items())
        argv = [sys.executable, "-I", "-S", ROOT, "run", path]
        subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=PATIENCE_SECONDS)
        with open(self.storage + "/runs/r1/attempts/a/stdout") as file:
            tmp = self.storage + "/runs/r1/attempts/a/sandbox/tmp"
            self.assertEqual(file.read(), "/opt/lib|task|{}|none|none|none\n".format(tmp))
        for attempt in "abc":
            with open(self.storage + "/runs/r1/records/{}.json".format(attempt)) as file:
                said = json.load(file)["setup"]
            self.assertEqual(said, {"set": {"LIB": "/opt/lib", "OWN": "setup", "X_TOKEN": None}, "unset": ["LANG"]})
        with open(self.storage + "/runs/r1/attempts/b/command.json") as file:
            self.assertEqual(json.load(file)["env"]["LIB"], "/opt/lib")


if __name__ == "__main__":
    unittest.main()
