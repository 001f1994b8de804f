"""A real launcher in a storage of its own, and a client that talks to it."""

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from .json_schema import Schema

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MEGABYTE = 1 << 20
START = "import sys; sys.path.insert(0, {!r}); {}; from wf_launcher.cli import main; sys.exit(main(sys.argv[1:]))"
# For what never comes: a machine at a tenth of the speed keeps it.
PATIENCE_SECONDS = 300
# What every test hands to a launcher, and what it leaves, has the form that packages/protocol says.
JOB = Schema.named("job")
RECORD = Schema.named("record")
MANIFEST = Schema.named("manifest")


def link(name, path, value):
    return {"name": name, "path": path, "value": value, "how": "link"}


def copy(name, path, value):
    return {"name": name, "path": path, "value": value, "how": "copy"}


def output(name, path, kind="file", **more):
    return dict({"name": name, "path": path, "kind": kind}, **more)


def task(attempt, argv, **more):
    spec = {
        "task": "task-" + attempt,
        "attempt": attempt,
        "after": [],
        "argv": argv,
        "env": {},
        "inputs": [],
        "outputs": [],
        "params": {},
        "cpus": 1,
        "memoryBytes": 0,
        "gpus": 0,
        "timeLimitSeconds": None,
        "graceSeconds": 5,
        "warnSeconds": 0,
        "keepSandbox": "failed",
    }
    spec.update(more)
    return spec


def shell(attempt, script, **more):
    return task(attempt, ["sh", "-c", script], **more)


def python_task(attempt, script, **more):
    return task(attempt, [sys.executable, "-I", "-S", "-c", script], **more)


