"""The series over time stays small, however long a task runs."""

import os
import subprocess
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

    def test_a_point_holds_what_reaped_processes_used_and_the_share_since_the_last_point(self):
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(child.communicate)
        child.stdin.write(b"here\n")
        child.stdin.flush()
        child.stdout.readline()  # from now on it only waits
        used, none = Series(), Series()
        for second, user in ((1, 1.0), (3, 2.0)):
            totals = Totals()
            totals.user, totals.system, totals.read, totals.written = user, 0.5, 1000, 20
            used.sample(second, [child.pid], totals, (None, None))
            none.sample(second, [child.pid], Totals(), (None, None))
        (_, first_cpu, _, read, written), (_, cpu) = used.points[0][:5], used.points[1][:2]
        self.assertEqual((first_cpu - none.points[0][1], cpu - none.points[1][1]), (150, 50))
        self.assertEqual((read - none.points[0][3], written - none.points[0][4]), (1000, 20))

    def test_processes_that_are_gone_leave_no_point(self):
        series = Series()
        series.sample(1, [2**22 + 1], Totals(), (None, None))
        self.assertEqual(series.points, [])
        self.assertIsNone(series.gpu_percent)
