"""A full disk: the class of the failure says so, nothing is half published, and the event comes all the same."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from wf_launcher import whole_file

from .harness import MEGABYTE, Launcher, copy, output, shell, touch, waiting_for

REASON = "SKIPPED: a small file system can only be mounted by root"


def can_mount():
    return sys.platform == "linux" and os.geteuid() == 0


@unittest.skipUnless(can_mount(), REASON)
class FullDisk(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-full-")
        elsewhere = tempfile.mkdtemp(prefix="wf-full-go-")
        self.addCleanup(shutil.rmtree, elsewhere)
        self.go = os.path.join(elsewhere, "go")
        mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", self.storage]
        mounted = subprocess.run(mount, stderr=subprocess.PIPE)
        if mounted.returncode != 0:
            os.rmdir(self.storage)
            self.skipTest(REASON)
        self.addCleanup(self.unmount)
        self.launcher = Launcher(storage=self.storage)
        self.addCleanup(self.launcher.close)

    def unmount(self):
        subprocess.run(["umount", "-l", self.storage], check=True)
        os.rmdir(self.storage)

    def fill(self):
        """Leaves no room at all, not for one more page."""
        path = os.path.join(self.storage, "filler")
        with open(path, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        return path

    def test_an_input_does_not_fit(self):
        value = self.launcher.file_value(b"x" * (3 * MEGABYTE))
        staged = [copy("a", "in/a", value), copy("b", "in/b", value)]
        record = self.launcher.run_task(shell("a", "true", inputs=staged, keepSandbox="never"))
        self.assertEqual(record["failure"]["class"], "disk-full")
        self.assertEqual(record["failure"]["name"], "b")

    def test_a_command_fails_for_want_of_room(self):
        record = self.launcher.run_task(shell("a", "head -c 99999999 /dev/zero > x", keepSandbox="never"))
        self.assertEqual(record["failure"]["class"], "disk-full")
        self.assertRegex(record["failure"]["message"], r"exit status 1, .*\({}.*: 0 B of 8.39 MB are free\)".format(self.storage))
        self.assertEqual(record["exitCode"], 1)
        record = self.launcher.run_task(shell("b", "exit 1", keepSandbox="never"))
        self.assertEqual(record["failure"]["class"], "exit")

    def test_what_fills_the_disk_is_not_kept_on_it(self):
        script = "head -c 99999999 /dev/zero > x"
        record = self.launcher.run_task(shell("a", script, outputs=[output("x", "x")], keepSandbox="failed"))
        self.assertEqual(record["failure"]["class"], "disk-full")
        self.assertEqual(self.launcher.record_on_disk("a"), record)

    def test_an_output_that_must_be_copied_does_not_fit(self):
        script = "head -c 5000000 /dev/zero > x; ln x tmp/y"
        record = self.launcher.run_task(shell("a", script, outputs=[output("x", "x")], keepSandbox="never"))
        self.assertEqual(record["failure"]["class"], "disk-full")
        self.assertEqual(record["outputs"], {})
        stored = [name for _, _, names in os.walk(os.path.join(self.storage, "objects")) for name in names]
        self.assertEqual(stored, [])

    def test_a_document_is_there_whole_or_not_at_all(self):
        path = os.path.join(self.storage, "document.json")
        whole_file.write(path, b"{}")
        filler = self.fill()
        with self.assertRaises(OSError):
            whole_file.write(path, b"x" * 20000)
        self.assertEqual([name for name in os.listdir(self.storage) if "document" in name], ["document.json"])
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"{}")
        os.unlink(filler)

    def test_a_record_waits_for_room(self):
        self.launcher.submit(self.launcher.job(shell("a", waiting_for(self.go) + "; exit 3", keepSandbox="never")))
        self.launcher.started("a")
        filler = self.fill()
        touch(self.go)
        timer = subprocess.Popen(["sh", "-c", "sleep 1; rm {}".format(filler)])
        (record,) = self.launcher.records("a")
        timer.wait()
        self.assertEqual(record["exitCode"], 3)
        self.assertEqual(self.launcher.record_on_disk("a"), record)

    def test_the_event_comes_without_a_record(self):
        self.launcher.submit(self.launcher.job(shell("a", waiting_for(self.go) + "; exit 3", keepSandbox="never")))
        self.launcher.started("a")
        filler = self.fill()
        touch(self.go)
        (record,) = self.launcher.records("a")
        self.assertEqual(record["exitCode"], 3)
        self.assertFalse(os.path.exists(os.path.join(self.launcher.folder, "records", "a.json")))
        os.unlink(filler)
        self.assertEqual(self.launcher.run_task(shell("b", "true"))["state"], "succeeded")

    def test_what_has_no_record_is_lost_for_the_next_launcher_and_never_starts_under_the_same_name_again(self):
        self.launcher.submit(self.launcher.job(shell("a", waiting_for(self.go), keepSandbox="never")))
        self.launcher.started("a")
        filler = self.fill()
        touch(self.go)
        self.launcher.records("a")
        os.unlink(filler)
        self.launcher.kill()
        successor = Launcher(storage=self.storage)
        self.addCleanup(successor.close)
        self.assertEqual(successor.record_on_disk("a")["failure"]["class"], "lost")


if __name__ == "__main__":
    unittest.main()
