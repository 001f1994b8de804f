"""What several ranks used, as one."""

import unittest

from wf_launcher.ranks.summed import summed_series, summed_usage
from wf_launcher.usage import nothing_used


class Usage(unittest.TestCase):
    def usage(self, **figures):
        return dict(nothing_used(), **figures)

    def test_figures_are_added_and_shares_are_of_the_whole_time(self):
        ranks = [self.usage(userSeconds=2.0, systemSeconds=1.0, diskReadBytes=1, diskWrittenBytes=10, gpuPercent=40)] * 2
        summed = summed_usage(ranks, 3)
        self.assertEqual((summed["userSeconds"], summed["cpuPercent"], summed["wallSeconds"]), (4.0, 200.0, 3))
        self.assertEqual((summed["diskReadBytes"], summed["diskWrittenBytes"], summed["gpuPercent"]), (2, 20, 40))

    def test_a_sum_with_an_unknown_part_is_unknown(self):
        known = self.usage(userSeconds=2.0, systemSeconds=1.0, readBytes=5)
        for other in (None, self.usage(userSeconds=1.0, systemSeconds=None, readBytes=None)):
            summed = summed_usage([known, other], 3)
            self.assertEqual((summed["readBytes"], summed["cpuPercent"]), (None, None))


class Series(unittest.TestCase):
    def test_each_column_is_added_to_its_own(self):
        first = [[1, 10.0, 100, 1000, 10000, 50.0, 7], [2, 20.0, 200, 2000, 20000, 50.0, 8]]
        second = [[1.2, 1.0, 2, 3, 4, 100.0, 1]]
        self.assertEqual(
            summed_series([first, second]),
            [[1, 11.0, 102, 1003, 10004, 75.0, 8], [2, 21.0, 202, 2003, 20004, 75.0, 9]],
        )

    def test_a_rank_that_was_not_sampled_yet_has_no_part(self):
        late = [[9, 1.0, 2, 3, 4, None, None]]
        early = [[1, 10.0, 100, 1000, 10000, None, None], [9, 1.0, 1, 1, 1, None, None]]
        self.assertEqual(summed_series([early, late])[0], [1, 10.0, 100, 1000, 10000, None, None])


if __name__ == "__main__":
    unittest.main()
