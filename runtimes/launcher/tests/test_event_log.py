"""Following the event log of HTCondor jobs, through what people do to log files."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from .harness import PATIENCE_SECONDS, ROOT


def event(name, nested=""):
    return '<c>\n    <a n="MyType"><s>{}</s></a>{}\n</c>\n'.format(name, nested)


NESTED = '\n    <a n="ExecuteProps"><c>\n        <a n="Cpus"><i>1</i></a>\n    </c></a>'
HEADER = '<?xml version="1.0"?>\n<!DOCTYPE classads SYSTEM "classads.dtd">\n<classads>\n'


class FollowsEventLog(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-events-")
        self.addCleanup(shutil.rmtree, self.storage)
        os.makedirs(self.storage + "/runs/r1")
        self.log = self.storage + "/runs/r1/condor.log"

    def watch(self):
        watcher = subprocess.Popen(
            [sys.executable, "-I", "-S", ROOT, "watch", self.storage, "r1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.addCleanup(self.end, watcher)
        self.watcher = watcher
        self.assertEqual(self.heard(), {"watching": True})

    def end(self, watcher):
        watcher.stdin.close()
        self.assertEqual(watcher.wait(PATIENCE_SECONDS), 0)
        watcher.stdout.close()

    def heard(self):
        return json.loads(self.watcher.stdout.readline().decode())

    def assert_hears(self, *names):
        """These events and none besides, in whatever pieces."""
        expected = "".join(map(event, names))
        said = ""
        while len(said) < len(expected):
            said += self.heard()["events"]
        self.assertEqual(said, expected)

    def write(self, text, mode="a", path=None):
        with open(path or self.log, mode, encoding="utf-8") as file:
            file.write(text)

    def test_what_was_there_and_what_comes(self):
        self.write(HEADER + event("A") + event("B"))
        self.watch()
        self.assert_hears("A", "B")
        self.write(event("C"))
        self.assert_hears("C")

    def test_a_log_that_comes_later(self):
        self.watch()
        self.write(event("A"))
        self.assert_hears("A")

    def test_only_whole_events(self):
        self.watch()
        whole = event("A", NESTED)
        self.write(whole[:70])
        self.write(event("other"), path=self.log + ".else")
        self.write(whole[70:] + event("B")[:20])
        said = self.heard()["events"]
        self.assertEqual(said, whole)
        self.write(event("B")[20:])
        self.assert_hears("B")

    def test_each_start_tells_all(self):
        self.write(event("A"))
        for _ in range(2):
            self.watch()
            self.assert_hears("A")

    def test_more_than_one_chunk(self):
        count = 20000
        self.write(event("A") * count)
        self.watch()
        said = ""
        while len(said) < count * len(event("A")):
            said += self.heard()["events"]
        self.assertEqual(said, event("A") * count)

    def test_truncated(self):
        self.write(event("A") + event("B"))
        self.watch()
        self.assert_hears("A", "B")
        self.write(event("C"), "w")
        self.assertEqual(self.heard(), {"eventsLost": True})
        self.assert_hears("C")

    def test_truncated_and_grown_beyond_where_it_was(self):
        self.write(event("A"))
        self.watch()
        self.assert_hears("A")
        with open(self.log, "r+", encoding="utf-8") as file:
            file.write(event("a longer one") + event("C"))
        self.assertEqual(self.heard(), {"eventsLost": True})
        self.assert_hears("C")

    def test_replaced(self):
        self.write(event("A"))
        self.watch()
        self.assert_hears("A")
        self.write(event("B"), path=self.log + ".new")
        os.rename(self.log + ".new", self.log)
        self.assertEqual(self.heard(), {"eventsLost": True})
        self.assert_hears("B")

    def test_moved_away_while_others_write_to_it(self):
        self.write(event("A"))
        with open(self.log, "a", encoding="utf-8") as writer:
            self.watch()
            self.assert_hears("A")
            os.rename(self.log, self.log + ".old")
            self.write(event("B"))
            self.assertEqual(self.heard(), {"eventsLost": True})
            self.assert_hears("B")
            writer.write(event("late"))
            writer.flush()
            self.assert_hears("late")

    def test_moved_away_before_the_start(self):
        self.write(event("A"), path=self.log + ".old")
        self.write(event("B"))
        self.watch()
        self.assert_hears("A", "B")

    def test_an_event_that_was_cut_off(self):
        self.write(event("A") + event("cut")[:25] + "\n" + event("B"))
        self.watch()
        self.assertEqual(self.heard(), {"eventsLost": True})
        self.assert_hears("A", "B")

    def test_odd_bytes(self):
        with open(self.log, "wb") as file:
            file.write(b"\xff\0\n" + event("A").encode() + b"<c>\n\xfe\0</x>\n</c>\n" + event("B").encode())
        self.watch()
        self.assertEqual(self.heard(), {"eventsLost": True})
        self.assertEqual(self.heard()["events"], event("A") + "<c>\n\ufffd\0</x>\n</c>\n" + event("B"))


if __name__ == "__main__":
    unittest.main()
