"""`serve`: the launcher of the local site. It outlives its client, lets tasks finish and writes their records."""

import fcntl
import os
import signal

from . import job_spec, proc, record, recovery
from .connection import Connection, listen
from .content_lock import ContentLock
from .failure import Failure
from .folders import RunFolder
from .journal import Journal
from .log import log
from .loop import Loop
from .quick_json import quoted
from .record_writer import RecordWriter
from .runner import Runner
from .scheduler import Scheduler
from .site import Site

PROTOCOL = 1
EXIT_LOCKED = 3
EXIT_ELSEWHERE = 4
EXIT_STORAGE = 5
_GATHER_SECONDS = 0.005


class Server:
    def __init__(self, folder, socket_path, linger_seconds):
        self._folder = folder
        self._socket_path = socket_path
        self._linger_seconds = linger_seconds
        self._loop = Loop()
        self._site = Site(folder, durable=False)
        self._journal = Journal(folder.journal)
        writer = RecordWriter(self._loop, folder, self._site.durable)
        self._runner = Runner(
            self._loop, self._site, writer, self._journal, self._started, self._ended, self._recorded
        )
        self._scheduler = Scheduler(self._site, writer, self._runner.start, self._tell_record)
        self._content = ContentLock(folder.storage)
        self._connection = None
        self._is_released = False
        self._is_over = False
        self._flush_timer = None
        self._linger_timer = None

    def open(self, lost):
        self._site.spares.remove_old()
        self._journal.opened(self._runner.launcher_id, record.HOST, record.BOOT_ID, proc.pid_namespace())
        for attempt in lost:
            self._journal.ended(attempt)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self._loop.on_signal(signal.SIGTERM, self._terminated)
        listener = listen(self._socket_path)
        self._loop.watch(listener.fileno(), lambda _: self._accept(listener))
        self._client_gone()
        print("ready", flush=True)

    def run(self):
        while not self._is_over:
            self._step()
        self._runner.close()
        self._site.spares.drop()
        self._journal.closed()
        os.unlink(self._socket_path)

    def _step(self):
        """Starts come before the records of what has ended: processors are busy while the launcher writes."""
        self._loop.step()
        self._scheduler.start_what_fits()
        while self._runner.has_ended:
            self._runner.conclude_ended()
            self._scheduler.start_what_fits()
        if not self._scheduler.has_queue:
            self._flush()
        elif self._flush_timer is None:
            self._flush_timer = self._loop.after(_GATHER_SECONDS, self._flush)
        if self._is_released and self._scheduler.is_idle:
            self._is_over = True

    def _flush(self):
        """While jobs wait, nobody waits for the news: they are gathered for a moment, and told in one go."""
        if self._flush_timer is not None:
            self._loop.forget(self._flush_timer)
            self._flush_timer = None
        self._site.spares.tidy()
        self._journal.flush()
        if self._connection is not None:
            self._connection.flush()

    def _accept(self, listener):
        client, _ = listener.accept()
        if self._connection is not None:
            self._connection.close()
        self._stop_lingering()
        self._content.hold()
        self._connection = Connection(self._loop, client, self._receive, self._client_gone)

    def _client_gone(self):
        self._connection = None
        self._scheduler.drop_queued()
        self._linger()

    def _linger(self):
        """Law: what its tasks use or publish is not removed, whatever became of the engine."""
        if self._scheduler.is_idle:
            self._content.release()
        self._stop_lingering()
        self._linger_timer = self._loop.after(self._linger_seconds, self._linger_over)

    def _linger_over(self):
        if self._scheduler.is_idle:
            self._is_over = True
        else:
            self._linger()

    def _stop_lingering(self):
        if self._linger_timer is not None:
            self._loop.forget(self._linger_timer)
            self._linger_timer = None

    def _terminated(self):
        self._is_released = True
        self._scheduler.drop_queued()
        failure = Failure("cancelled", "the launcher was told to end")
        self._runner.interrupt(failure)
        self._scheduler.cancel_all(lambda attempt: self._runner.stop(attempt, failure), failure, failure)

    def _receive(self, message):
        try:
            operation = message.get("op") if isinstance(message, dict) else None
            handle = {"submit": self._submit, "cancel": self._cancel, "hello": self._hello, "release": self._release}
            if operation not in handle:
                raise ValueError("unknown op: {!r}".format(operation))
            handle[operation](message)
        except ValueError as error:
            self._complain(str(error))

    def _hello(self, message):
        if message.get("version") != PROTOCOL:
            raise ValueError("this launcher speaks version {}".format(PROTOCOL))
        self._scheduler.set_capacity(_checked_capacity(message.get("capacity")))
        self._is_released = False
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

    def _submit(self, message):
        if not self._scheduler.has_capacity:
            raise ValueError("submit before hello")
        for job in _checked_list(message, "jobs"):
            job_spec.check(job, self._folder.run)
            self._scheduler.submit(job)

    def _cancel(self, message):
        for attempt in _checked_list(message, "attempts"):
            self._scheduler.cancel(attempt, self._stop_cancelled)

    def _release(self, _message):
        self._is_released = True

    def _stop_cancelled(self, attempt):
        self._runner.stop(attempt, Failure("cancelled", "cancelled while it ran"))

    def _complain(self, message):
        log(message)
        if self._connection is not None:
            self._connection.send({"event": "error", "message": message})

    def _started(self, attempt):
        if self._connection is not None:
            event = '{"event":"started","attempt":%s,"startedAt":%.6f}' % (quoted(attempt.id), attempt.started_at)
            self._connection.send_text(event.encode("ascii"))

    def _ended(self, attempt):
        self._scheduler.ended(attempt)

    def _recorded(self, attempt, succeeded, text):
        self._tell_record(attempt.id, text)
        self._scheduler.recorded(attempt, succeeded)
        if self._connection is None and self._scheduler.is_idle:
            self._linger()

    def _tell_record(self, attempt_id, text):
        if self._connection is not None:
            head = '{"event":"finished","attempt":%s,"record":' % quoted(attempt_id)
            self._connection.send_text(head.encode("ascii") + text + b"}")


def _checked_list(message, name):
    if not isinstance(message.get(name), list):
        raise ValueError("{} needs {}".format(message["op"], name))
    return message[name]


def _checked_capacity(capacity):
    numbers = [capacity.get(name) for name in ("cpus", "memoryBytes", "gpus")] if isinstance(capacity, dict) else [None]
    if not all(isinstance(number, (int, float)) for number in numbers):
        raise ValueError("hello needs a capacity of cpus, memoryBytes and gpus")
    return capacity


def serve(run, storage, socket_path, linger_seconds):
    folder = RunFolder(storage, run)
    try:
        folder.make()
        lock = os.open(folder.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log("another launcher serves run {}".format(run))
            return EXIT_LOCKED
        lost = recovery.recover(folder)
        server = Server(folder, socket_path, linger_seconds)
        server.open(lost)
    except recovery.ElsewhereError as error:
        log(error)
        return EXIT_ELSEWHERE
    except OSError as error:
        log("cannot serve run {} in {}: {}".format(run, storage, error))
        return EXIT_STORAGE
    server.run()
    return 0
