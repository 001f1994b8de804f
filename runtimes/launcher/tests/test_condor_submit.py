"""Submitting to HTCondor: whatever happens on the way, one cluster of jobs."""

import json
import os
import stat
import subprocess
import sys
import unittest

from .harness import ROOT, shell
from .submits import Submits

# `mode` says how the commands behave. What they print was seen of a real HTCondor.
STAND_IN = """
    #!/bin/sh
    here=${0%/*}
    program=${0##*/}
    mode=$(cat "$here/mode.$program" 2>/dev/null)
    echo "$program $*" >> "$here/calls"
    take() {
      pwd > "$here/folder"
      cat "$2" "$(sed -n 's/^queue .* from //p' "$2")" > "$here/given"
      token=$(sed -n 's/^My.WfToken = //p' "$2")
      id=$(($(wc -l < "$here/queue") + 100))
      echo "$id $token" >> "$here/queue"
      env -0 > "$here/environment"
    }
    find_in_queue() { sed -n "s/^\\([0-9]*\\) ${1#WfToken == }\\$/\\1/p" "$here/queue"; }
    case $program-$mode in
      condor_submit-) take "$@"; echo "$id.0 - $id.$(($(wc -l < queue.txt) - 1))" ;;
      condor_submit-taken-without-answer) take "$@"; echo 'ERROR: Failed to commit job submission into the queue.' >&2; exit 1 ;;
      condor_submit-killed) take "$@"; kill -9 $$ ;;
      condor_submit-not-heard) echo "ERROR: Can't find address of local schedd" >&2; exit 1 ;;
      condor_submit-refused) echo 'ERROR: Executable file nosuch does not exist' >&2; exit 1 ;;
      condor_q-) find_in_queue "$3" ;;
      condor_q-forgetful) ;;
      condor_q-down) echo "Error: Can't find address for schedd vm" >&2; exit 1 ;;
      condor_history-) find_in_queue "$2" ;;
      condor_history-off) echo 'Error: No passed search file and configuration key HISTORY is unset.' >&2; exit 1 ;;
      condor_history-broken) echo 'Error: cannot read' >&2; exit 1 ;;
    esac
"""
DESCRIPTION = 'My.WfToken = "t1"\nqueue wf_index from queue.txt\n'


class OnStandIn(Submits):
    SCHEDULER = "condor"
    PROGRAMS = ("condor_submit", "condor_q", "condor_history")
    STAND_IN = STAND_IN

    def request(self, **more):
        jobs = [self.job(), self.job(shell("b@1", "true"))]
        document = {"name": "wf-r1-t1", "script": "#!/bin/sh\n", "description": DESCRIPTION, "jobs": jobs}
        return dict(document, **dict({"secrets": {}, "placement": "shared"}, **more))


