"""Machines that can do less: the same promises, as far as they go, and null for what cannot be known."""

from .harness import LauncherCase, is_running, shell, wait_until
from .test_measuring import detached


class Weaker(LauncherCase):
    prelude = "pass"
    measures_bytes = True

    @classmethod
    def options(cls):
        return {"prelude": cls.prelude}

    def test_success_and_failure(self):
        record = self.run_shell("head -c 5000 /dev/zero > tmp/x; exit 3")
        self.assert_failed(record, "exit")
        self.assertEqual(record["usage"]["writtenBytes"], 5000 if self.measures_bytes else None)
        self.assertIsNotNone(record["usage"]["userSeconds"])

    def test_cancelling_ends_the_children(self):
        attempt = self.new()
        self.launcher.submit(self.launcher.job(shell(attempt, "sleep 61 & echo $!; sleep 62", graceSeconds=0.1)))
        self.launcher.started(attempt)
        wait_until(lambda: self.launcher.read(attempt, "stdout"), "the child's pid")
        pid = int(self.launcher.read(attempt, "stdout"))
        self.launcher.send({"op": "cancel", "attempts": [attempt]})
        self.assert_failed(self.launcher.records(attempt)[0], "cancelled")
        wait_until(lambda: not is_running(pid), "the end of the child")


class WithoutTags(Weaker):
    """The hard limit forbids them: sessions and environments tell whose an orphan is."""

    prelude = "import resource; resource.setrlimit(10, (100, 100))"

    def test_detached_grandchildren_are_told_apart(self):
        first = detached(self.new(), "write", "2", "sleep", "0.3")
        second = detached(self.new(), "write", "3", "sleep", "0.3")
        self.launcher.submit(self.launcher.job(first), self.launcher.job(second))
        records = self.launcher.records(first["attempt"], second["attempt"])
        self.assertEqual([record["usage"]["writtenBytes"] for record in records], [2 << 20, 3 << 20])


class WithoutListsOfChildren(WithoutTags):
    """A kernel that keeps none: parents are looked up."""

    prelude = "from wf_launcher import proc; proc.HAS_CHILDREN = False"


class WithoutProc(Weaker):
    """Not Linux."""

    prelude = (
        "import os; del os.waitid; from wf_launcher import proc; "
        "proc.HAS_PROC = proc.HAS_CHILDREN = False; proc._read = lambda path: b''; proc.all_pids = list"
    )
    measures_bytes = False


class WithoutPosixSpawn(Weaker):
    prelude = "import os; del os.posix_spawn"
