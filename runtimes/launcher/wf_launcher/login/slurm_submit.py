"""Hands a submission to SLURM, once.

Law: whatever happens to this program or to its answer, to call it again with the same folder leads to one job. It notes
that it tries before it asks SLURM, and after a try whose outcome is not known it looks for the job by its name.
"""

import json
import os
import re
import shutil
import time

from .scheduler_command import Result, SchedulerCommands
from .submission import Submission

# SLURM may have taken the job in all of these cases.
_NO_ANSWER = re.compile(
    "Socket timed out|Zero Bytes|Unexpected message|connection failure|Connection|Header lengths|Transport|Broken pipe",
    re.IGNORECASE,
)
# A request that hung in the controller is dealt with at about the same time as the question that comes after it.
_LOOK_AGAIN_SECONDS = 2


class CannotTellError(Exception):
    """SLURM does not answer, so nobody knows whether the job is there."""


class Submitting:
    def __init__(self, submission, commands):
        self._submission = submission
        self._commands = commands

    def submit(self, secrets):
        """The answer of sbatch; that of an earlier call where there was one."""
        try:
            job_id = self.find()
        except CannotTellError as error:
            return Result(None, "", str(error))
        if job_id is not None:
            return Result(0, job_id + "\n", "")
        submission = self._submission
        submission.note_try()
        more = {"WF_SECRETS": json.dumps(secrets)} if secrets else {}
        result = self._commands.run(["sbatch", "--parsable", "--chdir=" + submission.folder, submission.script], **more)
        answered = re.search(r"^(\d+)(;\S+)?$", result.stdout, re.MULTILINE)
        if result.code == 0 and answered is not None:
            submission.note_id(answered.group(1))
        elif result.code not in (None, 0) and not _NO_ANSWER.search(result.stderr):
            submission.forget_try()
        return result

    def find(self):
        """The id of the job, or None where there is none."""
        if self._submission.id is not None or not self._submission.was_tried:
            return self._submission.id
        for pause_seconds in (0, _LOOK_AGAIN_SECONDS):
            time.sleep(pause_seconds)
            job_id = self._look_up(self._submission.name)
            if job_id is not None:
                self._submission.note_id(job_id)
                return job_id
        return None

    def _look_up(self, name):
        listed = self._commands.run(["squeue", "-h", "-t", "all", "-o", "%F", "-n", name])
        if listed.code != 0:
            raise CannotTellError("the job cannot be looked up: " + listed.stderr)
        ids = listed.stdout.split()
        if not ids:
            # The queue forgets what has ended. Who has no accounting has no second means.
            past = self._commands.run(["sacct", "-nXP", "-S", "now-7days", "--name", name, "-o", "jobid"])
            ids = [word.split("_")[0] for word in past.stdout.split()] if past.code == 0 else []
        return ids[0] if ids else None


def slurm_submit(folder, document):
    """{"code", "stdout", "stderr"} as of sbatch, and how many "commands" of each kind it took."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    submission = Submission(folder)
    submission.lay_out(document)
    commands = SchedulerCommands()
    with submission.lock():
        result = Submitting(submission, commands).submit(document["secrets"])
    return {"code": result.code, "stdout": result.stdout, "stderr": result.stderr, "commands": commands.counts}


def slurm_recall(folder):
    """For a submission whose engine was killed: {"id"}, or null where SLURM never got it. Then it is forgotten, so that
    its attempts can be submitted anew; {"unknown"} where SLURM does not say."""
    submission = Submission(folder)
    commands = SchedulerCommands()
    answer = {"id": None, "commands": commands.counts}
    with submission.lock():
        try:
            answer["id"] = Submitting(submission, commands).find()
        except CannotTellError as error:
            answer["unknown"] = str(error)
        else:
            if answer["id"] is None:
                shutil.rmtree(folder)
    return answer
