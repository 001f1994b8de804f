"""The order of tasks within a job."""

import unittest

from wf_launcher.job_progress import JobProgress


def spec(attempt, after=(), cpus=1, gpus=0):
    return {"task": "task-" + attempt, "attempt": attempt, "after": list(after), "cpus": cpus, "gpus": gpus}


def job(*specs, **more):
    return dict({"cpus": 1, "memoryBytes": 0, "gpus": 0, "tasks": list(specs)}, **more)


def names(startable):
    return [started["attempt"] for started, _ in startable]


class Progress(unittest.TestCase):
    def begun(self, *specs, **more):
        progress = JobProgress(job(*specs, **more))
        progress.begin(list(range(more.get("gpus", 0))))
        return progress

    def done(self, progress, attempt, succeeded=True):
        progress.ended(attempt)
        return [never["attempt"] for never, _ in progress.recorded(attempt, succeeded, "task-" + attempt)]

    def test_as_many_at_once_as_cpus(self):
        progress = self.begun(spec("a"), spec("b"), spec("c", cpus=2), cpus=2)
        self.assertEqual(names(progress.startable()), ["a", "b"])
        self.done(progress, "a")
        self.assertEqual(names(progress.startable()), [])
        self.done(progress, "b")
        self.assertEqual(names(progress.startable()), ["c"])
        self.assertFalse(progress.needs_nothing)
        self.done(progress, "c")
        self.assertTrue(progress.needs_nothing)

    def test_after_waits_for_the_record_not_for_the_processes(self):
        progress = self.begun(spec("b", after=["a"]), spec("a"))
        self.assertEqual(names(progress.startable()), ["a"])
        progress.ended("a")
        self.assertEqual(names(progress.startable()), [])
        progress.recorded("a", True, "task-a")
        self.assertEqual(names(progress.startable()), ["b"])

    def test_what_waits_for_a_failed_task_never_starts(self):
        progress = self.begun(spec("a"), spec("b", after=["a"]), spec("c", after=["b"]), spec("d"))
        self.assertEqual(names(progress.startable()), ["a"])
        self.assertEqual(self.done(progress, "a", succeeded=False), ["b", "c"])
        self.assertEqual(names(progress.startable()), ["d"])

    def test_the_task_that_failed_first_is_named(self):
        progress = self.begun(spec("a"), spec("b", after=["a"]), spec("c", after=["b"]))
        progress.startable()
        progress.ended("a")
        self.assertEqual({name for _, name in progress.recorded("a", False, "task-a")}, {"task-a"})

    def test_gpus_are_handed_out_and_taken_back(self):
        progress = self.begun(spec("a", gpus=1), spec("b", gpus=1), spec("c", gpus=2), cpus=4, gpus=2)
        self.assertEqual([gpus for _, gpus in progress.startable()], [[0], [1]])
        self.done(progress, "b")
        self.done(progress, "a")
        self.assertEqual([gpus for _, gpus in progress.startable()], [[0, 1]])

    def test_a_task_that_asks_for_more_than_its_job_has_runs_alone(self):
        progress = self.begun(spec("a", cpus=8), spec("b"), cpus=2)
        self.assertEqual(names(progress.startable()), ["a"])

    def test_known_records_count(self):
        specs = [spec("a"), spec("b", after=["a"]), spec("x"), spec("y", after=["x"])]
        progress = JobProgress(job(*specs, cpus=4))
        self.assertEqual([never["attempt"] for never, _ in progress.leave_out({"a": True, "x": False})], ["y"])
        self.assertEqual(progress.waiting(), ["b"])
        progress.begin([])
        self.assertEqual(names(progress.startable()), ["b"])

    def test_a_waiting_task_is_cancelled_with_those_behind_it(self):
        progress = self.begun(spec("a"), spec("b", after=["a"]), spec("c", after=["b"]))
        progress.startable()
        self.assertEqual([never["attempt"] for never, _ in progress.cancel("b")], ["b", "c"])
        self.assertEqual(progress.cancel("a"), [])

    def test_a_long_chain_fails_as_one(self):
        chain = [spec("0")] + [spec(str(index), after=[str(index - 1)]) for index in range(1, 5000)]
        progress = self.begun(*chain)
        progress.startable()
        self.assertEqual(len(self.done(progress, "0", succeeded=False)), 4999)

    def test_a_stranger_in_after_is_refused(self):
        with self.assertRaises(ValueError):
            JobProgress(job(spec("a", after=["elsewhere"])))
