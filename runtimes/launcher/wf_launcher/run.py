"""`run`: one job, inside a job of a scheduler. The records are the result."""

import json
import os
import signal

from . import job_spec, record
from .failure import Failure
from .folders import RunFolder
from .log import log
from .loop import Loop
from .patient_writer import PatientWriter
from .record_writer import RecordWriter
from .runner import Runner
from .scheduler import Scheduler
from .site import Site

EXIT_FAILED = 1
EXIT_USAGE = 2


class NoJournal:
    """Nobody comes after this launcher to end what it left: the scheduler ends its whole job."""

    def started(self, *_):
        pass

    def ended(self, *_):
        pass


class JobRun:
    def __init__(self, job):
        self._job = job
        folder = RunFolder(job["storage"], job["run"])
        folder.make()
        os.makedirs(folder.started, exist_ok=True)
        self._loop = Loop()
        self._site = Site(folder, durable=True)
        self._site.has_srun = "SLURM_JOB_ID" in os.environ
        self._writer = PatientWriter(RecordWriter(self._loop, folder, self._site.durable), self._loop)
        self._runner = Runner(
            self._loop, self._site, self._writer, NoJournal(), self._started, self._ended, self._finished
        )
        self._scheduler = Scheduler(self._site, self._writer, self._runner.start, self._recorded)
        self._failed = 0

    def run(self):
        """True when every task has succeeded and has its record."""
        self._loop.on_signal(signal.SIGTERM, self._interrupted)
        self._loop.on_signal(signal.SIGINT, lambda: self._stop(Failure("cancelled", "the job was cancelled")))
        self._loop.on_signal(signal.SIGUSR2, self._warn)
        job = self._job
        if self._site.has_srun:
            job["gpus"] //= job_spec.nodes_of(job)
        self._scheduler.set_capacity(
            {"cpus": job["cpus"], "memoryBytes": job["memoryBytes"], "gpus": job["gpus"]}, granted_gpus(os.environ)
        )
        self._scheduler.submit(job)
        self._scheduler.start_what_fits()
        self._runner.conclude_ended()
        while not self._scheduler.is_idle:
            self._loop.step()
            self._runner.conclude_ended()
        self._site.spares.drop()
        self._runner.close()
        return self._failed == 0 and self._writer.lost == 0

    def _interrupted(self):
        """The scheduler wants its nodes back, and only it knows why: a limit, another job, a person."""
        failure = Failure("interrupted", "the job was told to end")
        self._writer.interrupt(failure)
        self._stop(failure)

    def _stop(self, failure):
        """Tasks get SIGTERM and their grace."""
        self._scheduler.cancel_all(lambda attempt: self._runner.stop(attempt, failure), failure)

    def _warn(self):
        for attempt in self._scheduler.running():
            self._runner.warn(attempt)

    def _started(self, attempt):
        """A sign for who watches from afar. It proves nothing, so it is no harm where it cannot be left."""
        marker = {"attempt": attempt.id, "startedAt": round(attempt.started_at, 6), "host": record.HOST}
        try:
            with open(self._site.folder.start_marker(attempt.id), "wb") as file:
                file.write(record.encode(marker))
        except OSError as error:
            log("no sign that {} has started: {}".format(attempt.id, error))

    def _ended(self, attempt):
        self._scheduler.ended(attempt)

    def _finished(self, attempt, succeeded, text):
        self._recorded(attempt.id, text)
        self._scheduler.recorded(attempt, succeeded)

    def _recorded(self, attempt_id, text):
        document = json.loads(text.decode("utf-8"))
        if document["state"] != "succeeded":
            self._failed += 1
            failure = document["failure"]
            log("{}: {}: {}".format(document["task"], failure["class"], failure["message"]))


def give_secrets(job, environment):
    """Values of secrets come in the environment of the job, as they may be in no file. No task inherits them from it."""
    secrets = json.loads(environment.pop("WF_SECRETS", "{}"))
    for spec in job["tasks"]:
        spec["env"].update((name, secrets[name]) for name in spec.get("secrets", ()) if name in secrets)


def granted_gpus(environment):
    """The ids of the GPUs that the scheduler gave to this job; None when it did not say, or not by number."""
    for variable in ("CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        ids = [word.strip() for word in environment.get(variable, "").split(",")]
        if all(word.isdigit() for word in ids):
            return [int(word) for word in ids]
    return None


def run(path):
    try:
        with open(path, "rb") as file:
            job = json.loads(file.read().decode("utf-8"))
        job_spec.check(job, None)
        give_secrets(job, os.environ)
        job_run = JobRun(job)
    except (OSError, ValueError) as error:
        log("cannot run {}: {}".format(path, error))
        return EXIT_USAGE
    return 0 if job_run.run() else EXIT_FAILED
