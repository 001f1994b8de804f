"""A submission: what one call of the scheduler needs and what is known of it, as files of one folder.

  jobs/N.json       the job that element N runs
  table.json        which tasks that are: [{"job": ..., "tasks": [{"task": ..., "attempt": ...}]}], by N
  started/N         made by who comes first: the job, which then runs, or who has given it up
  output/N.txt      what the job printed, apart from its tasks
  tried             the scheduler was asked, and the answer is not known
  id                the scheduler's id

The scheduler has files of its own there (slurm.py, condor.py).
"""

import fcntl
import json
import os
import shutil

SUBMISSIONS = "submissions"


class Submission:
    def __init__(self, folder):
        self.folder = folder

    @property
    def storage(self):
        """Of the site, in which it lies as runs/RUN/submissions/TOKEN."""
        return os.path.normpath(self.folder + "/../../../..")

    def lay_out(self, document, scheduler):
        """Law: a submission has its name when it is whole. One that is there already stays as it is."""
        if os.path.isdir(self.folder):
            return
        draft = "{}.draft-{}".format(self.folder, os.getpid())
        shutil.rmtree(draft, ignore_errors=True)
        for name in ("jobs", "started", "output"):
            os.makedirs(draft + "/" + name)
        for index, job in enumerate(scheduler.write(draft, document)):
            with open(draft + "/jobs/{}.json".format(index), "w", encoding="utf-8") as file:
                file.write(json.dumps(job))  # not synced, as they are many: one that a power cut takes is a job that fails
        write_durably(draft + "/table.json", json.dumps([_entry(job) for job in document["jobs"]]))
        write_durably(draft + "/name", document["name"])
        try:
            os.rename(draft, self.folder)
        except OSError:
            shutil.rmtree(draft, ignore_errors=True)
            if not os.path.isdir(self.folder):
                raise

    def lock(self):
        """Held until the file is closed, or its process is gone."""
        file = open(self.folder + "/lock", "w")
        fcntl.lockf(file, fcntl.LOCK_EX)
        return file

    @property
    def name(self):
        return self._read("name")

    @property
    def id(self):
        return self._read("id")

    def note_id(self, job_id):
        write_durably(self.folder + "/.id", job_id)
        os.rename(self.folder + "/.id", self.folder + "/id")

    @property
    def was_tried(self):
        return os.path.exists(self.folder + "/tried")

    @property
    def tried_at(self):
        return os.stat(self.folder + "/tried").st_mtime

    def note_try(self):
        write_durably(self.folder + "/tried", "")

    def forget_try(self):
        os.unlink(self.folder + "/tried")

    def table(self):
        return json.loads(self._read("table.json"))

    def job(self, index):
        return json.loads(self._read("jobs/{}.json".format(int(index))))

    def claim(self, index):
        """True when nobody has started element `index`; from then on nobody will."""
        try:
            os.mkdir(self.mark(index))
        except FileExistsError:
            return False
        return True

    def mark(self, index):
        """What is there when element `index` has started, or never will."""
        return "{}/started/{}".format(self.folder, int(index))

    def _read(self, name):
        try:
            with open(self.folder + "/" + name, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None


def _entry(job):
    return {"job": job["job"], "tasks": [{"task": spec["task"], "attempt": spec["attempt"]} for spec in job["tasks"]]}


def of_run(run_folder):
    """The submissions of a run that are whole."""
    root = run_folder.root + "/" + SUBMISSIONS
    try:
        names = sorted(os.listdir(root))
    except FileNotFoundError:
        return
    for name in names:
        if ".draft-" not in name:
            yield name, Submission(root + "/" + name)


def write_durably(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
