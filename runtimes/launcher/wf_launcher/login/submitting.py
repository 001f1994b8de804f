"""Hands a submission to a scheduler, once.

Law: whatever happens to this program or to its answer, to call it again with the same folder leads to one job. It notes
that it tries before it asks the scheduler, and after a try whose outcome is not known it looks for the job.

A scheduler has
  commands                       that it runs (scheduler_command.py)
  write(draft, document)         writes what it needs in the folder of a submission, and gives the jobs as they are to be
                                 there
  ask(submission, secrets)       the Result of its command that submits
  id_in(result)                  the id of the job, or None where the answer is not one
  may_have_taken(result)         whether the job may be there although the answer says that it failed
  look_up(submission)            the id of the job, or None where there is none; raises CannotTellError
  as_answer(submission, job_id)  what its command would have said of a job that is there already
"""

import os
import shutil
import time

from .scheduler_command import Result
from .submission import Submission

# A request that hung in the scheduler is dealt with at about the same time as the question that comes after it.
_LOOK_AGAIN_SECONDS = 2


class CannotTellError(Exception):
    """The scheduler does not answer, so nobody knows whether the job is there."""


def submit(folder, document, scheduler):
    """{"code", "stdout", "stderr"} as of the scheduler, and how many "commands" of each kind it took."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    submission = Submission(folder)
    submission.lay_out(document, scheduler)
    with submission.lock():
        result = _submit(submission, scheduler, document)
    counts = scheduler.commands.counts
    return {"code": result.code, "stdout": result.stdout, "stderr": result.stderr, "commands": counts}


def recall(folder, scheduler):
    """For a submission whose engine was killed: {"id"}, or null where the scheduler never got it. Then it is forgotten,
    so that its attempts can be submitted anew; {"unknown"} where the scheduler does not say."""
    submission = Submission(folder)
    answer = {"id": None, "commands": scheduler.commands.counts}
    with submission.lock():
        try:
            answer["id"] = _find(submission, scheduler)
        except CannotTellError as error:
            answer["unknown"] = str(error)
        else:
            if answer["id"] is None:
                shutil.rmtree(folder)
    return answer


def _submit(submission, scheduler, document):
    """The answer of the scheduler; that of an earlier call where there was one."""
    try:
        job_id = _find(submission, scheduler)
    except CannotTellError as error:
        return Result(None, "", str(error))
    if job_id is not None:
        return Result(0, scheduler.as_answer(submission, job_id), "")
    submission.note_try()
    result = scheduler.ask(submission, document)
    job_id = scheduler.id_in(result) if result.code == 0 else None
    if job_id is not None:
        submission.note_id(job_id)
    elif result.code not in (None, 0) and not scheduler.may_have_taken(result):
        submission.forget_try()
    return result


def _find(submission, scheduler):
    """The id of the job, or None where there is none."""
    if submission.id is not None or not submission.was_tried:
        return submission.id
    for pause_seconds in (0, _LOOK_AGAIN_SECONDS):
        time.sleep(pause_seconds)
        job_id = scheduler.look_up(submission)
        if job_id is not None:
            submission.note_id(job_id)
            return job_id
    return None