def interpreter(version):
    """A python of that version that really runs, or None: a shim may be there without what it stands for."""
    name = "python" + version
    candidates = [os.path.join(os.path.expanduser("~/.pyenv/versions"), found, "bin", name) for found in _installed()]
    for path in [shutil.which(name)] + candidates:
        if path is not None and os.path.exists(path):
            said = subprocess.run([path, "-c", "print(1)"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if said.returncode == 0:
                return path
    return None


def _installed():
    try:
        return os.listdir(os.path.expanduser("~/.pyenv/versions"))
    except OSError:
        return []


def looking_until(looks, goes):
    """A prelude: a launcher that begins to look at a task's outputs makes the file `looks`, and waits for `goes`."""
    return (
        "import os, time; from wf_launcher import conclude; from wf_launcher.runner import Runner; "
        "publish = conclude._publish_outputs; Runner._is_long_to_conclude = staticmethod(lambda _: True); "
        "wait = lambda: any(os.path.exists({1!r}) or time.sleep(0.01) for _ in iter(int, 1)); "
        "conclude._publish_outputs = lambda *all: (open({0!r}, 'w').close(), wait(), publish(*all))[2]"
    ).format(looks, goes)


class LauncherCase(unittest.TestCase):
    """Tests that share one launcher; `new` names a fresh attempt."""

    @classmethod
    def setUpClass(cls):
        cls.launcher = Launcher(**cls.options())
        cls._attempts = 0

    @classmethod
    def options(cls):
        return {}

    @classmethod
    def tearDownClass(cls):
        cls.launcher.close()

    @classmethod
    def new(cls):
        cls._attempts += 1
        return "a{}".format(cls._attempts)

    def run_shell(self, script, **more):
        return self.launcher.run_task(shell(self.new(), script, **more))

    def assert_succeeded(self, record):
        self.assertIsNone(record["failure"])
        self.assertEqual(record["state"], "succeeded")

    def assert_failed(self, record, failure_class, *words, **more):
        self.assertEqual(record["state"], "failed")
        self.assertEqual(record["failure"]["class"], failure_class, record["failure"])
        for word in words:
            self.assertIn(word, record["failure"]["message"])
        if "name" in more:
            self.assertEqual(record["failure"]["name"], more["name"])


class Launcher:
    """`serve`, with one client."""

    run = "r1"

    def __init__(
        self,
        storage=None,
        linger=30,
        environment=None,
        capacity=None,
        prelude="pass",
        python=sys.executable,
        pass_fds=(),
    ):
        """`prelude`: Python that is run in the launcher first, to shorten its patience."""
        self._owns_storage = storage is None
        self.storage = storage or tempfile.mkdtemp(prefix="wf-launcher-")
        self.folder = os.path.join(self.storage, "runs", self.run)
        os.makedirs(self.folder, exist_ok=True)
        self.socket_path = os.path.join(self.folder, "s")
        self.events = []
        self._jobs = 0
        self._log = open(os.path.join(self.folder, "launcher.log"), "ab")
        self.process = subprocess.Popen(
            [python, "-I", "-S", "-c", START.format(ROOT, prelude)]
            + ["serve", "--run", self.run, "--storage", self.storage]
            + ["--socket", self.socket_path, "--linger", str(linger)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            start_new_session=True,
            pass_fds=pass_fds,
        )
        line = self.process.stdout.readline()
        if line != b"ready\n":
            raise AssertionError("not ready: {} {}".format(line, self.log()))
        self.client = None
        self.connect(capacity or {"cpus": 4, "memoryBytes": 1 << 40, "gpus": 0})

    def connect(self, capacity):
        self.client = socket.socket(socket.AF_UNIX)
        self.client.settimeout(PATIENCE_SECONDS)
        self.client.connect(self.socket_path)
        self._lines = self.client.makefile("rb")
        self.send({"op": "hello", "version": 1, "capacity": capacity})
        self.hello = self.wait_for(lambda event: event["event"] == "hello", "hello")

    def disconnect(self):
        self._lines.close()
        self.client.close()

    def send(self, message):
        self.client.sendall(json.dumps(message).encode() + b"\n")

    def job(self, *tasks, **more):
        self._jobs += 1
        job = {
            "version": 1,
            "run": self.run,
            "job": "job{}".format(self._jobs),
            "storage": self.storage,
            "cpus": 1,
            "memoryBytes": 0,
            "gpus": 0,
            "tasks": list(tasks),
        }
        job.update(more)
        return job

    def put(self, content):
        """An object of the store; returns its hash."""
        content_hash = hashlib.sha256(content).hexdigest()
        path = self.object_path(content_hash)
        if os.path.exists(path):
            return content_hash
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o444)
        return content_hash

    def object_path(self, content_hash):
        return os.path.join(self.storage, "objects", content_hash[:2], content_hash)

    def object(self, content_hash):
        with open(self.object_path(content_hash), "rb") as file:
            return file.read()

    def file_value(self, content, name="file.txt"):
        return {"kind": "file", "hash": self.put(content), "size": len(content), "name": name}

    def manifest(self, value):
        manifest = json.loads(self.object(value["hash"]).decode())
        MANIFEST.check(manifest)
        return manifest

    def submit(self, *jobs):
        for job in jobs:
            JOB.check(job)
        self.send({"op": "submit", "jobs": list(jobs)})

    def next_event(self, what="an event"):
        try:
            line = self._lines.readline()
        except socket.timeout:
            told = ["{} {}".format(event["event"], event.get("attempt", "")) for event in self.events[-20:]]
            raise AssertionError("waited in vain for: {}; heard last: {}; {}".format(what, told, self.log()))
        if not line:
            raise AssertionError("the launcher closed the connection: " + self.log())
        event = json.loads(line.decode())
        if event["event"] == "finished":
            RECORD.check(event["record"])
        self.events.append(event)
        return event

    def wait_for(self, is_wanted, what):
        while True:
            event = self.next_event(what)
            if is_wanted(event):
                return event

    def started(self, attempt):
        return self.wait_for(lambda event: event["event"] == "started" and event["attempt"] == attempt, "the start of " + attempt)

    def records(self, *attempts):
        """The records of all these attempts, as they come."""
        found = {}
        while len(found) < len(attempts):
            missing = ", ".join(attempt for attempt in attempts if attempt not in found)
            event = self.wait_for(lambda event: event["event"] == "finished", "the end of " + missing)
            if event["attempt"] in attempts:
                found[event["attempt"]] = event["record"]
        return [found[attempt] for attempt in attempts]

    def run_task(self, spec, **job):
        self.submit(self.job(spec, **job))
        return self.records(spec["attempt"])[0]

    def record_on_disk(self, attempt):
        return read_record(os.path.join(self.folder, "records", attempt + ".json"))

    def attempt_path(self, attempt, *parts):
        return os.path.join(self.folder, "attempts", attempt, *parts)

    def read(self, attempt, *parts):
        with open(self.attempt_path(attempt, *parts), "rb") as file:
            return file.read()

    def log(self):
        with open(os.path.join(self.folder, "launcher.log"), errors="replace") as file:
            return file.read()

    def wait_for_end(self):
        """Its exit status, when it has gone by itself."""
        try:
            return self.process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError("waited in vain for: the end of the launcher; " + self.log())

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        if self.client is not None:
            self.disconnect()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self.process.stdout.close()
        self._log.close()
        if self._owns_storage:
            shutil.rmtree(self.storage, ignore_errors=True)


def wait_until(look, what):
    """Returns what `look` has seen."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        seen = look()
        if seen:
            return seen
        if time.monotonic() > deadline:
            raise AssertionError("waited in vain for: {}; seen last: {!r}".format(what, seen))
        time.sleep(0.01)


def waiting_for(path):
    """Shell that goes on when the file is there, or its folder is not."""
    return "while [ -d '{}' ] && [ ! -e '{}' ]; do sleep 0.02; done".format(os.path.dirname(path), path)


def read_record(path):
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    RECORD.check(record)
    return record


def touch(path):
    open(path, "w").close()


def is_running(pid):
    try:
        with open("/proc/{}/stat".format(pid)) as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
