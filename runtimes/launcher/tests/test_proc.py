"""What the kernel says of processes, field by field, and what is summed up of it."""

import os
import signal
import unittest
from collections import namedtuple

from wf_launcher import proc
from wf_launcher.usage import Totals

# As /proc/PID/io has it, with a figure of its own for every field.
IO = b"""rchar: 323934931
wchar: 323929600
syscr: 632687
syscw: 632675
read_bytes: 4096
write_bytes: 323932160
cancelled_write_bytes: 8192
"""

Rusage = namedtuple("Rusage", "ru_utime ru_stime ru_maxrss ru_nvcsw ru_nivcsw ru_majflt ru_minflt")


class Io(unittest.TestCase):
    def test_each_figure_is_that_of_its_field(self):
        self.assertEqual(proc._io(IO), (323934931, 323929600, 4096, 323932160))

    def test_what_is_not_told_is_unknown(self):
        self.assertIsNone(proc._io(b""))
        self.assertIsNone(proc._io(IO[: IO.index(b"write_bytes")]))


@unittest.skipUnless(proc.HAS_PROC, "SKIPPED: there is no /proc")
class OwnProcess(unittest.TestCase):
    def test_a_name_with_parentheses_and_spaces_moves_no_field(self):
        with open("/proc/self/comm", "rb") as file:
            name = file.read()
        self.addCleanup(self.rename, name)
        self.rename(b"a) Z 1 (b")
        stat = proc.stat_of(os.getpid())
        self.assertEqual((stat.state, stat.parent, stat.session), ("R", os.getppid(), os.getsid(0)))
        self.assertGreater(stat.resident_bytes, 1 << 20)

    def rename(self, name):
        with open("/proc/self/comm", "wb") as file:
            file.write(name)

    def test_a_signal_is_caught_where_there_is_a_handler_or_where_it_is_held_back(self):
        number = signal.SIGUSR2
        self.assertFalse(proc.catches(os.getpid(), number))
        self.addCleanup(signal.signal, number, signal.signal(number, lambda *_: None))
        self.assertTrue(proc.catches(os.getpid(), number))
        signal.signal(number, signal.SIG_DFL)
        self.addCleanup(signal.pthread_sigmask, signal.SIG_UNBLOCK, [number])
        signal.pthread_sigmask(signal.SIG_BLOCK, [number])
        self.assertTrue(proc.catches(os.getpid(), number))

    def test_a_signal_that_is_ignored_is_not_caught(self):
        self.addCleanup(signal.signal, signal.SIGUSR2, signal.signal(signal.SIGUSR2, signal.SIG_IGN))
        self.assertFalse(proc.catches(os.getpid(), signal.SIGUSR2))


class Sums(unittest.TestCase):
    def test_figures_of_processes_are_added_memory_is_that_of_the_largest(self):
        totals = Totals()
        totals.add(Rusage(1, 0.5, 300, 10, 20, 30, 40), (1, 10, 100, 1000))
        totals.add(Rusage(2, 0.25, 200, 1, 2, 3, 4), (2, 20, 200, 2000))
        document = totals.document(2, 0, None, None)
        self.assertEqual(
            document,
            {
                "wallSeconds": 2,
                "userSeconds": 3,
                "systemSeconds": 0.75,
                "cpuPercent": 187.5,
                "peakMemoryBytes": 300 * 1024,
                "readBytes": 3,
                "writtenBytes": 30,
                "diskReadBytes": 300,
                "diskWrittenBytes": 3000,
                "voluntarySwitches": 11,
                "involuntarySwitches": 22,
                "majorFaults": 33,
                "minorFaults": 44,
                "gpuPercent": None,
                "peakGpuMemoryBytes": None,
            },
        )

    def test_bytes_of_which_nobody_told_are_unknown(self):
        totals = Totals()
        totals.add(Rusage(1, 0, 1, 0, 0, 0, 0), None)
        document = totals.document(1, 0, None, None)
        for name in ("readBytes", "writtenBytes", "diskReadBytes", "diskWrittenBytes"):
            self.assertIsNone(document[name])

    def test_a_sampled_peak_of_the_whole_tree_may_be_larger_than_that_of_one_process(self):
        totals = Totals()
        totals.add(Rusage(1, 0, 1, 0, 0, 0, 0), None)
        self.assertEqual(totals.document(1, 5000, None, None)["peakMemoryBytes"], 5000)


if __name__ == "__main__":
    unittest.main()
