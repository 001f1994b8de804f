"""How an attempt ends: by itself, at its limit, by order, and with processes left behind."""

import os
import shutil
import signal
import tempfile
import unittest

from wf_launcher import proc
from wf_launcher.ending import failure_of
from wf_launcher.oom_kills import OomKills, counter_file

from .harness import LauncherCase, Launcher, is_running, looking_until, output, python_task, shell, task, touch, wait_until

STUBBORN = "trap '' TERM HUP INT"


class Ends(LauncherCase):
    def pids(self, attempt, count):
        """The process ids that a task wrote, one a line, into its stdout."""
        path = self.launcher.attempt_path(attempt, "stdout")

        def read():
            with open(path) as file:
                return [int(line) for line in file.read().split()]

        wait_until(lambda: os.path.exists(path) and len(read()) == count, "{} pids".format(count))
        return read()

    def assert_dead(self, pids):
        self.assertEqual([pid for pid in pids if is_running(pid)], [])

    def test_exit_and_signal(self):
        record = self.run_shell("exit 7")
        self.assert_failed(record, "exit", "7")
        self.assertEqual((record["exitCode"], record["signal"]), (7, None))
        record = self.run_shell("kill -SEGV $$")
        self.assert_failed(record, "signal", "SIGSEGV")
        self.assertEqual((record["exitCode"], record["signal"]), (None, "SIGSEGV"))
        record = self.run_shell("kill -KILL $$")
        self.assert_failed(record, "signal", "SIGKILL")

    def test_a_kill_near_the_memory_limit_is_blamed_on_memory(self):
        script = "import os; x = bytearray(64 << 20); os.kill(os.getpid(), 9)"
        record = self.launcher.run_task(python_task(self.new(), script, memoryBytes=64 << 20))
        self.assert_failed(record, "out-of-memory")

    def test_a_command_that_cannot_start(self):
        for argv, words in (
            (["no-such-program", "x"], ["no-such-program", "not found"]),
            (["./nothing"], ["./nothing"]),
            (["/etc/passwd"], ["/etc/passwd", "not executable"]),
            (["/tmp"], ["/tmp"]),
        ):
            record = self.launcher.run_task(task(self.new(), argv))
            self.assert_failed(record, "not-started", *words)
            self.assertIsNone(record["pid"])

    def test_a_script_without_an_interpreter(self):
        for first_line, word in (("#!/no/such/interpreter", "interpreter"), ("", "#!")):
            value = self.launcher.file_value((first_line + "\necho hi\n").encode(), "script")
            os.chmod(self.launcher.object_path(value["hash"]), 0o555)
            staged = {"name": "code", "path": "script", "value": value, "how": "copy"}
            record = self.launcher.run_task(task(self.new(), ["./script"], inputs=[staged]))
            self.assert_failed(record, "not-started", word)

    def test_a_time_limit_ends_a_process_that_ignores_sigterm(self):
        record = self.run_shell(STUBBORN + "; sleep 60; sleep 60", timeLimitSeconds=3, graceSeconds=0.5)
        self.assert_failed(record, "time-limit", "3 s")
        self.assertEqual(record["signal"], "SIGKILL")
        self.assertGreaterEqual(record["usage"]["wallSeconds"], 3.5)

    def test_a_warning_comes_before_the_limit_and_sigterm_at_it(self):
        """The warning goes to those that listen; the child, which does not, lives on."""
        traps = "trap 'echo usr2' USR2; trap 'echo term; exit 0' TERM"
        script = traps + "; sleep 60 || echo killed & while :; do sleep 0.02; done"
        record = self.run_shell(script, timeLimitSeconds=6, warnSeconds=3)
        self.assert_failed(record, "time-limit")
        said = self.launcher.read(record["attempt"], "stdout").split()
        self.assertEqual((said[0], said.count(b"usr2"), said.count(b"term")), (b"usr2", 1, 1))

    def test_a_warning_comes_as_long_before_the_limit_as_was_asked_for(self):
        script = "trap 'echo usr2; exit 0' USR2; while :; do sleep 0.02; done"
        record = self.run_shell(script, timeLimitSeconds=60, warnSeconds=59.5)
        self.assert_succeeded(record)
        self.assertEqual(self.launcher.read(record["attempt"], "stdout"), b"usr2\n")
        self.assertLess(record["usage"]["wallSeconds"], 59.5)

    def test_signals_that_the_launcher_ignores_are_not_ignored_by_tasks(self):
        record = self.run_shell("grep -E '^(SigIgn|SigBlk)' /proc/self/status")
        _, blocked, _, ignored = self.launcher.read(record["attempt"], "stdout").split()
        self.assertEqual(int(blocked, 16), 0)
        self.assertEqual(int(ignored, 16) & 0x7FFFFFFF, 0)  # the C library keeps signals 32 and 33 for itself

    def test_cancelling_ends_the_whole_tree_also_what_is_daemonised(self):
        attempt = self.new()
        inner = "setsid -f sh -c 'echo \\$\\$; sleep 61'"
        daemon = 'setsid -f sh -c "echo \\$\\$; {}; {}; sleep 62"'.format(STUBBORN, inner)
        script = "{}; echo $$; {}; sleep 63 & echo $!; wait".format(STUBBORN, daemon)
        self.launcher.submit(self.launcher.job(shell(attempt, script, graceSeconds=0.2)))
        pids = self.pids(attempt, 4)
        self.launcher.send({"op": "cancel", "attempts": [attempt]})
        (record,) = self.launcher.records(attempt)
        self.assert_failed(record, "cancelled")
        self.assert_dead(pids)

    def test_cancelling_ends_more_processes_than_one_page_of_proc_can_list(self):
        attempt = self.new()
        forks = "import os, time\nfor _ in range(900):\n  if os.fork() == 0: time.sleep(60); os._exit(0)\n"
        script = forks + "print(1, flush=True); time.sleep(60)"
        self.launcher.submit(self.launcher.job(python_task(attempt, script, graceSeconds=0)))
        self.pids(attempt, 1)
        mark = os.fsencode(self.launcher.attempt_path(attempt))
        self.assertEqual(len(self.marked(mark)), 901)
        self.launcher.send({"op": "cancel", "attempts": [attempt]})
        self.assert_failed(self.launcher.records(attempt)[0], "cancelled")
        self.assertEqual(self.marked(mark), [])

    def marked(self, mark):
        """Processes in whose environment the mark is found."""
        return [pid for pid in proc.all_pids() if mark in proc.environment_of(pid).get(b"WF_METRICS", b"")]

    def test_cancelling_a_polite_task(self):
        attempt = self.new()
        script = "trap 'echo bye; exit 5' TERM; echo $$; while :; do sleep 0.02; done"
        self.launcher.submit(self.launcher.job(shell(attempt, script)))
        self.pids(attempt, 1)
        self.launcher.send({"op": "cancel", "attempts": [attempt, "unknown"]})
        (record,) = self.launcher.records(attempt)
        self.assert_failed(record, "cancelled")
        self.assertEqual(record["exitCode"], 5)
        self.assertIn(b"bye", self.launcher.read(attempt, "stdout"))

    def test_cancelling_what_waits(self):
        blocker, waiting, behind = self.new(), self.new(), self.new()
        self.launcher.submit(self.launcher.job(shell(blocker, "sleep 60", graceSeconds=0), cpus=4))
        self.launcher.started(blocker)
        self.launcher.submit(self.launcher.job(shell(waiting, "true"), shell(behind, "true", after=[waiting])))
        self.launcher.send({"op": "cancel", "attempts": [waiting]})
        records = self.launcher.records(waiting, behind)
        self.assert_failed(records[0], "cancelled", "before it started")
        self.assert_failed(records[1], "not-reached", "not started: task-{} failed".format(waiting))
        self.launcher.send({"op": "cancel", "attempts": [blocker]})
        self.launcher.records(blocker)


