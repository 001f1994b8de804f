"""How a submission is handed to SLURM, and found there by its name."""

import json
import re

from .scheduler_command import SchedulerCommands
from .submission import write_durably
from .submitting import CannotTellError

# SLURM may have taken the job in all of these cases.
_NO_ANSWER = re.compile(
    "Socket timed out|Zero Bytes|Unexpected message|connection failure|Connection|Header lengths|Transport|Broken pipe",
    re.IGNORECASE,
)


class Slurm:
    def __init__(self):
        self.commands = SchedulerCommands()

    def write(self, _draft, document):
        return document["jobs"]

    def ask(self, submission, document):
        """script.sh: what sbatch is given, which may be another one when it was refused."""
        secrets, folder = document["secrets"], submission.folder
        more = {"WF_SECRETS": json.dumps(secrets)} if secrets else {}
        write_durably(folder + "/script.sh", document["script"])
        return self.commands.run(["sbatch", "--parsable", "--chdir=" + folder, folder + "/script.sh"], more)

    def id_in(self, result):
        answered = re.search(r"^(\d+)(;\S+)?$", result.stdout, re.MULTILINE)
        return None if answered is None else answered.group(1)

    def may_have_taken(self, result):
        return _NO_ANSWER.search(result.stderr) is not None

    def look_up(self, submission):
        name = submission.name
        listed = self.commands.run(["squeue", "-h", "-t", "all", "-o", "%F", "-n", name])
        if listed.code != 0:
            raise CannotTellError("the job cannot be looked up: " + listed.stderr)
        ids = listed.stdout.split()
        if not ids:
            # The queue forgets what has ended. Who has no accounting has no second means.
            past = self.commands.run(["sacct", "-nXP", "-S", "now-7days", "--name", name, "-o", "jobid"])
            ids = [word.split("_")[0] for word in past.stdout.split()] if past.code == 0 else []
        return ids[0] if ids else None

    def as_answer(self, _submission, job_id):
        return job_id + "\n"
