"""How a submission is handed to HTCondor, and found there by its token, which is the name of its folder.

  script       what a job runs
  description  what condor_submit is given; it ends with `queue … from queue.txt`
  queue.txt    a line for each element: its number, and, for jobs that do not see the storage, what is sent with it
  secrets      see secrets.py
  returned/N   what element N has left, where it did not see the storage (away/parcel.py)

condor_submit runs in the folder of the submission, so that relative names mean its files.
"""

import os
import re

from .. import secrets as padded
from . import condor_sending
from .scheduler_command import SchedulerCommands
from .submission import write_durably
from .submitting import CannotTellError

# The queue may have taken the job in all of these cases.
_NO_ANSWER = re.compile(
    "schedd|queue manager|connect|commit|transaction|timed out|timeout|communicat|authenticat|SECMAN|Broken pipe",
    re.IGNORECASE,
)
# A job is in the history from when it left the queue; who has jobs stay there, or has them spooled, breaks the order.
_SLACK_SECONDS = 86400


class Condor:
    def __init__(self):
        self.commands = SchedulerCommands()

    def write(self, draft, document):
        write_durably(draft + "/script", document["script"])
        os.chmod(draft + "/script", 0o755)
        write_durably(draft + "/description", document["description"])
        if document["placement"] == "shared":
            jobs, lines = document["jobs"], map(str, range(len(document["jobs"])))
        else:
            os.mkdir(draft + "/returned")
            jobs, lines = condor_sending.describe(document, draft)
        write_durably(draft + "/queue.txt", "".join(line + "\n" for line in lines))
        return jobs

    def ask(self, submission, document):
        secrets, more = document["secrets"], {}
        if secrets:
            path = submission.folder + "/secrets"
            more["WF_SECRETS_PAD"] = padded.hide(secrets, path)
            _give_to_owner(path, submission.storage)
        return self.commands.run(["condor_submit", "-terse", "description"], more, submission.folder)

    def id_in(self, result):
        answered = re.search(r"^(\d+)\.\d+ - \d+\.\d+$", result.stdout, re.MULTILINE)
        return None if answered is None else answered.group(1)

    def may_have_taken(self, result):
        return _NO_ANSWER.search(result.stderr) is not None

    def look_up(self, submission):
        is_ours = 'WfToken == "{}"'.format(os.path.basename(submission.folder))
        listed = self.commands.run(["condor_q", "-allusers", "-constraint", is_ours, "-af", "ClusterId"])
        if listed.code != 0:
            raise CannotTellError("the job cannot be looked up: " + listed.stderr)
        ids = listed.stdout.split() or self._look_back(is_ours, submission.tried_at)
        return ids[0] if ids else None

    def _look_back(self, is_ours, tried_at):
        oldest = "CompletionDate > 0 && CompletionDate < {:.0f} && StageInFinish =?= undefined"
        past = self.commands.run(
            ["condor_history", "-constraint", is_ours, "-af", "ClusterId", "-match", "1"]
            + ["-since", oldest.format(tried_at - _SLACK_SECONDS)]
        )
        if past.code != 0 and "HISTORY" not in past.stderr:
            raise CannotTellError("the job cannot be looked up: " + past.stderr)
        return past.stdout.split()  # nothing where no history is kept: then there is no second means

    def as_answer(self, submission, job_id):
        return "{0}.0 - {0}.{1}\n".format(job_id, len(submission.table()) - 1)


def _give_to_owner(path, storage):
    """HTCondor takes no jobs from root, so what root submits is submitted as somebody else: as whom the storage belongs
    to."""
    if os.geteuid() == 0:
        owner = os.stat(storage)
        os.chown(path, owner.st_uid, owner.st_gid)