class LeftBehind(LauncherCase):
    DRAIN_SECONDS, GRACE_SECONDS = 3, 1

    @classmethod
    def options(cls):
        patience = "r._DRAIN_SECONDS, r._DRAIN_GRACE_SECONDS = {}, {}".format(cls.DRAIN_SECONDS, cls.GRACE_SECONDS)
        return {"prelude": "from wf_launcher import runner as r; " + patience}

    def test_processes_that_outlive_the_command(self):
        soon, polite, stubborn = (self.new() for _ in range(3))
        self.launcher.submit(
            self.launcher.job(shell(soon, "setsid -f sh -c 'sleep 0.1; echo late > tmp/x; echo late'")),
            self.launcher.job(shell(polite, "setsid -f sleep 60")),
            self.launcher.job(shell(stubborn, "setsid -f sh -c \"{}; sleep 60; sleep 60\"".format(STUBBORN))),
        )
        records = dict(zip(("soon", "polite", "stubborn"), self.launcher.records(soon, polite, stubborn)))
        for record in records.values():
            self.assert_succeeded(record)
        self.assertEqual(records["soon"]["leftoverProcesses"], 0)
        self.assertEqual(self.launcher.read(soon, "stdout"), b"late\n")
        self.assertGreaterEqual(records["soon"]["usage"]["wallSeconds"], 0.1)
        self.assertEqual(records["polite"]["leftoverProcesses"], 1)
        self.assertLess(records["polite"]["usage"]["wallSeconds"], 60)
        self.assertEqual(records["stubborn"]["leftoverProcesses"], 2)
        least = self.DRAIN_SECONDS + self.GRACE_SECONDS
        self.assertGreaterEqual(records["stubborn"]["usage"]["wallSeconds"], least)

    def test_a_limit_still_holds_for_what_was_left(self):
        record = self.run_shell("setsid -f sleep 60", timeLimitSeconds=2, graceSeconds=0.1)
        self.assert_failed(record, "time-limit")


