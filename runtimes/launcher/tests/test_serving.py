"""The socket: admission, batches, clients that come and go."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

from .harness import ROOT, START, Launcher, LauncherCase, interpreter, output, shell, task, touch, wait_until, waiting_for


class Jobs(LauncherCase):
    def test_the_socket_is_private(self):
        self.assertEqual(stat.S_IMODE(os.stat(self.launcher.socket_path).st_mode), 0o600)

    def test_a_record_is_on_disk_before_its_event_and_equal_to_it(self):
        record = self.run_shell("true")
        self.assertEqual(self.launcher.record_on_disk(record["attempt"]), record)

    def test_a_started_event_comes_before_the_finished_one(self):
        record = self.run_shell("true")
        told = [event["event"] for event in self.launcher.events if event.get("attempt") == record["attempt"]]
        self.assertEqual(told, ["started", "finished"])

    def test_order_within_a_job(self):
        first, second, third = (self.new() for _ in range(3))
        log = os.path.join(self.launcher.storage, "order")
        self.launcher.submit(
            self.launcher.job(
                shell(third, "echo 3 >> " + log, after=[second]),
                shell(second, "echo 2 >> " + log, after=[first]),
                shell(first, "sleep 0.05; echo 1 >> " + log),
                cpus=3,
            )
        )
        self.launcher.records(first, second, third)
        with open(log) as file:
            self.assertEqual(file.read(), "1\n2\n3\n")

    def test_a_task_of_a_job_sees_what_an_earlier_one_published(self):
        first, second = self.new(), self.new()
        self.launcher.submit(
            self.launcher.job(
                shell(first, "echo 1 > o", outputs=[output("o", "o")]),
                shell(second, "test -e {}/objects/4*/4*".format(self.launcher.storage), after=[first]),
            )
        )
        for record in self.launcher.records(first, second):
            self.assert_succeeded(record)

    def test_those_behind_a_failed_task_are_not_started(self):
        first, second, third = (self.new() for _ in range(3))
        self.launcher.submit(
            self.launcher.job(
                shell(first, "exit 1"), shell(second, "true", after=[first]), shell(third, "true", after=[second])
            )
        )
        for record in self.launcher.records(first, second, third)[1:]:
            self.assert_failed(record, "not-reached", "not started: task-{} failed".format(first))
            self.assertIsNone(record["pid"])

    def test_a_job_that_can_never_fit(self):
        for more in ({"cpus": 5}, {"memoryBytes": 1 << 50}, {"gpus": 1}):
            record = self.launcher.run_task(shell(self.new(), "true"), **more)
            self.assert_failed(record, "not-started", "the site has")

    def test_submitting_again(self):
        log = os.path.join(self.launcher.storage, "ledger")
        attempt = self.new()
        job = self.launcher.job(shell(attempt, "echo x >> {}; sleep 0.1".format(log)))
        self.launcher.submit(job, job)
        self.launcher.submit(job)
        (first,) = self.launcher.records(attempt)
        self.launcher.submit(job)
        (again,) = self.launcher.records(attempt)
        self.assertEqual(first, again)
        with open(log) as file:
            self.assertEqual(file.read(), "x\n")

    def test_a_job_of_which_some_is_recorded(self):
        works, fails, follows, cannot = (self.new() for _ in range(4))
        self.launcher.submit(self.launcher.job(shell(works, "true")), self.launcher.job(shell(fails, "exit 1")))
        self.launcher.records(works, fails)
        self.launcher.submit(
            self.launcher.job(shell(works, "true"), shell(follows, "true", after=[works]), cpus=4),
            self.launcher.job(shell(fails, "true"), shell(cannot, "true", after=[fails]), cpus=4),
        )
        follows, cannot = self.launcher.records(follows, cannot)
        self.assert_succeeded(follows)
        self.assert_failed(cannot, "not-reached", "task-{} failed".format(fails))
        self.assert_succeeded(self.launcher.run_task(shell(self.new(), "true"), cpus=4))

    def test_never_more_than_the_capacity(self):
        meter = os.path.join(self.launcher.storage, "meter")
        script = "mkdir -p {0}; : > {0}/$$; ls {0} | wc -l; sleep 0.05; rm {0}/$$".format(meter)
        attempts = [self.new() for _ in range(12)]
        self.launcher.submit(*[self.launcher.job(shell(attempt, script), cpus=2) for attempt in attempts])
        self.launcher.records(*attempts)
        self.assertEqual({self.launcher.read(attempt, "stdout").strip() for attempt in attempts} - {b"1", b"2"}, set())

    def test_names_that_are_paths_are_refused(self):
        self.launcher.submit(self.launcher.job(shell("../escape", "true")))
        event = self.launcher.wait_for(lambda event: event["event"] == "error", "an error")
        self.assertIn("../escape", event["message"])

    def test_nonsense_is_answered(self):
        self.launcher.client.sendall(b'nonsense\n{"op":"dance"}\n[1]\n{"op":"submit","jobs":[{}]}\n{"op":"cancel"}\n')
        for _ in range(5):
            self.launcher.wait_for(lambda event: event["event"] == "error", "an error")
        self.assert_succeeded(self.run_shell("true"))

    def test_the_environment_of_a_task(self):
        attempt = self.new()
        record = self.launcher.run_task(
            task(attempt, ["env", "-0"], env={"SEED": "4", "LANG": "xx"}, params={"a": 1}, cpus=0.5)
        )
        self.assert_succeeded(record)
        lines = self.launcher.read(attempt, "stdout").decode().split("\0")
        seen = dict(line.split("=", 1) for line in lines if line)
        folder = self.launcher.attempt_path(attempt)
        for name in ("PATH", "HOME", "USER", "LOGNAME", "TZ"):
            if name in os.environ:
                self.assertEqual(seen.pop(name), os.environ[name])
        self.assertEqual(
            seen,
            {
                "LANG": "xx",
                "SEED": "4",
                "TMPDIR": folder + "/sandbox/tmp",
                "WF_RUN": "r1",
                "WF_TASK_NAME": "task-" + attempt,
                "WF_ATTEMPT": attempt,
                "WF_CPUS": "0.5",
                "WF_TASK": folder + "/task.json",
                "WF_METRICS": folder + "/metrics.jsonl",
            },
        )

    def test_stdin_is_empty_and_no_file_is_inherited(self):
        record = self.run_shell("cat; ls /proc/self/fd")
        self.assertEqual(self.launcher.read(record["attempt"], "stdout").split(), [b"0", b"1", b"2", b"3"])

    def test_a_program_of_the_tasks_own_search_path(self):
        value = self.launcher.file_value(b"#!/bin/sh\necho mine\n", "tool")
        os.chmod(self.launcher.object_path(value["hash"]), 0o555)
        staged = {"name": "code", "path": "bin/tool", "value": value, "how": "link"}
        record = self.launcher.run_task(task(self.new(), ["tool"], inputs=[staged], env={"PATH": "bin:/usr/bin:/bin"}))
        self.assert_succeeded(record)
        self.assertEqual(self.launcher.read(record["attempt"], "stdout"), b"mine\n")

    def test_folders_of_a_runtime_come_first_on_the_search_path(self):
        folder = tempfile.mkdtemp(prefix="wf-runtime-")
        self.addCleanup(shutil.rmtree, folder)
        os.symlink("/bin/echo", folder + "/python3")
        script = 'python3 "$PATH"'
        record = self.run_shell(script, path=[folder], env={"PATH": "/usr/bin:/bin"})
        self.assertEqual(self.launcher.read(record["attempt"], "stdout").decode(), folder + ":/usr/bin:/bin\n")
        record = self.launcher.run_task(task(self.new(), ["python3", "found"], path=[folder]))
        self.assertEqual(self.launcher.read(record["attempt"], "stdout"), b"found\n")


class Clients(unittest.TestCase):
    def launcher(self, **options):
        launcher = Launcher(**options)
        self.addCleanup(launcher.close)
        return launcher

    def test_a_client_that_goes_leaves_what_runs_and_drops_what_waits(self):
        launcher = self.launcher(linger=0.2)
        go = os.path.join(launcher.folder, "go")
        launcher.submit(
            launcher.job(shell("runs", waiting_for(go) + "; sleep 0.4; echo done"), shell("next", "true", after=["runs"]), cpus=4),
            launcher.job(shell("waits", "true")),
        )
        launcher.started("runs")
        launcher.disconnect()
        launcher.client = None
        touch(go)
        self.assertEqual(launcher.wait_for_end(), 0)
        self.assertEqual(launcher.record_on_disk("runs")["state"], "succeeded")
        self.assertEqual(launcher.record_on_disk("next")["state"], "succeeded")
        self.assertFalse(os.path.exists(os.path.join(launcher.folder, "records", "waits.json")))
        self.assertFalse(os.path.exists(launcher.socket_path))

    def test_a_new_client_finds_what_runs(self):
        launcher = self.launcher()
        go = os.path.join(launcher.folder, "go")
        launcher.submit(launcher.job(shell("a", waiting_for(go)), shell("b", "true", after=["a"])))
        launcher.started("a")
        launcher.disconnect()
        launcher.connect({"cpus": 4, "memoryBytes": 1 << 40, "gpus": 0})
        self.assertEqual((launcher.hello["running"], launcher.hello["queued"]), (["a"], ["b"]))
        self.assertEqual(launcher.hello["pid"], launcher.process.pid)
        touch(go)
        for record in launcher.records("a", "b"):
            self.assertEqual(record["state"], "succeeded")

    def test_a_new_connection_replaces_the_old_one(self):
        launcher = self.launcher()
        old = launcher.client
        launcher.connect({"cpus": 4, "memoryBytes": 1 << 40, "gpus": 0})
        self.assertEqual(old.recv(100), b"")
        old.close()
        launcher.run_task(shell("a", "true"))

    def test_released_it_goes_when_nothing_is_left(self):
        launcher = self.launcher()
        launcher.submit(launcher.job(shell("a", "sleep 0.2")), launcher.job(shell("b", "true"), cpus=4))
        launcher.send({"op": "release"})
        launcher.records("a", "b")
        self.assertEqual(launcher.wait_for_end(), 0)

    def test_files_of_whoever_started_it_stay_away_from_tasks(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        launcher = self.launcher(pass_fds=[writer])
        os.close(writer)
        launcher.run_task(shell("a", "ls /proc/self/fd; setsid -f sleep 0.2"))
        self.assertEqual(launcher.read("a", "stdout").split(), [b"0", b"1", b"2", b"3"])

    def test_a_second_launcher_of_the_run_is_refused(self):
        launcher = self.launcher()
        second = subprocess.run(
            [sys.executable, "-I", "-S", "-c", START.format(ROOT, "pass"), "serve", "--run", "r1"]
            + ["--storage", launcher.storage, "--socket", launcher.socket_path + "2"],
            stderr=subprocess.PIPE,
        )
        self.assertEqual(second.returncode, 3)
        launcher.run_task(shell("a", "true"))

    def test_a_capacity_that_shrinks(self):
        launcher = self.launcher()
        go = os.path.join(launcher.folder, "go")
        launcher.submit(launcher.job(shell("a", waiting_for(go)), cpus=4), launcher.job(shell("b", "true"), cpus=3))
        launcher.started("a")
        launcher.send({"op": "hello", "version": 1, "capacity": {"cpus": 2, "memoryBytes": 0, "gpus": 0}})
        self.assertEqual(launcher.records("b")[0]["failure"]["class"], "not-started")
        touch(go)
        launcher.submit(launcher.job(shell("c", "true"), cpus=2))
        for record in launcher.records("a", "c"):
            self.assertEqual(record["state"], "succeeded")

    def test_submit_needs_a_hello_of_the_right_version(self):
        launcher = self.launcher()
        launcher.send({"op": "hello", "version": 99, "capacity": {"cpus": 1, "memoryBytes": 0, "gpus": 0}})
        event = launcher.wait_for(lambda event: event["event"] == "error", "an error")
        self.assertIn("version 1", event["message"])

    @unittest.skipUnless(interpreter("3.8"), "SKIPPED: python3.8 is not installed")
    def test_the_oldest_python_that_it_is_for(self):
        launcher = self.launcher(python=interpreter("3.8"))
        record = launcher.run_task(shell("a", "echo 1 > o", outputs=[output("o", "o", "json")]))
        self.assertEqual(record["outputs"]["o"]["value"], 1)

    def test_a_slow_reader_gets_everything(self):
        launcher = self.launcher()
        names = ["t{}".format(index) for index in range(60)]
        padding = "x" * 20000
        launcher.submit(*[launcher.job(shell(name, "exit 1", task=padding, keepSandbox="never")) for name in names])
        last = os.path.join(launcher.folder, "records", names[-1] + ".json")
        wait_until(lambda: os.path.exists(last), "the last record")
        self.assertEqual(len(launcher.records(*names)), 60)


class CommandLine(unittest.TestCase):
    def run_launcher(self, *words):
        return subprocess.run(
            [sys.executable, "-I", "-S", ROOT] + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def test_version(self):
        from wf_launcher import VERSION

        self.assertEqual(self.run_launcher("--version").stdout.decode(), VERSION + "\n")

    def test_usage(self):
        serve = ["serve", "--run", "r", "--storage", "/nowhere", "--socket"]
        for words in ([], ["dance"], ["run"], serve, serve + ["s", "--linger", "x"], serve + ["s", "--color", "red"]):
            done = self.run_launcher(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(b"usage:", done.stderr)


if __name__ == "__main__":
    unittest.main()
