"""The series over time stays small, however long a task runs."""

import os
import unittest

from wf_launcher.series import Series
from wf_launcher.usage import Totals


class Points(unittest.TestCase):
    def sampled(self, count):
        series = Series()
        for second in range(1, count + 1):
            series.sample(second, [os.getpid()], Totals(), (second % 3 * 10.0, second))
        return series

    def test_every_sample_of_a_short_task_is_kept(self):
        self.assertEqual([point[0] for point in self.sampled(300).points], list(range(1, 301)))

    def test_a_long_series_is_thinned_evenly(self):
        seconds = [point[0] for point in self.sampled(5000).points]
        self.assertLessEqual(len(seconds), 500)
        self.assertGreaterEqual(len(seconds), 250)
        self.assertEqual(len({later - earlier for earlier, later in zip(seconds, seconds[1:])}), 1)

    def test_peaks_and_means_are_of_all_samples(self):
        series = self.sampled(5000)
        self.assertEqual(series.gpu_peak_bytes, 5000)
        self.assertAlmostEqual(series.gpu_percent, 10, delta=0.02)
        self.assertGreater(series.peak_memory_bytes, 1 << 20)

    def test_the_pace_slows_down(self):
        series = Series()
        self.assertEqual([series.next_delay(elapsed) for elapsed in (0, 59, 120, 600, 90000)], [1, 1, 2, 10, 10])

    def test_processes_that_are_gone_leave_no_point(self):
        series = Series()
        series.sample(1, [2**22 + 1], Totals(), (None, None))
        self.assertEqual(series.points, [])
        self.assertIsNone(series.gpu_percent)