class Terminated(unittest.TestCase):
    def test_a_launcher_that_is_told_to_end_cancels_and_records(self):
        launcher = Launcher()
        self.addCleanup(launcher.close)
        launcher.submit(launcher.job(shell("a", "sleep 60")), launcher.job(shell("b", "sleep 60"), cpus=4))
        launcher.started("a")
        launcher.process.send_signal(signal.SIGTERM)
        (record,) = launcher.records("a")
        self.assertEqual(record["failure"]["class"], "cancelled")
        self.assertEqual(launcher.wait_for_end(), 0)
        self.assertFalse(os.path.exists(launcher.socket_path))


    def test_a_launcher_that_is_told_to_end_while_it_looks_at_a_success_calls_it_none(self):
        storage = tempfile.mkdtemp(prefix="wf-launcher-")
        self.addCleanup(shutil.rmtree, storage, True)
        looks, goes = storage + "/looks", storage + "/goes"
        launcher = Launcher(storage=storage, prelude=looking_until(looks, goes))
        self.addCleanup(launcher.close)
        launcher.submit(
            launcher.job(shell("a", "echo o > out/o", outputs=[output("o", "out/o")])),
            launcher.job(shell("b", "sleep 60")),
        )
        wait_until(lambda: os.path.exists(looks), "the end of the task")
        launcher.process.send_signal(signal.SIGTERM)
        launcher.records("b")
        touch(goes)
        (record,) = launcher.records("a")
        self.assertEqual(record["failure"]["class"], "cancelled")


class OutOfMemory(unittest.TestCase):
    KILLED = signal.SIGKILL

    def test_evidence_is_needed(self):
        self.assertEqual(failure_of(self.KILLED, 0, 10**9, False).failure_class, "signal")
        self.assertEqual(failure_of(self.KILLED, 10**9, 10**8, False).failure_class, "signal")
        self.assertEqual(failure_of(self.KILLED, 10**9, 96 * 10**7, False).failure_class, "out-of-memory")
        self.assertEqual(failure_of(self.KILLED, 0, 0, True).failure_class, "out-of-memory")

    def test_a_shell_reports_the_kill_of_its_child(self):
        self.assertEqual(failure_of(137 << 8, 0, 0, True).failure_class, "out-of-memory")
        self.assertEqual(failure_of(137 << 8, 10**9, 10**9, False).failure_class, "exit")
        self.assertEqual(failure_of(1 << 8, 0, 0, True).failure_class, "exit")

    def test_a_task_that_ends_with_0_beside_a_kill_is_no_success(self):
        self.assertIsNone(failure_of(0, 10**9, 10**9, False))
        self.assertEqual(failure_of(0, 0, 0, True).failure_class, "out-of-memory")
        self.assertEqual(failure_of(0, 0, 0, True, is_alone=False).failure_class, "interrupted")

    def test_counters_of_both_versions_of_control_groups(self):
        for cgroup, path, content in (
            ("0::/user/x\n", "sys/fs/cgroup/user/x/memory.events", "low 0\noom 3\noom_kill 2\n"),
            ("4:memory:/job\n0::/\n", "sys/fs/cgroup/memory/job/memory.oom_control", "under_oom 0\noom_kill 2\n"),
            ("0::/host/path\n", "sys/fs/cgroup/memory.events", "oom_kill 2\n"),
        ):
            with tempfile.TemporaryDirectory() as root:
                for name, text in (("proc/self/cgroup", cgroup), (path, content)):
                    os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                    with open(os.path.join(root, name), "w") as file:
                        file.write(text)
                self.assertEqual(counter_file(root), os.path.join(root, path))
                self.assertEqual(OomKills(root).count(), 2)

    def test_no_counter(self):
        self.assertIsNone(counter_file("/nowhere"))
        self.assertIsNone(OomKills("/nowhere").count())


if __name__ == "__main__":
    unittest.main()
