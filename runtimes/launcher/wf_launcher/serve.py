"""`serve`: the launcher of the local site. It outlives its client, lets tasks finish and writes their records."""

import fcntl
import os
import signal
import sys

from . import record, recovery
from .connection import Connection, listen
from .failure import Failure
from .folders import RunFolder
from .journal import Journal
from .loop import Loop
from .record_writer import RecordWriter
from .runner import Runner
from .sandbox import SpareSandboxes
from .scheduler import Scheduler
from .site import Site

PROTOCOL = 1
EXIT_LOCKED = 3
EXIT_ELSEWHERE = 4


class Server:
    def __init__(self, folder, socket_path, linger_seconds):
        self._folder = folder
        self._socket_path = socket_path
        self._linger_seconds = linger_seconds
        self._loop = Loop()
        self._site = Site(folder, durable=False, spares=SpareSandboxes())
        self._journal = Journal(folder.journal)
        writer = RecordWriter(self._loop, folder, self._site.durable)
        self._runner = Runner(self._loop, self._site, writer, self._journal, self._started, self._finished)
        self._scheduler = Scheduler(self._site, writer, self._runner.start, self._tell_record)
        self._connection = None
        self._is_released = False
        self._is_over = False
        self._linger_timer = None
        self._has_capacity = False

    def run(self, lost):
        self._journal.opened(self._runner.launcher_id, record.HOST, record.BOOT_ID)
        for attempt in lost:
            self._journal.ended(attempt)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self._loop.on_signal(signal.SIGTERM, self._terminated)
        listener = listen(self._socket_path)
        self._loop.watch(listener.fileno(), lambda _: self._accept(listener))
        self._client_gone()
        print("ready", flush=True)
        while not self._is_over:
            self._loop.step()
            self._scheduler.start_what_fits()
            self._site.spares.drop()
            self._journal.flush()
            if self._connection is not None:
                self._connection.flush()
            if self._is_released and self._scheduler.is_idle:
                self._is_over = True
        self._journal.closed()
        os.unlink(self._socket_path)

    def _accept(self, listener):
        client, _ = listener.accept()
        if self._connection is not None:
            self._connection.close()
        self._stop_lingering()
        self._connection = Connection(self._loop, client, self._receive, self._client_gone)

    def _client_gone(self):
        self._connection = None
        self._scheduler.drop_queued()
        self._linger()

    def _linger(self):
        self._stop_lingering()
        self._linger_timer = self._loop.after(self._linger_seconds, self._linger_over)

    def _linger_over(self):
        if self._scheduler.is_idle:
            self._is_over = True

    def _stop_lingering(self):
        if self._linger_timer is not None:
            self._loop.forget(self._linger_timer)
            self._linger_timer = None

    def _terminated(self):
        self._is_released = True
        self._scheduler.drop_queued()
        for attempt in self._scheduler.running():
            self._runner.stop(attempt, Failure("cancelled", "the launcher was told to end"))

    def _receive(self, message):
        operation = message.get("op") if isinstance(message, dict) else None
        if operation == "submit":
            self._submit(message["jobs"])
        elif operation == "hello":
            self._hello(message)
        elif operation == "cancel":
            for attempt in message["attempts"]:
                self._scheduler.cancel(attempt, self._stop_cancelled)
        elif operation == "release":
            self._is_released = True
        else:
            self._complain("unknown op: {!r}".format(operation))

    def _hello(self, message):
        if message["version"] != PROTOCOL:
            self._complain("this launcher speaks version {}".format(PROTOCOL))
            return
        self._is_released = False
        self._has_capacity = True
        self._scheduler.set_capacity(message["capacity"])
        self._connection.send(
            {
                "event": "hello",
                "version": PROTOCOL,
                "pid": os.getpid(),
                "host": record.HOST,
                "bootId": record.BOOT_ID,
                "running": [attempt.id for attempt in self._scheduler.running()],
                "queued": self._scheduler.waiting(),
            }
        )

    def _submit(self, jobs):
        if not self._has_capacity:
            self._complain("submit before hello")
            return
        for job in jobs:
            try:
                if job["run"] != self._folder.run:
                    raise ValueError("this launcher serves run {}".format(self._folder.run))
                self._scheduler.submit(job)
            except (KeyError, TypeError, ValueError) as error:
                self._complain("job {}: {!r}".format(job.get("job") if isinstance(job, dict) else job, error))

    def _stop_cancelled(self, attempt):
        self._runner.stop(attempt, Failure("cancelled", "cancelled while it ran"))

    def _complain(self, message):
        print(message, file=sys.stderr, flush=True)
        if self._connection is not None:
            self._connection.send({"event": "error", "message": message})

    def _started(self, attempt):
        if self._connection is not None:
            self._connection.send(
                {"event": "started", "attempt": attempt.id, "startedAt": round(attempt.started_at, 6)}
            )

    def _finished(self, attempt, document, text):
        self._tell_record(attempt.id, text)
        self._scheduler.finished(attempt, document)
        if self._connection is None and self._scheduler.is_idle:
            self._linger()

    def _tell_record(self, attempt_id, text):
        if self._connection is not None:
            name = record.encode(attempt_id)
            self._connection.send_text(b'{"event":"finished","attempt":' + name + b',"record":' + text + b"}")


def serve(run, storage, socket_path, linger_seconds):
    folder = RunFolder(storage, run)
    folder.make()
    lock = os.open(folder.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("another launcher serves run {}".format(run), file=sys.stderr)
        return EXIT_LOCKED
    try:
        lost = recovery.recover(folder)
    except recovery.ElsewhereError as error:
        print(error, file=sys.stderr)
        return EXIT_ELSEWHERE
    Server(folder, socket_path, linger_seconds).run(lost)
    return 0
