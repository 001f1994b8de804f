"""Tasks that go on where an earlier attempt ended."""

import os
import unittest

from .harness import Launcher, LauncherCase, output, python_task, shell, wait_until

STATE = output("state", "out/state.txt")
CHECKPOINT = {"output": "state"}
# Counts on from its checkpoint, and leaves one more when it is told that its time is nearly up.
COUNTING = """
import os, signal, sys, time
path = "out/state.txt"
count = int(open(path).read()) if os.path.exists(path) else 0
def leave(*_):
    with open(path + ".new", "w") as file:
        file.write(str(count + 1))
    os.replace(path + ".new", path)
    sys.exit(75)
signal.signal(signal.SIGUSR2, leave)
if count == 2:
    sys.exit(0)
time.sleep(90)
"""


class Slices(LauncherCase):
    def run_slice(self, script, begin=None, **more):
        checkpoint = dict(CHECKPOINT, **({} if begin is None else {"from": begin}))
        spec = python_task(self.new(), script, outputs=[STATE], checkpoint=checkpoint, **more)
        return self.launcher.run_task(spec)

    def content(self, value):
        return self.launcher.object(value["hash"]).decode()

    def test_a_slice_that_was_told_in_time_leaves_its_checkpoint_and_the_next_goes_on(self):
        left, counts = None, []
        for _ in range(2):
            record = self.run_slice(COUNTING, left, timeLimitSeconds=60, warnSeconds=59.5)
            self.assert_failed(record, "slice-ended", "60 s")
            left = record["checkpoint"]
            counts.append(self.content(left))
            self.assertFalse(os.path.exists(self.launcher.attempt_path(record["attempt"], "sandbox")))
        self.assertEqual(counts, ["1", "2"])
        record = self.run_slice(COUNTING, left)
        self.assert_succeeded(record)
        self.assertEqual(record["outputs"]["state"]["hash"], left["hash"])
        self.assertNotIn("checkpoint", record)

    def test_a_task_that_is_slow_to_begin_is_told_when_it_listens(self):
        record = self.run_slice("import time; time.sleep(1)\n" + COUNTING, timeLimitSeconds=60, warnSeconds=59.8)
        self.assert_failed(record, "slice-ended")
        self.assertEqual((record["exitCode"], self.content(record["checkpoint"])), (75, "1"))

    def test_a_task_that_is_ended_at_its_limit_leaves_what_it_wrote_on_the_way(self):
        record = self.run_slice("import time; open('out/state.txt', 'w').write('7'); time.sleep(30)", timeLimitSeconds=4)
        self.assert_failed(record, "slice-ended")
        self.assertEqual(self.content(record["checkpoint"]), "7")

    def test_a_slice_without_a_newer_checkpoint_is_a_failure_that_says_so(self):
        waits = "import time; time.sleep(30)"
        record = self.run_slice(waits, timeLimitSeconds=0.3)
        self.assert_failed(record, "time-limit", "wrote no checkpoint", "out/state.txt", name="state")
        self.assertNotIn("checkpoint", record)
        begin = self.launcher.file_value(b"7", "state.txt")
        record = self.run_slice(waits, begin, timeLimitSeconds=0.3)
        self.assert_failed(record, "time-limit", "the one that it began with")
        self.assertNotIn("checkpoint", record)

    def test_a_task_that_fails_by_itself_has_failed_whatever_it_left(self):
        record = self.run_slice("open('out/state.txt', 'w').write('7'); raise SystemExit(75)")
        self.assert_failed(record, "exit", "75")
        self.assertEqual(self.content(record["checkpoint"]), "7")
        self.assertTrue(os.path.exists(self.launcher.attempt_path(record["attempt"], "sandbox/out/state.txt")))

    def test_a_cancelled_task_leaves_its_checkpoint_too(self):
        attempt = self.new()
        script = "echo 3 > out/state.txt; echo up; sleep 30"
        self.launcher.submit(self.launcher.job(shell(attempt, script, outputs=[STATE], checkpoint=CHECKPOINT)))
        path = self.launcher.attempt_path(attempt, "stdout")
        wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 0, "the checkpoint")
        self.launcher.send({"op": "cancel", "attempts": [attempt]})
        record = self.launcher.records(attempt)[0]
        self.assert_failed(record, "cancelled")
        self.assertEqual(self.content(record["checkpoint"]), "3\n")

    def test_a_folder_can_be_the_checkpoint_and_an_empty_one_is_none(self):
        folder = dict(outputs=[output("state", "out/state", "directory")], checkpoint=CHECKPOINT, timeLimitSeconds=3)
        record = self.launcher.run_task(shell(self.new(), "sleep 30", **folder))
        self.assert_failed(record, "time-limit", "wrote no checkpoint")
        record = self.launcher.run_task(shell(self.new(), "echo a > out/state/a; sleep 30", **folder))
        self.assert_failed(record, "slice-ended")
        begin = dict(folder, checkpoint=dict(CHECKPOINT, **{"from": record["checkpoint"]}))
        record = self.launcher.run_task(shell(self.new(), "echo b >> out/state/a; sleep 30", **begin))
        self.assert_failed(record, "slice-ended")
        record = self.launcher.run_task(
            shell(self.new(), "cat out/state/a", outputs=folder["outputs"], checkpoint=dict(CHECKPOINT, **{"from": record["checkpoint"]}))
        )
        self.assert_succeeded(record)
        self.assertEqual(self.launcher.read(record["attempt"], "stdout"), b"a\nb\n")

    def test_what_it_began_with_stays_as_it_was_in_the_store(self):
        begin = self.launcher.file_value(b"7", "state.txt")
        record = self.run_slice("open('out/state.txt', 'a').write('8'); import time; time.sleep(30)", begin, timeLimitSeconds=4)
        self.assertEqual(self.content(record["checkpoint"]), "78")
        self.assertEqual(self.content(begin), "7")


class AfterTheLauncher(unittest.TestCase):
    def test_the_next_launcher_saves_the_checkpoint_of_what_was_lost(self):
        first = Launcher()
        spec = shell("a1", "echo '{\"n\": 5}' > $WF_METRICS; echo 5 > out/state.txt; echo up; sleep 60", outputs=[STATE], checkpoint=CHECKPOINT)
        first.submit(first.job(spec))
        first.started("a1")
        path = first.attempt_path("a1", "stdout")
        wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 0, "the checkpoint")
        first.kill()
        second = Launcher(storage=first.storage)
        try:
            record = second.record_on_disk("a1")
            self.assertEqual(record["failure"]["class"], "lost")
            self.assertEqual(second.object(record["checkpoint"]["hash"]), b"5\n")
            self.assertEqual(record["metrics"], [{"n": 5}])
        finally:
            second.close()
            first.close()
