"""What a record says was used, against work of a known amount and against GNU time."""

import os
import re
import subprocess
import sys
import unittest

from wf_launcher.processes import moved_between

from .harness import MEGABYTE, LauncherCase, output, task

WORKLOAD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workload.py")
PYTHON = [sys.executable, "-I", "-S", WORKLOAD]
GNU_TIME = "/usr/bin/time"


def workload(attempt, *words):
    return task(attempt, PYTHON + list(words))


def detached(attempt, *words):
    """The work is done by a grandchild in a session of its own, which its parent does not wait for."""
    return task(attempt, ["setsid", "-f"] + PYTHON + list(words))


def start_seconds():
    """What an interpreter that does nothing uses of this machine's processor."""
    before = os.times()
    subprocess.run(PYTHON, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


class KnownWork(LauncherCase):
    def usages(self, *specs):
        """Of tasks that run at once."""
        self.launcher.submit(*[self.launcher.job(spec) for spec in specs])
        records = self.launcher.records(*[spec["attempt"] for spec in specs])
        for record in records:
            self.assert_succeeded(record)
            self.assertEqual(record["leftoverProcesses"], 0)
        return [record["usage"] for record in records]

    def assert_cpu(self, usage, seconds):
        used = usage["userSeconds"] + usage["systemSeconds"]
        self.assertGreaterEqual(used, seconds)
        self.assertLess(used, seconds + 0.15 + 5 * start_seconds())
        self.assertAlmostEqual(usage["cpuPercent"], 100 * used / usage["wallSeconds"], delta=0.5)

    def assert_memory(self, usage, megabytes):
        self.assertGreaterEqual(usage["peakMemoryBytes"], megabytes * MEGABYTE)
        self.assertLess(usage["peakMemoryBytes"], (megabytes + 16) * MEGABYTE)

    def assert_io(self, usage, read, written):
        self.assertEqual(usage["writtenBytes"], written * MEGABYTE)
        self.assertGreaterEqual(usage["readBytes"], read * MEGABYTE)
        self.assertLess(usage["readBytes"], (read + 2) * MEGABYTE)

    def test_processor_time(self):
        (usage,) = self.usages(workload(self.new(), "burn", "0.4"))
        self.assert_cpu(usage, 0.4)

    def test_memory(self):
        (usage,) = self.usages(workload(self.new(), "allocate", "96"))
        self.assert_memory(usage, 96)

    def test_bytes(self):
        (usage,) = self.usages(workload(self.new(), "write", "7", "read", "5"))
        self.assert_io(usage, read=5, written=7)

    def test_two_at_once_are_told_apart(self):
        first, second = self.usages(
            workload(self.new(), "write", "3", "allocate", "64", "burn", "0.3"),
            workload(self.new(), "write", "11", "allocate", "160", "burn", "0.6"),
        )
        self.assert_cpu(first, 0.3)
        self.assert_cpu(second, 0.6)
        self.assert_memory(first, 64)
        self.assert_memory(second, 160)
        self.assert_io(first, read=0, written=3)
        self.assert_io(second, read=0, written=11)

    def test_detached_grandchildren_of_two_at_once_are_told_apart(self):
        first, second = self.usages(
            detached(self.new(), "write", "3", "read", "2", "allocate", "64", "burn", "0.3"),
            detached(self.new(), "write", "11", "read", "9", "allocate", "160", "burn", "0.6"),
        )
        self.assert_cpu(first, 0.3)
        self.assert_cpu(second, 0.6)
        self.assert_memory(first, 64)
        self.assert_memory(second, 160)
        self.assert_io(first, read=2, written=3)
        self.assert_io(second, read=9, written=11)

    def test_a_detached_grandchild_may_clear_its_environment(self):
        spec = task(self.new(), ["setsid", "-f", "env", "-i"] + PYTHON + ["write", "2"])
        (usage,) = self.usages(spec)
        self.assert_io(usage, read=0, written=2)

    def test_processes_too_short_to_sample(self):
        loop = "i=0; while [ $i -lt 20 ]; do head -c 1000 /dev/zero >> tmp/file; i=$((i+1)); done"
        record = self.run_shell(loop)
        self.assert_succeeded(record)
        self.assertEqual(record["usage"]["writtenBytes"], 20 * 1000)
        self.assertEqual(record["series"], [])

    def test_the_sum_of_a_tree_is_sampled_over_time(self):
        script = "{0} & {0} & wait".format(" ".join(PYTHON) + " allocate 80 burn 0.2 sleep 3")
        record = self.run_shell(script)
        self.assert_succeeded(record)
        self.assertGreaterEqual(record["usage"]["peakMemoryBytes"], 160 * MEGABYTE)
        self.assertLess(record["usage"]["peakMemoryBytes"], 220 * MEGABYTE)
        seconds, cpu_percents, memory_bytes = list(zip(*record["series"]))[:3]
        self.assertGreaterEqual(seconds[0], 1)
        self.assertGreater(max(cpu_percents), 0)
        self.assertGreaterEqual(max(memory_bytes), 160 * MEGABYTE)
        self.assertEqual(record["series"][0][5:], [None, None])

    @unittest.skipUnless(os.path.exists(GNU_TIME), "SKIPPED: GNU time is not installed (/usr/bin/time)")
    def test_gnu_time_says_the_same(self):
        attempt = self.new()
        words = ["burn", "0.4", "allocate", "64", "write", "3"]
        spec = task(
            attempt,
            [GNU_TIME, "-v", "-o", "out/time.txt"] + PYTHON + words,
            outputs=[output("time", "out/time.txt")],
        )
        record = self.launcher.run_task(spec)
        self.assert_succeeded(record)
        said = self.launcher.object(record["outputs"]["time"]["hash"]).decode()

        def figure(name):
            return float(re.search(re.escape(name) + r": ([0-9.]+)", said).group(1))

        usage = record["usage"]
        self.assertAlmostEqual(usage["userSeconds"], figure("User time (seconds)"), delta=0.03)
        self.assertAlmostEqual(usage["systemSeconds"], figure("System time (seconds)"), delta=0.03)
        peak_bytes = figure("Maximum resident set size (kbytes)") * 1024
        # On a busy machine it runs long enough to be sampled, and then GNU time itself counts, too.
        self.assertAlmostEqual(usage["peakMemoryBytes"], peak_bytes, delta=3 * MEGABYTE)
        self.assertAlmostEqual(usage["minorFaults"], figure("Minor (reclaiming a frame) page faults"), delta=300)
        self.assertAlmostEqual(usage["voluntarySwitches"], figure("Voluntary context switches"), delta=10)


@unittest.skipUnless(os.path.exists("/proc/thread-self/io"), "SKIPPED: /proc does not tell of bytes")
class KnownWorkOfZombiesThatDoNotAnswer(KnownWork):
    """As newer kernels have it for all but root."""

    @classmethod
    def options(cls):
        silence = "lambda pid, ask=proc.io_of: None if proc.stat_of(pid).state == 'Z' else ask(pid)"
        return {"prelude": "from wf_launcher import proc; proc.io_of = " + silence}



class WhatAChildMovedTest(unittest.TestCase):
    def test_is_never_less_than_nothing(self):
        """A look may miss a byte that the next one does not, if a signal comes between."""
        self.assertEqual(moved_between((10, 5, 0, 0), (30, 4, 0, 4096)), (20, 0, 0, 4096))

if __name__ == "__main__":
    unittest.main()
