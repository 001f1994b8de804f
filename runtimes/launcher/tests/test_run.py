"""`run`: one job without a socket, on every Python that is at hand."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from .harness import (
    JOB,
    PATIENCE_SECONDS,
    ROOT,
    START,
    interpreter,
    is_running,
    link,
    looking_until,
    output,
    read_record,
    shell,
    task,
    touch,
    wait_until,
)


class RunsJobs(unittest.TestCase):
    python = sys.executable

    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-run-")
        self.addCleanup(shutil.rmtree, self.storage)

    def start(self, *tasks, is_readable=True, **more):
        """`prelude`: Python that is run in the launcher first."""
        marker = [more.pop("marker")] if "marker" in more else []
        prelude = more.pop("prelude", None)
        program = [ROOT] if prelude is None else ["-c", START.format(ROOT, prelude)]
        job = {"version": 1, "run": "r1", "job": "j1", "storage": self.storage, "cpus": 2, "memoryBytes": 0, "gpus": 0}
        job.update(more, tasks=list(tasks))
        if is_readable:
            JOB.check(job)
        path = os.path.join(self.storage, "job.json")
        with open(path, "w") as file:
            json.dump(job, file)
        return subprocess.Popen(
            [self.python, "-I", "-S"] + program + ["run", path] + marker,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "LANG": "C"},
        )

    def run_job(self, *tasks, **more):
        process = self.start(*tasks, **more)
        _, said = process.communicate(timeout=PATIENCE_SECONDS)
        return process.returncode, said.decode()

    def record_path(self, attempt):
        return os.path.join(self.storage, "runs", "r1", "records", attempt + ".json")

    def record(self, attempt):
        return read_record(self.record_path(attempt))

    def stdout(self, attempt):
        with open(os.path.join(self.storage, "runs", "r1", "attempts", attempt, "stdout"), "rb") as file:
            return file.read()

    def test_success_in_order(self):
        name = "ünï '\"\n肺"
        status, said = self.run_job(
            shell("b", "grep -q ü \"in/$ODD\" 2>/dev/null || true; echo b", after=["a"], env={"ODD": name}),
            task("a", ["cp", "/etc/hostname", "out/" + name], outputs=[output("o", "out/" + name)]),
        )
        self.assertEqual((status, said), (0, ""))
        self.assertEqual(self.record("a")["outputs"]["o"]["name"], name)
        self.assertEqual(self.stdout("b"), b"b\n")
        self.assertLessEqual(self.record("a")["endedAt"], self.record("b")["startedAt"])

    def test_failure(self):
        status, said = self.run_job(shell("a", "exit 4"), shell("b", "true", after=["a"]), task("c", ["no-such"]))
        self.assertEqual(status, 1)
        self.assertIn("task-a: exit", said)
        self.assertEqual(self.record("b")["failure"]["class"], "not-reached")
        self.assertEqual(self.record("c")["failure"]["class"], "not-started")
        self.assertIn("no-such", self.record("c")["failure"]["message"])

    def test_what_is_no_json(self):
        """A line of metrics is a warning, an output a failure; and both are the same on every Python."""
        lines = ("{", '{"a": 1', '{"a": "b', '["\\x"]', "{'a': 1}", "tru")
        status, said = self.run_job(
            shell("a", 'printf \'%s\\n\' "$LINES" > "$WF_METRICS"', env={"LINES": "\n".join(lines)}),
            shell("b", "printf '{\"a\": 1' > out/o.json", outputs=[output("o", "out/o.json", "json")]),
        )
        self.assertEqual(status, 1)
        self.assertEqual(self.record("a")["state"], "succeeded", said)
        told = ["metrics line {}: no JSON: {}".format(number, line) for number, line in enumerate(lines, 1)]
        self.assertEqual(self.record("a")["warnings"], told)
        failure = self.record("b")["failure"]
        self.assertEqual(failure["class"], "output-invalid")
        self.assertIn("output o (out/o.json): not valid JSON: Expecting ',' delimiter: line 1 column 8", failure["message"])

    def test_measuring_staging_and_limits(self):
        objects = os.path.join(self.storage, "objects", "2c")
        os.makedirs(objects)
        content_hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        with open(os.path.join(objects, content_hash), "w") as file:
            file.write("hello")
        inputs = [link("x", "in/x", {"kind": "file", "hash": content_hash, "size": 5, "name": "hello"})]
        status, _ = self.run_job(
            shell("a", "cat in/x > tmp/x; setsid -f head -c 3000000 /dev/zero > tmp/y", inputs=inputs),
            shell("b", "trap '' TERM; sleep 60; sleep 60", timeLimitSeconds=0.3, graceSeconds=0.2),
        )
        self.assertEqual(status, 1)
        self.assertEqual(self.record("a")["state"], "succeeded")
        self.assertEqual(self.record("a")["stagedIn"]["files"], 1)
        self.assertEqual(self.record("a")["usage"]["writtenBytes"], 3000005)
        self.assertEqual(self.record("b")["failure"]["class"], "time-limit")

    def test_a_job_that_is_told_to_end(self):
        for number, failure, unreached, status in (
            (signal.SIGTERM, "interrupted", "not-reached", 78),
            (signal.SIGINT, "cancelled", "cancelled", 1),
        ):
            with self.subTest(failure):
                self.storage = tempfile.mkdtemp(dir=self.storage)
                script = "trap 'echo saved' USR2; trap 'echo bye; exit 1' TERM; echo $$; while :; do sleep 0.02; done"
                process = self.start(shell("a", script), shell("b", "true"), shell("c", "true", after=["a"]), cpus=1)
                wait_until(lambda: self._has(b"\n"), "the task")
                pid = int(self.stdout("a"))
                process.send_signal(signal.SIGUSR2)
                wait_until(lambda: self._has(b"saved"), "the warning")
                process.send_signal(number)
                _, said = process.communicate(timeout=PATIENCE_SECONDS)
                self.assertEqual(process.returncode, status)
                self.assertEqual(b"told to end at " in (said or b""), failure == "interrupted")
                self.assertFalse(is_running(pid))
                self.assertIn(b"bye", self.stdout("a"))
                self.assertEqual(self.record("a")["failure"]["class"], failure)
                for name in "bc":
                    self.assertEqual(self.record(name)["failure"]["class"], unreached)
                    self.assertEqual(self.record(name)["usage"]["wallSeconds"], 0)

    def test_a_job_whose_tasks_are_told_first(self):
        process = self.start(shell("a", "echo $$; exec sleep 60"), shell("b", "true", after=["a"]))
        wait_until(lambda: self._has(b"\n"), "the task")
        os.kill(int(self.stdout("a")), signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(self.record("a")["failure"]["class"], "interrupted")
        self.assertEqual(self.record("a")["signal"], "SIGTERM")
        self.assertEqual(self.record("b")["failure"]["class"], "not-reached")

    def test_a_job_that_is_told_to_end_when_its_tasks_have_ended(self):
        """What it says then is heard: that it was told, or that it was ended by that."""
        tell = "os.kill(os.getpid(), signal.SIGTERM)"
        for when, status, says in (
            ("lambda place: ({}, close(place))[1]".format(tell), 78, "told to end at "),
            ("lambda place: (close(place), {})[0]".format(tell), -signal.SIGTERM, ""),
        ):
            with self.subTest(status):
                self.storage = tempfile.mkdtemp(dir=self.storage)
                prelude = "import os, signal; from wf_launcher.workplace import Workplace; close = Workplace.close; "
                found, said = self.run_job(shell("a", "true"), prelude=prelude + "Workplace.close = " + when)
                self.assertEqual(found, status, said)
                self.assertIn(says, said)
                self.assertEqual(self.record("a")["state"], "succeeded")

    def test_a_job_that_is_told_to_end_while_a_success_is_looked_at(self):
        for number, failure in ((signal.SIGTERM, "interrupted"), (signal.SIGINT, "cancelled")):
            with self.subTest(failure):
                self.storage = tempfile.mkdtemp(dir=self.storage)
                looks, goes = self.storage + "/looks", self.storage + "/goes"
                wanted = [output("o", "out/o")]
                process = self.start(
                    shell("a", "echo o > out/o", outputs=wanted), shell("b", "sleep 60"), prelude=looking_until(looks, goes)
                )
                wait_until(lambda: os.path.exists(looks), "the end of the task")
                process.send_signal(number)
                wait_until(lambda: os.path.exists(self.record_path("b")), "the end of the other")
                touch(goes)
                process.communicate(timeout=PATIENCE_SECONDS)
                self.assertEqual(self.record("a")["failure"]["class"], failure)
                self.assertEqual(self.record("a")["outputs"], {})

    def _has(self, text):
        try:
            return text in self.stdout("a")
        except OSError:
            return False

    def test_a_job_starts_once(self):
        marker = os.path.join(self.storage, "started")
        self.assertEqual(self.run_job(shell("a", "true"), marker=marker)[0], 0)
        self.assertTrue(os.path.isdir(marker))
        status, said = self.run_job(shell("b", "true"), marker=marker)
        self.assertEqual(status, 75)
        self.assertIn("given up", said)
        self.assertFalse(os.path.exists(os.path.join(self.storage, "runs", "r1", "records", "b.json")))

    def test_a_job_whose_storage_cannot_be_written(self):
        status, said = self.run_job(shell("a", "true"), marker="/dev/null/started")
        self.assertEqual(status, 76)
        self.assertIn("/dev/null/started", said)

    def test_a_job_that_cannot_be_read(self):
        self.assertEqual(self.run_job(is_readable=False)[0], 2)
        self.assertEqual(self.run_job(shell("a", "true"), version=2, is_readable=False)[0], 2)
        status, said = self.run_job(shell("../a", "true"))
        self.assertEqual(status, 2)
        self.assertIn("../a", said)


def load_tests(loader, tests, _):
    """The same on every Python from the oldest to the newest. One that is not at hand is skipped in words."""
    for minor in range(6, 15):
        tests.addTests(loader.loadTestsFromTestCase(_on("3.{}".format(minor))))
    return tests


def _on(version):
    path = interpreter(version)
    on_version = type("OnPython" + version.replace(".", "_"), (RunsJobs,), {"python": path})
    reason = "SKIPPED: python{} is not installed".format(version)
    return on_version if path is not None else unittest.skip(reason)(on_version)


if __name__ == "__main__":
    unittest.main()
