"""A launcher that is killed: its successor ends what it left, and calls it lost."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from wf_launcher import journal, proc, record, recovery
from wf_launcher.folders import RunFolder
from wf_launcher.serve import EXIT_ELSEWHERE

from .harness import ROOT, Launcher, is_running, shell, wait_until

STUBBORN = "trap '' TERM HUP"
UNSHARE = ["unshare", "--pid", "--fork", "--mount-proc"]
CAN_UNSHARE = shutil.which("unshare") is not None and subprocess.run(UNSHARE + ["true"]).returncode == 0


class DeadLauncher(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-launcher-")
        self.addCleanup(shutil.rmtree, self.storage, True)

    def launcher(self, **options):
        launcher = Launcher(storage=self.storage, **options)
        self.addCleanup(launcher.close)
        return launcher

    def pids(self, count):
        path = os.path.join(self.storage, "pids")

        def read():
            with open(path) as file:
                return [int(line) for line in file.read().split()]

        wait_until(lambda: os.path.exists(path) and len(read()) >= count, "{} pids".format(count))
        return read()

    def test_ranks_of_a_distributed_task_are_among_the_survivors(self):
        first = self.launcher()
        note = "{}; echo $$ >> {}/pids; sleep 61; sleep 61".format(STUBBORN, self.storage)
        first.submit(first.job(shell("a", note, ranks={"nodes": 1, "perNode": 3, "launch": None})))
        pids = self.pids(3)
        first.kill()
        second = self.launcher()
        self.assertFalse([pid for pid in pids if is_running(pid)])
        self.assertEqual(second.record_on_disk("a")["failure"]["class"], "lost")

    def test_survivors_are_killed_and_the_attempts_are_lost(self):
        first = self.launcher()
        note = "echo $$ >> {}/pids".format(self.storage)
        survive = "{}; {}; sleep 61; sleep 61".format(STUBBORN, note)
        script = "setsid -f env -i sh -c '{0}'; {0}".format(survive)
        first.submit(
            first.job(shell("done", "true")),
            first.job(shell("a", script)),
            first.job(shell("b", script)),
            first.job(shell("waits", "true"), cpus=4),
        )
        first.records("done")
        pids = self.pids(4)
        wait_until(lambda: all(attempt.pid for attempt in self.left()), "the pids in the journal")
        first.kill()
        self.assertTrue(all(is_running(pid) for pid in pids))

        second = self.launcher()
        self.assertEqual([pid for pid in pids if is_running(pid)], [])
        for attempt in ("a", "b"):
            lost = second.record_on_disk(attempt)
            self.assertEqual((lost["state"], lost["failure"]["class"]), ("failed", "lost"))
            self.assertIn(lost["pid"], pids)
            self.assertIsNone(lost["usage"]["userSeconds"])
        self.assertEqual(second.record_on_disk("done")["state"], "succeeded")
        self.assertEqual(second.hello["running"] + second.hello["queued"], [])
        second.submit(second.job(shell("a", "true")), second.job(shell("waits", "true"), cpus=4))
        again, waited = second.records("a", "waits")
        self.assertEqual(again["failure"]["class"], "lost")
        self.assertEqual(waited["state"], "succeeded")

    @unittest.skipUnless(CAN_UNSHARE, "SKIPPED: a pid namespace of its own needs root, or rights of users to make them")
    def test_what_cannot_be_seen_from_a_container_is_not_lost(self):
        first = self.launcher()
        first.submit(first.job(shell("a", "echo $$ >> {}/pids; sleep 61".format(self.storage))))
        (pid,) = self.pids(1)
        first.kill()
        words = ["serve", "--run", "r1", "--storage", self.storage, "--socket", self.storage + "/s"]
        apart = subprocess.run(
            UNSHARE + [sys.executable, "-I", "-S", ROOT] + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.assertEqual(apart.returncode, EXIT_ELSEWHERE, apart.stderr)
        self.assertTrue(is_running(pid))
        self.assertFalse(os.path.exists(self.storage + "/runs/r1/records/a.json"))
        self.assertEqual(self.launcher().record_on_disk("a")["failure"]["class"], "lost")
        self.assertFalse(is_running(pid))

    def left(self):
        return journal.read(RunFolder(self.storage, "r1").journal)[1]

    def test_an_attempt_that_kills_its_launcher_at_once_is_lost_and_not_made_again(self):
        first = self.launcher()
        first.submit(
            first.job(shell("a", "echo >> {}/starts; kill -9 $PPID".format(self.storage)), cpus=4),
            first.job(shell("waits", "true"), cpus=4),
        )
        first.wait_for_end()
        second = self.launcher()
        self.assertEqual(second.record_on_disk("a")["failure"]["class"], "lost")
        second.submit(second.job(shell("a", "echo >> {}/starts".format(self.storage)), cpus=4))
        self.assertEqual(second.records("a")[0]["failure"]["class"], "lost")
        with open(os.path.join(self.storage, "starts")) as file:
            self.assertEqual(file.read(), "\n")

    def test_what_ended_well_is_not_lost_later(self):
        first = self.launcher()
        first.run_task(shell("a", "true"))
        first.kill()
        second = self.launcher()
        self.assertEqual(second.record_on_disk("a")["state"], "succeeded")
        second.close()
        self.assertEqual(journal.read(RunFolder(self.storage, "r1").journal), ([], []))

    def test_another_run_of_the_storage_is_left_alone(self):
        first = self.launcher()
        first.submit(first.job(shell("a", "echo $$ >> {}/pids; sleep 60".format(self.storage), graceSeconds=0)))
        (pid,) = self.pids(1)
        os.makedirs(os.path.join(self.storage, "runs", "r2"))
        folder = RunFolder(self.storage, "r2")
        with open(folder.journal, "w") as file:
            file.write(json.dumps({"launcher": 1 << 32, "pid": 1, "host": record.HOST, "bootId": record.BOOT_ID}))
        self.assertEqual(recovery.recover(folder), [])
        self.assertTrue(is_running(pid))


class Journals(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-launcher-")
        self.addCleanup(shutil.rmtree, self.storage, True)
        self.folder = RunFolder(self.storage, "r1")
        self.folder.make()

    def write(self, *entries):
        with open(self.folder.journal, "w") as file:
            file.write("\n".join(json.dumps(entry) for entry in entries))

    def launcher(self, host, boot_id):
        return {"launcher": (1 << 32) + 5, "pid": 1, "host": host, "bootId": boot_id}

    start = {"start": "a", "job": "j", "task": "t"}

    def test_after_a_reboot_nothing_needs_to_be_killed(self):
        self.write(self.launcher(record.HOST, "an-earlier-boot"), self.start)
        self.assertEqual(recovery.recover(self.folder), ["a"])
        with open(self.folder.record("a")) as file:
            self.assertEqual(json.load(file)["failure"]["class"], "lost")

    def test_processes_of_another_machine_cannot_be_proven_dead(self):
        self.write(self.launcher("elsewhere", "another-boot"), self.start)
        with self.assertRaises(recovery.ElsewhereError) as caught:
            recovery.recover(self.folder)
        self.assertIn("elsewhere", str(caught.exception))
        self.assertFalse(os.path.exists(self.folder.record("a")))

    def test_nor_can_those_of_another_container(self):
        def launcher(namespace):
            return dict(self.launcher("container", record.BOOT_ID), pidNamespace=namespace)

        here, machines_own, another = "pid:[4026531999]", proc.MACHINES_OWN, "pid:[4026532000]"
        for theirs, ours, is_seen in (
            (another, here, False),
            (machines_own, here, False),
            (another, machines_own, True),
            (here, here, True),
            (None, here, True),  # an earlier version noted none
            (another, None, True),
        ):
            self.write(launcher(theirs), self.start)
            if is_seen:
                self.assertEqual(recovery.recover(self.folder, lambda: ours), ["a"], (theirs, ours))
                os.unlink(self.folder.record("a"))
                continue
            with self.assertRaises(recovery.ElsewhereError, msg=(theirs, ours)) as caught:
                recovery.recover(self.folder, lambda: ours)
            self.assertIn("outside of this container", str(caught.exception))
            self.assertFalse(os.path.exists(self.folder.record("a")))

    def test_a_line_that_was_cut_is_passed_over(self):
        with open(self.folder.journal, "w") as file:
            file.write(json.dumps(self.launcher("h", "b")) + "\n" + json.dumps(self.start) + "\n" + '{"end":"a')
        launchers, left = journal.read(self.folder.journal)
        self.assertEqual((len(launchers), [attempt.id for attempt in left]), (1, ["a"]))

    def test_a_torn_line_does_not_swallow_the_next(self):
        with open(self.folder.journal, "w") as file:
            file.write(json.dumps(self.launcher("h", "b")) + "\n" + json.dumps(self.start) + "\n" + '{"end":"b')
        notes = journal.Journal(self.folder.journal)
        notes.ended("a")
        notes.flush()
        self.assertEqual(journal.read(self.folder.journal)[1], [])


if __name__ == "__main__":
    unittest.main()
