"""Which job starts next."""

import unittest

from wf_launcher.admission import PASSES, Queue, Resources


class Job:
    def __init__(self, name, cpus, memory_bytes=0, gpus=0):
        self.name = name
        self.shape = (cpus, memory_bytes, gpus)


def queue_of(*jobs):
    queue = Queue()
    for job in jobs:
        queue.add(job)
    return queue


def take_all(queue, free):
    names = []
    while True:
        job = queue.take(free)
        if job is None:
            return names
        free.take(job.shape)
        names.append(job.name)


class Admission(unittest.TestCase):
    def test_in_order_of_arrival(self):
        queue = queue_of(Job("a", 1), Job("b", 2), Job("c", 1), Job("d", 1))
        self.assertEqual(take_all(queue, Resources(4, 0, 0)), ["a", "b", "c"])
        self.assertEqual([job.name for job in queue.jobs()], ["d"])

    def test_a_later_job_that_fits_passes(self):
        queue = queue_of(Job("big", 4), Job("small", 1))
        self.assertEqual(take_all(queue, Resources(2, 0, 0)), ["small"])

    def test_every_resource_counts(self):
        self.assertEqual(take_all(queue_of(Job("a", 1, 5)), Resources(4, 4, 4)), [])
        self.assertEqual(take_all(queue_of(Job("a", 1, 4, 5)), Resources(4, 4, 4)), [])
        self.assertEqual(take_all(queue_of(Job("a", 1, 4, 4)), Resources(4, 4, 4)), ["a"])
        tenths = [Job(str(index), 0.1) for index in range(11)]
        self.assertEqual(len(take_all(queue_of(*tenths), Resources(1, 0, 0))), 10)

    def test_a_waiting_job_is_passed_a_limited_number_of_times(self):
        free = Resources(2, 0, 0)
        running = Job("running", 1)
        free.take(running.shape)
        queue = queue_of(Job("big", 2), *[Job("small{}".format(index), 1) for index in range(50)])
        passed = 0
        while True:
            job = queue.take(free)
            if job is None:
                break
            passed += 1
        self.assertEqual(passed, PASSES)
        free.give(running.shape)
        self.assertEqual(queue.take(free).name, "big")
        self.assertEqual(queue.take(free).name, "small{}".format(PASSES))

    def test_passes_count_for_all_that_wait(self):
        """The second big job was passed as often as the first: it does not have to wait as long again."""
        small = [Job("small{}".format(index), 1) for index in range(50)]
        queue = queue_of(Job("big1", 2), Job("big2", 2), *small)
        one, two = Resources(1, 0, 0), Resources(2, 0, 0)
        for _ in range(PASSES):
            queue.take(one)
        self.assertIsNone(queue.take(one))
        self.assertEqual(queue.take(two).name, "big1")
        self.assertIsNone(queue.take(one))
        self.assertEqual(queue.take(two).name, "big2")
        self.assertEqual(queue.take(one).name, "small{}".format(PASSES))

    def test_jobs_can_be_taken_out(self):
        queue = queue_of(Job("a", 2), Job("b", 1), Job("c", 1))
        for job in queue.jobs():
            if job.name in "ac":
                queue.discard(job)
        self.assertEqual(take_all(queue, Resources(9, 0, 0)), ["b"])
        self.assertFalse(queue.has_jobs)