class CondorSubmits(OnStandIn):
    def assert_one_cluster(self, answer):
        self.assertEqual((answer["code"], answer["stdout"]), (0, "100.0 - 100.1\n"))
        self.assertEqual(self.lines("queue"), ['100 "t1"'])

    def test_what_it_leaves(self):
        self.assert_one_cluster(self.submit())
        self.assertEqual(self.lines("folder"), [self.folder])
        self.assertEqual(self.lines("given")[-2:], ["0", "1"])
        self.assertTrue(os.access(self.folder + "/script", os.X_OK))
        with open(self.folder + "/jobs/1.json") as file:
            self.assertEqual(json.load(file)["tasks"][0]["attempt"], "b@1")
        self.assertEqual(self.lines("calls"), ["condor_submit -terse description"])

    def test_a_second_call_returns_the_first_ones_id(self):
        self.submit()
        answer = self.submit()
        self.assert_one_cluster(answer)
        self.assertEqual((self.calls("condor_submit"), answer["commands"]), (1, {}))

    def test_an_answer_that_was_lost(self):
        for mode in ("taken-without-answer", "killed"):
            with self.subTest(mode):
                self.setUp()
                self.mode("condor_submit", mode)
                self.assertNotEqual(self.submit()["code"], 0)
                answer = self.submit()
                self.assert_one_cluster(answer)
                self.assertEqual((self.calls("condor_submit"), answer["commands"]), (1, {"condor_q": 1}))

    def test_an_answer_that_was_lost_of_jobs_that_are_over(self):
        self.mode("condor_submit", "taken-without-answer")
        self.submit()
        self.mode("condor_q", "forgetful")
        answer = self.submit()
        self.assert_one_cluster(answer)
        self.assertEqual(answer["commands"], {"condor_q": 1, "condor_history": 1})

    def test_a_request_that_was_not_heard(self):
        for history in ("", "off"):
            with self.subTest(history):
                self.setUp()
                self.mode("condor_history", history)
                self.mode("condor_submit", "not-heard")
                self.assertEqual(self.submit()["code"], 1)
                self.mode("condor_submit", "")
                self.assert_one_cluster(self.submit())
                self.assertEqual(self.calls("condor_q"), 2, "it was looked for twice before it was submitted again")

    def test_nothing_is_submitted_while_nobody_can_tell(self):
        for program, mode, says in (("condor_q", "down", "address"), ("condor_history", "broken", "cannot read")):
            with self.subTest(program):
                self.setUp()
                self.mode("condor_submit", "not-heard")
                self.submit()
                self.mode(program, mode)
                answer = self.submit()
                self.assertIsNone(answer["code"])
                self.assertIn(says, answer["stderr"])
                self.assertEqual(self.calls("condor_submit"), 1)

    def test_a_refusal(self):
        self.mode("condor_submit", "refused")
        answer = self.submit()
        self.assertEqual((answer["code"], answer["commands"]), (1, {"condor_submit": 1}))
        self.mode("condor_submit", "")
        self.assert_one_cluster(self.submit())
        self.assertEqual(self.calls("condor_q"), 0)

    def test_recalling_what_an_engine_left(self):
        self.mode("condor_submit", "taken-without-answer")
        self.submit()
        self.mode("condor_q", "down")
        self.assertIn("address", self.call("recall")["unknown"])
        self.mode("condor_q", "")
        self.assertEqual(self.call("recall")["id"], "100")
        self.assertEqual(self.call("recall"), {"id": "100", "commands": {}})

    def test_recalling_what_condor_never_got(self):
        self.mode("condor_submit", "not-heard")
        self.submit()
        self.assertIsNone(self.call("recall")["id"])
        self.assertFalse(os.path.exists(self.folder))


class HidesSecrets(OnStandIn):
    def submit_secret(self):
        task = shell("a@1", 'test "${TOKEN#a h}" = orse && test -z "$WF_SECRETS$WF_SECRETS_PAD"', secrets=["TOKEN"])
        request = self.request(secrets={"TOKEN": "a horse"}, jobs=[self.job(task)])
        self.call("submit", request, LEAK="1", HOME="/h")

    def test_neither_file_nor_environment_tells(self):
        self.submit_secret()
        environment = self.environment()
        self.assertEqual(
            set(environment) - {"PWD", "OLDPWD", "SHLVL", "_"}, {"PATH", "HOME", "WF_SECRETS_PAD"}
        )
        self.assertNotIn(b"horse", bytes.fromhex(environment["WF_SECRETS_PAD"]))
        self.assertEqual(stat.S_IMODE(os.stat(self.folder + "/secrets").st_mode), 0o600)
        for folder, _, files in os.walk(self.folder):
            for name in files:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(b"a horse", file.read())

    def test_a_job_puts_them_together(self):
        self.submit_secret()
        command = [sys.executable, "-I", "-S", ROOT, "run", self.folder + "/jobs/0.json"]
        self.assertEqual(subprocess.call(command, env={"WF_SECRETS_PAD": self.environment()["WF_SECRETS_PAD"]}), 0)

    def test_each_try_has_bytes_of_its_own(self):
        self.mode("condor_submit", "refused")
        self.submit_secret()
        with open(self.folder + "/secrets", "rb") as file:
            first = file.read()
        self.mode("condor_submit", "")
        self.submit_secret()
        with open(self.folder + "/secrets", "rb") as file:
            self.assertNotEqual(file.read(), first)
        self.test_a_job_puts_them_together()


if __name__ == "__main__":
    unittest.main()
