"""Submitting to SLURM: whatever happens on the way, one job."""

import json
import os
import threading
import unittest

from wf_launcher.login.submission import Submission

from .harness import shell
from .submits import Submits

# A queue is a file with a line `ID NAME STATE` for each job; `mode` says how the commands behave.
STAND_IN = """
    #!/bin/sh
    here=${0%/*}
    program=${0##*/}
    mode=$(cat "$here/mode.$program" 2>/dev/null)
    echo "$program $*" >> "$here/calls"
    take() {
      name=$(sed -n 's/^#SBATCH --job-name=//p' "$3")
      id=$(($(wc -l < "$here/queue") + 100))
      echo "$id $name" >> "$here/queue"
      env -0 > "$here/environment"
    }
    case $program-$mode in
      sbatch-) take "$@"; echo "$id;lab" ;;
      sbatch-slow) sleep 0.3; take "$@"; echo $id ;;
      sbatch-taken-without-answer) take "$@"; echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1 ;;
      sbatch-killed) take "$@"; kill -9 $$ ;;
      sbatch-not-heard) echo 'sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received' >&2; exit 1 ;;
      sbatch-refused) echo 'sbatch: error: Batch job submission failed: Invalid partition name specified' >&2; exit 1 ;;
      squeue-) sed -n "s/^\\([0-9]*\\) $7\\$/\\1/p" "$here/queue" ;;
      squeue-forgetful) ;;
      squeue-down) echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1 ;;
      sacct-) sed -n "s/^\\([0-9]*\\) $5\\$/\\1_3/p" "$here/queue" ;;
      sacct-down) exit 1 ;;
    esac
"""


class SlurmSubmits(Submits):
    SCHEDULER = "slurm"
    PROGRAMS = ("sbatch", "squeue", "sacct")
    STAND_IN = STAND_IN

    def request(self, **more):
        script = "#!/bin/sh\n#SBATCH --job-name=wf-r1-t1\n"
        return dict({"name": "wf-r1-t1", "script": script, "jobs": [self.job()], "secrets": {}}, **more)

    def assert_one_job(self, answer):
        self.assertEqual((answer["code"], answer["stdout"].strip().split(";")[0]), (0, "100"))
        self.assertEqual(self.lines("queue"), ["100 wf-r1-t1"])

    def test_what_was_given_up_while_it_was_on_its_way_cannot_start(self):
        self.assertTrue(Submission(self.folder).claim(1))
        jobs = [self.job(shell("a@1", "true")), self.job(shell("b@1", "true"))]
        self.assert_one_job(self.submit(jobs=jobs))
        submission = Submission(self.folder)
        self.assertEqual([submission.claim(0), submission.claim(1)], [True, False])
        self.assertEqual(len(submission.table()), 2)
        self.assertEqual(os.listdir(os.path.dirname(self.folder)), ["t1"])

    def test_what_it_leaves(self):
        self.assert_one_job(self.submit())
        with open(self.folder + "/jobs/0.json") as file:
            self.assertEqual(json.load(file)["tasks"][0]["attempt"], "a@1")
        with open(self.folder + "/table.json") as file:
            self.assertEqual(json.load(file), [{"job": "j1", "tasks": [{"task": "task-a@1", "attempt": "a@1"}]}])
        self.assertTrue({"started", "output", "id"} <= set(os.listdir(self.folder)))
        self.assertEqual(os.listdir(os.path.dirname(self.folder)), ["t1"])
        self.assertIn("--chdir=" + self.folder, self.lines("calls")[0])

    def test_a_second_call_returns_the_first_ones_id(self):
        self.submit()
        answer = self.submit()
        self.assert_one_job(answer)
        self.assertEqual((self.calls("sbatch"), answer["commands"]), (1, {}))

    def test_two_calls_at_once(self):
        self.mode("sbatch", "slow")
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.submit())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(answers), 4)
        for answer in answers:
            self.assert_one_job(answer)

    def test_an_answer_that_was_lost(self):
        for mode in ("taken-without-answer", "killed"):
            with self.subTest(mode):
                self.setUp()
                self.mode("sbatch", mode)
                self.assertNotEqual(self.submit()["code"], 0)
                answer = self.submit()
                self.assert_one_job(answer)
                self.assertEqual((self.calls("sbatch"), answer["commands"]), (1, {"squeue": 1}))

    def test_an_answer_that_was_lost_of_a_job_that_is_over(self):
        self.mode("sbatch", "taken-without-answer")
        self.submit()
        self.mode("squeue", "forgetful")
        answer = self.submit()
        self.assert_one_job(answer)
        self.assertEqual(answer["commands"], {"squeue": 1, "sacct": 1})

    def test_a_request_that_was_not_heard(self):
        self.mode("sbatch", "not-heard")
        self.assertEqual(self.submit()["code"], 1)
        self.mode("sbatch", "")
        answer = self.submit()
        self.assert_one_job(answer)
        self.assertEqual(self.calls("squeue"), 2, "it was looked for twice before it was submitted again")

    def test_nothing_is_submitted_while_nobody_can_tell(self):
        self.mode("sbatch", "taken-without-answer")
        self.submit()
        self.mode("squeue", "down")
        answer = self.submit()
        self.assertIsNone(answer["code"])
        self.assertIn("Unable to contact", answer["stderr"])
        self.assertEqual(self.calls("sbatch"), 1)
        self.mode("squeue", "")
        self.assert_one_job(self.submit())

    def test_a_refusal(self):
        self.mode("sbatch", "refused")
        answer = self.submit()
        self.assertEqual((answer["code"], answer["commands"]), (1, {"sbatch": 1}))
        self.assertIn("Invalid partition", answer["stderr"])
        self.mode("sbatch", "")
        self.assert_one_job(self.submit())
        self.assertEqual(self.calls("squeue"), 0)

    def test_a_program_that_was_killed_before_it_asked(self):
        self.call("submit", self.request())
        os.unlink(self.folder + "/id")
        self.assert_one_job(self.submit())

    def test_recalling_what_an_engine_left(self):
        self.mode("sbatch", "taken-without-answer")
        self.submit()
        self.mode("squeue", "down")
        self.assertIn("Unable to contact", self.call("recall")["unknown"])
        self.mode("squeue", "")
        self.assertEqual(self.call("recall")["id"], "100")
        self.assertEqual(self.call("recall"), {"id": "100", "commands": {}})

    def test_recalling_what_slurm_never_got(self):
        self.mode("sbatch", "not-heard")
        self.submit()
        self.assertIsNone(self.call("recall")["id"])
        self.assertFalse(os.path.exists(self.folder))

    def test_a_job_gets_secrets_and_nothing_else_of_the_environment(self):
        secrets = {"TOKEN": 'correct "horse",\nbattery'}
        self.call("submit", self.request(secrets=secrets), LEAK="1", SBATCH_PARTITION="x", HOME="/h")
        environment = self.environment()
        self.assertEqual(json.loads(environment["WF_SECRETS"]), secrets)
        self.assertEqual(set(environment) - {"PWD", "OLDPWD", "SHLVL", "_"}, {"PATH", "HOME", "WF_SECRETS"})
        for folder, _, files in os.walk(self.folder):
            for name in files:
                with open(os.path.join(folder, name)) as file:
                    self.assertNotIn("horse", file.read())


if __name__ == "__main__":
    unittest.main()
