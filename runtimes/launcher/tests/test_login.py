"""What a login node does for an engine elsewhere: watching, looking, settling."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from wf_launcher import record, whole_file
from wf_launcher.login.slurm import Slurm
from wf_launcher.login.submission import Submission

from .harness import PATIENCE_SECONDS, ROOT, read_record, shell, wait_until


LOST = {"class": "lost", "message": "gone"}


def start(*arguments, **more):
    return subprocess.Popen(
        [sys.executable, "-I", "-S", ROOT] + list(arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, **more
    )


def entry(*attempts):
    tasks = [{"task": "task-" + attempt, "attempt": attempt} for attempt in attempts]
    return {"job": "job-" + attempts[0], "tasks": tasks}


class OnALoginNode(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-login-")
        self.addCleanup(shutil.rmtree, self.storage)
        self.run_folder = self.storage + "/runs/r1"

    def job(self, *tasks):
        fixed = {"version": 1, "run": "r1", "storage": self.storage, "cpus": 2, "memoryBytes": 0, "gpus": 0}
        return dict(fixed, job="job-" + tasks[0]["attempt"], tasks=list(tasks))

    def run_job(self, *tasks, **environment):
        path = self.storage + "/job.json"
        with open(path, "w") as file:
            json.dump(self.job(*tasks), file)
        env = dict({"PATH": os.environ["PATH"]}, **environment)
        subprocess.run([sys.executable, "-I", "-S", ROOT, "run", path], env=env, stderr=subprocess.DEVNULL)

    def submission(self, token, *jobs):
        submission = Submission("{}/submissions/{}".format(self.run_folder, token))
        os.makedirs(os.path.dirname(submission.folder), exist_ok=True)
        submission.lay_out({"name": "wf-" + token, "script": "", "jobs": jobs}, Slurm())
        return submission

    def ask(self, command, request):
        process = start(command, self.storage, "r1")
        said, _ = process.communicate(json.dumps(request).encode(), timeout=PATIENCE_SECONDS)
        self.assertEqual(process.returncode, 0)
        return json.loads(said.decode())

    def record(self, attempt):
        return read_record("{}/records/{}.json".format(self.run_folder, attempt))


class Watches(OnALoginNode):
    def setUp(self):
        super().setUp()
        self.watcher = start("watch", self.storage, "r1")
        self.addCleanup(self.end)
        self.assertEqual(self.heard(), {"watching": True})

    def end(self):
        self.watcher.stdin.close()
        self.assertEqual(self.watcher.wait(PATIENCE_SECONDS), 0)
        self.watcher.stdout.close()

    def tell(self, **command):
        self.watcher.stdin.write(json.dumps(command).encode() + b"\n")
        self.watcher.stdin.flush()

    def heard(self):
        return json.loads(self.watcher.stdout.readline().decode())

    def test_a_start_and_a_record_and_none_of_others(self):
        name = "ünï '\"\n肺@1"
        self.tell(watch=[name, "later@1"])
        self.run_job(shell("other@1", "true"), shell(name, "exit 3", after=["other@1"]), SLURMD_NODENAME="n7")
        started = self.heard()["started"]
        self.assertEqual((started["attempt"], started["host"]), (name, "n7"))
        ended = self.heard()["record"]
        self.assertEqual((ended["attempt"], ended["exitCode"], ended["host"]), (name, 3, "n7"))
        self.assertEqual(ended["startedAt"], started["startedAt"])
        self.run_job(shell("later@1", "true"))
        self.assertEqual([list(self.heard()) for _ in range(2)], [["attempt", "started"], ["attempt", "record"]])

    def test_what_was_there_before(self):
        self.run_job(shell("a@1", "true"))
        self.tell(watch=["a@1"])
        self.assertEqual(self.heard()["started"]["attempt"], "a@1")
        self.assertEqual(self.heard()["record"]["state"], "succeeded")

    def test_records_that_a_task_wrote_itself(self):
        """One line for each, whatever it is, and none of them can pass for another line."""
        folder = self.run_folder + "/records"
        os.makedirs(folder)
        lies = b'{"watching":true,\n"record":{"attempt":"a@1"}}'
        contents = {"a@1": lies, "b@1": b"no JSON", "c@1": b'{"x":NaN}', "d@1": b"[" * 100000, "e@1": b"", "f@1": b"\xff"}
        for attempt, content in contents.items():
            with open("{}/{}.json".format(folder, attempt), "wb") as file:
                file.write(content)
        os.mkfifo(folder + "/g@1.json")
        os.symlink("/etc/passwd", folder + "/h@1.json")
        self.tell(watch=list(contents) + ["g@1", "h@1"])
        heard = {}
        for _ in range(len(contents) + 2):
            said = self.heard()
            heard[said["attempt"]] = said
        self.assertEqual(heard.pop("a@1")["record"], json.loads(lies.decode()))
        self.assertEqual(sorted(heard), ["b@1", "c@1", "d@1", "e@1", "f@1", "g@1", "h@1"])
        self.assertTrue(all(list(said) == ["attempt", "unreadable"] for said in heard.values()), heard)

    def test_what_it_was_told_to_forget(self):
        self.tell(watch=["a@1", "b@1"])
        self.tell(forget=["a@1"])
        self.run_job(shell("a@1", "true"))
        self.run_job(shell("b@1", "true"))
        self.assertEqual(self.heard()["started"]["attempt"], "b@1")


HOSTILE = {
    "a pipe": os.mkfifo,
    "a link": lambda path: os.symlink("/dev/zero", path),
    "a folder": lambda path: os.makedirs(path + "/full"),
    "nested too deeply": lambda path: write(path, b"[" * 100000),
    "no JSON": lambda path: write(path, b"\xff"),
}


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


class HostileRecords(OnALoginNode):
    """What lies in the place of a record, where the task itself could put it."""

    def test_are_as_if_they_were_not_there(self):
        os.makedirs(self.run_folder + "/records")
        for what, put in HOSTILE.items():
            with self.subTest(what):
                put(self.run_folder + "/records/a@1.json")
                looked = self.ask("look", {"attempts": ["a@1"]})
                self.assertEqual(looked["attempts"], {"a@1": {"isRecorded": False}})
                element = dict(entry("a@1"), token=None, index=0, isDead=True, failure=LOST, attempts=["a@1"])
                self.ask("settle", {"elements": [dict(element, host=None, startedAt=None, endedAt=None)]})
                self.assertEqual(self.record("a@1")["failure"]["class"], "lost")
                os.unlink(self.run_folder + "/records/a@1.json")

    def test_a_draft_that_is_a_link_is_not_written_through(self):
        os.makedirs(self.run_folder + "/records")
        write(self.storage + "/mine", b"mine")
        path = self.run_folder + "/records/a@1.json"
        draft = "{}/.a@1.json.{}.{}".format(os.path.dirname(path), whole_file.HOST, os.getpid())
        for publish in (record.publish_once, lambda path, content: record.write(path, content, False)):
            os.symlink(self.storage + "/mine", draft)
            publish(path, b"{}")
            self.assertEqual(record.read(path), b"{}")
            os.unlink(path)
        with open(self.storage + "/mine") as file:
            self.assertEqual(file.read(), "mine")


class Looks(OnALoginNode):
    def test_what_is_known_of_attempts(self):
        self.submission("t1", self.job(shell("a@1", "true")), self.job(shell("b@1", "true"), shell("c@1", "true")))
        self.submission("t2", self.job(shell("d@1", "true"))).note_id("77")
        self.submission("t3", self.job(shell("unasked@1", "true")))
        self.run_job(shell("a@1", "true"))
        self.assertEqual(
            self.ask("look", {"attempts": ["a@1", "c@1", "d@1", "never@1"]}),
            {
                "attempts": {
                    "a@1": {"isRecorded": True, "token": "t1", "index": 0},
                    "c@1": {"isRecorded": False, "token": "t1", "index": 1},
                    "d@1": {"isRecorded": False, "token": "t2", "index": 0},
                    "never@1": {"isRecorded": False},
                },
                "submissions": {
                    "t1": {"id": None, "elements": [entry("a@1"), entry("b@1", "c@1")]},
                    "t2": {"id": "77", "elements": [entry("d@1")]},
                },
                "pilots": {},
            },
        )

    def test_a_run_of_which_there_is_nothing(self):
        self.assertEqual(self.ask("look", {"attempts": ["a"]}), {"attempts": {"a": {"isRecorded": False}}, "submissions": {}, "pilots": {}})


class Settles(OnALoginNode):
    def settle(self, token, index, *attempts, is_dead=False, **more):
        element = dict(entry(*attempts), token=token, index=index, isDead=is_dead, failure=LOST)
        element.update({"attempts": attempts, "host": None, "startedAt": None, "endedAt": None}, **more)
        return self.ask("settle", {"elements": [element]})["unstarted"]

    def test_what_has_not_started_never_will(self):
        submission = self.submission("t1", self.job(shell("a@1", "true")))
        self.assertEqual(self.settle("t1", 0, "a@1"), [0])
        self.assertEqual(self.record("a@1")["failure"]["class"], "lost")
        self.assertFalse(submission.claim(0))

    def test_what_has_started_is_left_alone_unless_it_is_dead(self):
        self.submission("t1", self.job(shell("a@1", "true"))).claim(0)
        self.assertEqual(self.settle("t1", 0, "a@1"), [])
        self.assertFalse(os.path.exists(self.run_folder + "/records/a@1.json"))
        self.assertEqual(self.settle("t1", 0, "a@1", is_dead=True), [])
        self.assertEqual(self.record("a@1")["failure"]["class"], "lost")

    def test_a_record_that_is_there_stays(self):
        self.submission("t1", self.job(shell("a@1", "true"), shell("b@1", "true")))
        self.run_job(shell("a@1", "true"))
        self.settle("t1", 0, "a@1", "b@1", is_dead=True)
        self.assertEqual(self.record("a@1")["state"], "succeeded")
        self.assertEqual(self.record("b@1")["state"], "failed")

    def test_what_is_still_on_its_way_to_the_scheduler(self):
        self.assertEqual(self.settle("t1", 0, "a@1"), [0])
        self.assertEqual(self.record("a@1")["failure"]["class"], "lost")
        looked = self.ask("look", {"attempts": ["a@1"]})
        self.assertEqual((looked["attempts"]["a@1"], looked["submissions"]), ({"isRecorded": True}, {}))

    def test_what_was_never_submitted(self):
        self.assertEqual(self.settle(None, 0, "a@1"), [0])
        self.assertEqual(self.record("a@1")["state"], "failed")

    def test_what_the_scheduler_knows_of_it(self):
        self.submission("t1", self.job(shell("a@1", "true"))).claim(0)
        self.settle("t1", 0, "a@1", is_dead=True, host="n7", startedAt=100.0, endedAt=160.0)
        found = self.record("a@1")
        self.assertEqual((found["host"], found["startedAt"], found["endedAt"]), ("n7", 100.0, 160.0))
        self.assertEqual((found["task"], found["job"], found["usage"]["wallSeconds"]), ("task-a@1", "job-a@1", 60.0))
        self.assertIsNone(found["usage"]["peakMemoryBytes"])

    def mark_started(self, attempt):
        os.makedirs(self.run_folder + "/started", exist_ok=True)
        open("{}/started/{}.json".format(self.run_folder, attempt), "w").close()

    def test_what_a_dead_job_had_not_come_to_has_failed_nothing(self):
        self.submission("t1", self.job(shell("a@1", "true"), shell("b@1", "true"), shell("c@1", "true"))).claim(0)
        self.mark_started("b@1")
        more = {"attempts": ["a@1", "b@1", "c@1"], "startedAt": 100.0, "endedAt": 160.0}
        self.settle("t1", 0, "b@1", "c@1", is_dead=True, **more)
        self.assertEqual(self.record("b@1")["failure"], LOST)
        unreached = self.record("c@1")
        self.assertEqual(unreached["failure"]["class"], "not-reached")
        self.assertIn("gone", unreached["failure"]["message"])
        self.assertEqual((unreached["startedAt"], unreached["usage"]["wallSeconds"]), (160.0, 0))

    def test_a_task_that_ended_well_was_reached_too(self):
        self.submission("t1", self.job(shell("a@1", "true"), shell("b@1", "true"))).claim(0)
        self.run_job(shell("a@1", "true"))
        self.settle("t1", 0, "b@1", is_dead=True, attempts=["a@1", "b@1"])
        self.assertEqual(self.record("b@1")["failure"]["class"], "not-reached")

    def test_where_no_task_of_a_dead_job_was_reached_it_has_failed_for_all(self):
        self.submission("t1", self.job(shell("a@1", "true"), shell("b@1", "true"))).claim(0)
        self.settle("t1", 0, "a@1", "b@1", is_dead=True)
        self.assertEqual([self.record(name)["failure"] for name in ("a@1", "b@1")], [LOST, LOST])

    def test_who_cancels_a_job_means_all_of_its_tasks(self):
        self.submission("t1", self.job(shell("a@1", "true"), shell("b@1", "true"))).claim(0)
        self.mark_started("a@1")
        cancelled = {"class": "cancelled", "message": "by somebody"}
        self.settle("t1", 0, "a@1", "b@1", is_dead=True, failure=cancelled)
        self.assertEqual([self.record(name)["failure"] for name in ("a@1", "b@1")], [cancelled, cancelled])

    def test_a_job_that_comes_to_its_end_after_it_was_given_up_changes_nothing(self):
        self.submission("t1", self.job(shell("a@1", "true"))).claim(0)
        path = self.storage + "/late.json"
        with open(path, "w") as file:
            json.dump(self.job(shell("a@1", "while [ ! -e '{}/go' ]; do sleep 0.02; done".format(self.storage))), file)
        late = start("run", path, env={"PATH": os.environ["PATH"]})
        wait_until(lambda: os.path.exists(self.run_folder + "/started/a@1.json"), "the start")
        self.settle("t1", 0, "a@1", is_dead=True)
        open(self.storage + "/go", "w").close()
        late.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(self.record("a@1")["failure"]["class"], "lost")
        self.assertEqual(os.listdir(self.run_folder + "/records"), ["a@1.json"])


class Secrets(OnALoginNode):
    def test_a_task_gets_the_values_of_its_own_secrets(self):
        check = 'test "$TOKEN" = "a b" && test -z "$OTHER$WF_SECRETS"'
        self.run_job(
            shell("has@1", check, secrets=["TOKEN"]),
            shell("has-not@1", 'test -z "$TOKEN$WF_SECRETS"'),
            WF_SECRETS=json.dumps({"TOKEN": "a b", "OTHER": "x"}),
        )
        self.assertEqual([self.record(name)["state"] for name in ("has@1", "has-not@1")], ["succeeded"] * 2)


if __name__ == "__main__":
    unittest.main()
