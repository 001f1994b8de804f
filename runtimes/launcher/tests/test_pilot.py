"""Pilots: several jobs at once from a mailbox, whoever is faster, until none is left."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from .harness import PATIENCE_SECONDS, ROOT, shell, wait_until

CANCELLED = {"class": "cancelled", "message": "cancelled before it started"}
LOST = {"class": "lost", "message": "its pilot is gone"}


class Pilots(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-pilot-")
        self.addCleanup(shutil.rmtree, self.storage, True)
        self.run_folder = self.storage + "/runs/r1"

    def job(self, *tasks, **more):
        fixed = {"version": 1, "run": "r1", "storage": self.storage, "cpus": 1, "memoryBytes": 0, "gpus": 0}
        return dict(fixed, job="job-" + tasks[0]["attempt"], tasks=list(tasks), **more)

    def ask(self, command, request):
        program = [sys.executable, "-I", "-S", ROOT, command, self.storage, "r1"]
        answer = subprocess.run(program, input=json.dumps(request).encode(), stdout=subprocess.PIPE, check=True)
        return json.loads(answer.stdout.decode())

    def post(self, *jobs):
        return self.ask("mail-post", {"jobs": jobs})

    def pilot(self, name, idle=0.5, **terms):
        path = "{}/{}.json".format(self.storage, name)
        known = {"cpus": 2, "memoryBytes": 0, "gpus": 0, "idleSeconds": idle, "timeSeconds": 600}
        with open(path, "w") as file:
            json.dump(dict(known, **terms), file)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", ROOT, "pilot", self.storage, "r1", name, path],
            stdin=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"]},
        )
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
            process.wait()

    def assert_left(self, *pilots):
        for process in pilots:
            self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def record(self, attempt):
        with open("{}/records/{}.json".format(self.run_folder, attempt)) as file:
            return json.load(file)

    def has_record(self, attempt):
        return os.path.exists("{}/records/{}.json".format(self.run_folder, attempt))

    def files(self, folder):
        return [name for _, _, names in os.walk(self.run_folder + "/mailbox/" + folder) for name in names]

    def has_started(self, attempt):
        return os.path.exists("{}/started/{}.json".format(self.run_folder, attempt))

    def test_two_pilots_work_off_what_waits_and_each_job_runs_once(self):
        names = ["a{}".format(number) for number in range(30)]
        note = "echo $WF_ATTEMPT >> {}/ledger".format(self.storage)
        self.post(*[self.job(shell(name, note)) for name in names])
        self.assert_left(self.pilot("pilot-1"), self.pilot("pilot-2"))
        with open(self.storage + "/ledger") as file:
            self.assertEqual(sorted(file.read().split()), sorted(names))
        self.assertEqual({self.record(name)["state"] for name in names}, {"succeeded"})
        self.assertEqual(self.files("waiting") + self.files("claimed"), [])

    def test_what_is_posted_twice_runs_once_and_what_is_done_is_not_posted(self):
        job = self.job(shell("a", "echo ran >> {}/ledger".format(self.storage)))
        self.post(job)
        self.post(job)
        self.assertEqual(len(self.files("waiting")), 1)
        self.assert_left(self.pilot("pilot-1"))
        self.post(job)
        self.assertEqual(self.files("waiting"), [])

    def test_several_run_at_once_within_its_cpus(self):
        meet = "touch {0}/$WF_ATTEMPT; while [ ! -e {0}/{1} ]; do sleep 0.02; done"
        self.post(
            self.job(shell("a", meet.format(self.storage, "b"))),
            self.job(shell("b", meet.format(self.storage, "a"))),
            self.job(shell("c", "true"), cpus=2),
        )
        self.assert_left(self.pilot("pilot-1"))
        for attempt in "abc":
            self.assertIsNone(self.record(attempt)["failure"])
        self.assertLessEqual(self.record("a")["endedAt"], self.record("c")["startedAt"])

    def test_a_wide_job_is_passed_only_so_often(self):
        self.post(self.job(shell("first", "sleep 0.3")), self.job(shell("wide", "true"), cpus=2))
        self.post(*[self.job(shell("n{}".format(number), "sleep 0.05")) for number in range(60)])
        self.assert_left(self.pilot("pilot-1"))
        later = [number for number in range(60) if self.record("n%d" % number)["startedAt"] > self.record("wide")["endedAt"]]
        self.assertGreaterEqual(len(later), 30)

    def test_what_does_not_fit_waits_for_another_pilot(self):
        self.post(self.job(shell("wide", "true"), cpus=8), self.job(shell("long", "true", timeLimitSeconds=9000)))
        self.assert_left(self.pilot("pilot-1"))
        self.assertEqual(len(self.files("waiting")), 2)
        self.assert_left(self.pilot("pilot-2", cpus=8, timeSeconds=10000))
        self.assertTrue(self.has_record("wide") and self.has_record("long"))

    def test_a_job_that_waits_is_taken_back_and_one_that_runs_is_ended(self):
        self.post(self.job(shell("runs", "sleep 60"), cpus=2))
        pilot = self.pilot("pilot-1")
        wait_until(lambda: self.has_started("runs"), "the task")
        self.post(self.job(shell("waits", "true")))
        self.ask("mail-cancel", {"attempts": ["runs"], "failure": CANCELLED, "isOnlyWaiting": True})
        self.assertEqual(self.files("cancel"), [])
        self.ask("mail-cancel", {"attempts": ["runs", "waits"], "failure": CANCELLED})
        self.assertEqual(self.record("waits")["failure"], CANCELLED)
        self.assert_left(pilot)
        self.assertEqual(self.record("runs")["failure"]["class"], "cancelled")

    def test_one_task_of_a_job_is_cancelled_and_the_others_go_on(self):
        self.post(self.job(shell("one", "sleep 60"), shell("two", "true")))
        self.ask("mail-cancel", {"attempts": ["one"], "failure": CANCELLED})
        self.assertEqual(self.record("one")["failure"], CANCELLED)
        self.assertEqual(len(self.files("waiting")), 1)
        self.assert_left(self.pilot("pilot-1"))
        self.assertEqual(self.record("two")["state"], "succeeded")
        self.assertEqual(self.files("claimed") + self.files("taken"), [])

    def test_what_was_taken_by_an_engine_that_was_killed_waits_again(self):
        self.post(self.job(shell("a", "true")))
        (name,) = self.files("waiting")
        mailbox = self.run_folder + "/mailbox/"
        os.rename(mailbox + "waiting/" + name, mailbox + "taken/" + name)
        self.assertTrue(self.ask("look", {"attempts": ["a"]})["attempts"]["a"]["isMailed"])
        self.assert_left(self.pilot("pilot-1"))
        self.assertEqual(self.record("a")["state"], "succeeded")

    def test_a_pilot_that_dies_loses_only_what_it_was_doing(self):
        jobs = [self.job(shell(name, "sleep 30")) for name in ("a", "b")]
        self.post(*jobs, self.job(shell("c", "true")))
        pilot = self.pilot("pilot-1")
        wait_until(lambda: self.has_started("a") and self.has_started("b"), "the tasks")
        pilot.kill()
        pilot.wait()
        self.ask("mail-cancel", {"attempts": ["b"], "failure": CANCELLED})
        end = {"pilot": "pilot-1", "failure": LOST, "host": "c1", "startedAt": 1, "endedAt": 2}
        self.assertEqual(sorted(self.ask("mail-settle", end)["settled"]), ["a", "b"])
        self.assertEqual(self.record("a")["failure"], LOST)
        self.assertEqual(self.record("b")["failure"]["class"], "cancelled")
        self.assertEqual(self.ask("mail-settle", end), {"settled": []})
        self.assert_left(self.pilot("pilot-2"))
        self.assertEqual(self.record("c")["state"], "succeeded")

    def test_what_a_dead_pilot_had_not_come_to_has_failed_nothing(self):
        self.post(self.job(shell("a", "sleep 30"), shell("b", "true")))
        pilot = self.pilot("pilot-1")
        wait_until(lambda: self.has_started("a"), "the task")
        pilot.kill()
        pilot.wait()
        self.ask("mail-settle", {"pilot": "pilot-1", "failure": LOST, "host": "c1", "startedAt": 1, "endedAt": 2})
        self.assertEqual(self.record("a")["failure"], LOST)
        self.assertEqual(self.record("b")["failure"]["class"], "not-reached")

    def test_a_pilot_that_is_told_to_end_claims_nothing_more(self):
        self.post(*[self.job(shell(name, "sleep 60")) for name in ("a", "b", "c")])
        pilot = self.pilot("pilot-1", idle=60)
        wait_until(lambda: self.has_started("a") and self.has_started("b"), "the tasks")
        pilot.send_signal(signal.SIGTERM)
        self.assertEqual(pilot.wait(PATIENCE_SECONDS), 78)
        self.assertEqual([self.record(name)["failure"]["class"] for name in ("a", "b")], ["interrupted"] * 2)
        self.assertFalse(self.has_record("c"))
        self.assertEqual(self.post()["left"], ["pilot-1"])

    def test_who_posts_hears_which_pilots_have_left(self):
        self.assert_left(self.pilot("pilot-1", idle=0))
        stays = self.pilot("pilot-2", idle=60)
        self.assertEqual(self.post(self.job(shell("a", "true")))["left"], ["pilot-1"])
        wait_until(lambda: self.has_record("a"), "the record")
        self.assertIsNone(stays.poll())

    def test_looking_finds_what_waits_and_what_is_claimed(self):
        self.post(self.job(shell("a", "sleep 30"), cpus=2), self.job(shell("b", "true")))
        self.pilot("pilot-1")
        wait_until(lambda: self.has_started("a"), "the task")
        found = self.ask("look", {"attempts": ["a", "b", "c"]})
        self.assertEqual({name: seen.get("isMailed") for name, seen in found["attempts"].items()}, {"a": True, "b": True, "c": None})
        self.assertEqual(found["pilots"], {})
