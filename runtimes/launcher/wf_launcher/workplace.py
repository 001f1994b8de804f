"""Where tasks run inside a job of a scheduler: starts them within a capacity, and writes their records."""

import os
import time

from . import plain_signal as signal
from . import quick_json, record, setup_changes, sharing, whole_file
from .environment import named_gpus
from .failure import Failure
from .folders import RunFolder
from .log import log
from .loop import Loop
from .patient_writer import PatientWriter
from .record_writer import RecordWriter
from .runner import Runner
from .scheduler import Scheduler
from .site import Site


class NoJournal:
    """Nobody comes after this launcher to end what it left: the scheduler ends its whole job."""

    def starts(self, *_):
        pass

    def started(self, *_):
        pass

    def ended(self, *_):
        pass


class Workplace:
    def __init__(
        self, storage, run, on_record=lambda attempt: None, on_interrupt=lambda: None, pilot=None, durable=True
    ):
        """`on_record(attempt id)` when the record of one is on disk; `on_interrupt()` when the job is told to end;
        `durable`: what is written must outlive a power cut."""
        self._about = {} if pilot is None else {"pilot": pilot}
        self._on_record = on_record
        self._on_interrupt = on_interrupt
        sharing.follow(storage)
        folder = RunFolder(storage, run)
        folder.make()
        os.makedirs(folder.started, exist_ok=True)
        self.loop = Loop()
        self.site = Site(folder, durable)
        self.site.setup = setup_changes.take(os.environ)
        self.site.has_srun = "SLURM_JOB_ID" in os.environ
        self._writer = PatientWriter(RecordWriter(self.loop, folder, self.site.durable), self.loop)
        self._runner = Runner(
            self.loop, self.site, self._writer, NoJournal(), self._started, self._ended, self._finished
        )
        self.scheduler = Scheduler(self.site, self._writer, self._runner.start, self._recorded)
        self._failed = 0
        self.was_told_to_end = False

    def open(self, capacity):
        self.loop.on_signal(signal.SIGTERM, self._interrupted)
        self.loop.on_signal(signal.SIGINT, self._cancelled)
        self.loop.on_signal(signal.SIGUSR2, self._warn)
        self.site.has_named_gpus = bool(named_gpus(os.environ))
        self.scheduler.set_capacity(capacity, granted_gpus(os.environ))

    def take(self, job):
        self.scheduler.submit(job)
        self.scheduler.start_what_fits()
        self._runner.conclude_ended()

    def step(self):
        self.loop.step()
        self._runner.conclude_ended()

    def cancel(self, attempt):
        """One alone, of a job whose others go on."""
        failure = Failure("cancelled", "it was cancelled")
        self.scheduler.cancel(attempt, lambda found: self._runner.stop(found, failure))

    def close(self):
        """True when every task has succeeded and has its record. Who is told to end after that says so by its end."""
        self.loop.end_by(signal.SIGTERM)
        self.site.spares.drop()
        self._runner.close()
        return self._failed == 0 and not self._writer.lost

    @property
    def is_disk_full(self):
        """For so long that records were lost."""
        return self._writer.is_disk_full

    def _interrupted(self):
        """The scheduler wants its nodes back, and only it knows why: a limit, another job, a person."""
        self._note_end()
        self._on_interrupt()
        failure = Failure("interrupted", "the job was told to end")
        self._writer.interrupt(failure)
        self._runner.interrupt(failure)
        self._stop(failure, Failure("not-reached", "its job was told to end before its turn came"))

    def _cancelled(self):
        """Who cancels a job means all of its tasks."""
        failure = Failure("cancelled", "the job was cancelled")
        self._runner.interrupt(failure)
        self._stop(failure, failure)

    def _note_end(self):
        """Who judges what was recorded before looks for the first such line in the output of the job."""
        if not self.was_told_to_end:
            log("told to end at {:.3f}".format(time.time()))
        self.was_told_to_end = True

    def _stop(self, failure, unreached):
        """Tasks get SIGTERM and their grace."""
        self.scheduler.cancel_all(lambda attempt: self._runner.stop(attempt, failure), failure, unreached)

    def _warn(self):
        for attempt in self.scheduler.running():
            self._runner.warn(attempt)

    def _started(self, attempt):
        """A sign for who watches from afar. It proves nothing, so it is no harm where it cannot be left."""
        marker = {"attempt": attempt.id, "startedAt": round(attempt.started_at, 6), "host": record.HOST}
        marker.update(self._about)
        try:
            whole_file.write(self.site.folder.start_marker(attempt.id), record.encode(marker))
        except OSError as error:
            log("no sign that {} has started: {}".format(attempt.id, error))

    def _ended(self, attempt):
        self.scheduler.ended(attempt)
        self.scheduler.start_what_fits()

    def _finished(self, attempt, succeeded, text):
        self._recorded(attempt.id, text)
        self.scheduler.recorded(attempt, succeeded)

    def _recorded(self, attempt_id, text):
        self._on_record(attempt_id)
        document = quick_json.loads(text.decode("utf-8"))
        if document["state"] != "succeeded":
            self._failed += 1
            failure = document["failure"]
            log("{}: {}: {}".format(document["task"], failure["class"], failure["message"]))


def granted_gpus(environment):
    """The ids of the GPUs that the scheduler gave to this job; None when it did not say, or not by number."""
    for variable in ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        ids = [word.strip() for word in environment.get(variable, "").split(",")]
        if all(word.isdigit() for word in ids):
            return [int(word) for word in ids]
    return None
