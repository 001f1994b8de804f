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

from .. import whole_file

SUBMISSIONS = "submissions"


class Submission:
    def __init__(self, folder):
        self.folder = folder

    @property
    def storage(self):
        """Of the site, in which it lies as runs/RUN/submissions/TOKEN."""
        return os.path.normpath(self.folder + "/../../../..")

    def lay_out(self, document, scheduler):
        """One that is there already stays as it is. Law: before anybody asks the scheduler, elements that were given up
        while it was on its way have their marks, so that they cannot start."""
        if self.is_whole:
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
        given_up = []
        while not self.is_whole:
            try:
                os.rename(draft, self.folder)
            except OSError:
                if not os.path.isdir(self.folder):
                    raise
                given_up += self._take_marks(draft + "-marks")
        shutil.rmtree(draft, ignore_errors=True)
        for index in given_up:
            self.claim(index)

    @property
    def is_whole(self):
        """Before that, its folder can hold nothing but the marks of elements that were given up."""
        return os.path.exists(self.folder + "/table.json")

    def _take_marks(self, aside):
        """Moves a folder that is not whole out of the way, so that no mark is made in it unseen."""
        if self.is_whole:
            return []
        try:
            os.rename(self.folder, aside)
        except FileNotFoundError:  # somebody else did
            return []
        marks = os.listdir(aside + "/started")
        shutil.rmtree(aside)
        return marks

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
        write_durably(self.folder + "/id", job_id)

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
        """True when nobody has started element `index`; from then on nobody will, even if its submission is yet to come."""
        while True:
            try:
                os.mkdir(self.mark(index))
                return True
            except FileExistsError:
                return False
            except FileNotFoundError:
                os.makedirs(os.path.dirname(self.mark(index)), exist_ok=True)

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
        submission = Submission(root + "/" + name)
        if ".draft-" not in name and submission.is_whole:
            yield name, submission


def write_durably(path, text):
    whole_file.write(path, text.encode("utf-8"), durable=True)
