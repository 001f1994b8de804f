"""Content that is not what its name says: it is not used, it is replaced when it is made again, and it is named."""

import os
import unittest

from wf_launcher.seals import DURABLE, Seals

from .harness import Launcher, copy, link, output, shell


def flip(path):
    """One byte, in place."""
    os.chmod(path, 0o644)
    with open(path, "r+b") as file:
        first = file.read(1)
        file.seek(0)
        file.write(bytes([first[0] ^ 1]))


def cut(path):
    os.chmod(path, 0o644)
    os.truncate(path, 0)


class Damage(unittest.TestCase):
    def setUp(self):
        self.launcher = Launcher()
        self.addCleanup(self.launcher.close)

    def object(self, content_hash):
        return "{}/objects/{}/{}".format(self.launcher.storage, content_hash[:2], content_hash)

    def quarantined(self):
        folder = self.launcher.storage + "/quarantine"
        return os.listdir(folder) if os.path.isdir(folder) else []

    def make(self, attempt):
        """A task that makes a file; what is known of it."""
        record = self.launcher.run_task(shell(attempt, "echo made > out", outputs=[output("out", "out")]))
        self.assertEqual(record["state"], "succeeded")
        return record["outputs"]["out"], record

    def test_is_found_when_it_is_staged(self):
        for damage in (flip, cut):
            for place in (link, copy):
                with self.subTest(damage=damage.__name__, place=place.__name__):
                    name = damage.__name__ + place.__name__
                    value, _ = self.make("make-" + name)
                    damage(self.object(value["hash"]))
                    use = shell("use-" + name, "cat in", inputs=[place("in", "in", value)], keepSandbox="never")
                    record = self.launcher.run_task(use)
                    self.assertEqual(record["failure"]["class"], "stage-in")
                    self.assertRegex(record["failure"]["message"], "object {} of the store was damaged".format(value["hash"]))
                    self.assertFalse(os.path.exists(self.object(value["hash"])))
                    self.assertEqual(self.quarantined(), [value["hash"]])

    def test_of_a_manifest_is_found(self):
        make = shell("make", "mkdir -p d; echo x > d/a", outputs=[output("d", "d", "directory")])
        value = self.launcher.run_task(make)["outputs"]["d"]
        path = self.object(value["hash"])
        os.chmod(path, 0o644)
        with open(path, "r+b") as file:
            content = file.read()
            file.seek(0)
            file.write(content.replace(b'"a"', b'"b"'))
        record = self.launcher.run_task(shell("use", "ls d", inputs=[link("d", "d", value)]))
        self.assertRegex(record["failure"]["message"], "was damaged")

    def test_is_replaced_by_who_makes_the_content_again(self):
        for damage in (flip, cut):
            with self.subTest(damage.__name__):
                value, _ = self.make("first-" + damage.__name__)
                damage(self.object(value["hash"]))
                _, record = self.make("again-" + damage.__name__)
                self.assertEqual(len(record["warnings"]), 1)
                self.assertRegex(record["warnings"][0], value["hash"])
                with open(self.object(value["hash"])) as file:
                    self.assertEqual(file.read(), "made\n")

    def test_that_left_no_trace_in_the_file_s_times_is_replaced_too(self):
        value, _ = self.make("first")
        path = self.object(value["hash"])
        found = os.stat(path)
        flip(path)
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
        _, record = self.make("again")
        self.assertRegex(record["warnings"][0], value["hash"])
        with open(path) as file:
            self.assertEqual(file.read(), "made\n")

    def test_is_also_what_is_no_plain_file(self):
        mine = self.launcher.storage + "/mine"
        with open(mine, "w") as file:
            file.write("made\n")
        for number, put in enumerate((os.mkfifo, os.mkdir, lambda path: os.symlink(mine, path))):
            for place in (link, copy):
                name = "{}-{}".format(number, place.__name__)
                with self.subTest(name):
                    value, _ = self.make("make-" + name)
                    os.unlink(self.object(value["hash"]))
                    put(self.object(value["hash"]))
                    use = shell("use-" + name, "cat in", inputs=[place("in", "in", value)], keepSandbox="never")
                    self.assertRegex(self.launcher.run_task(use)["failure"]["message"], "of the store was damaged")
                    put(self.object(value["hash"]))
                    _, record = self.make("again-" + name)
                    self.assertRegex(record["warnings"][0], value["hash"])
                    self.assertEqual(self.launcher.object(value["hash"]), b"made\n")

    def test_is_not_what_a_wrong_size_says(self):
        value, _ = self.make("first")
        use = shell("use", "cat in", inputs=[link("in", "in", dict(value, size=3))])
        self.assertRegex(self.launcher.run_task(use)["failure"]["message"], "has another size than 3")
        self.assertTrue(os.path.exists(self.object(value["hash"])))

    def test_is_not_seen_in_content_that_is_sound(self):
        value, _ = self.make("first")
        _, record = self.make("again")
        self.assertNotIn("warnings", record)
        os.utime(self.object(value["hash"]))  # it lost its seal, and is read again
        use = shell("use", "cat in", inputs=[link("in", "in", value)])
        self.assertEqual(self.launcher.run_task(use)["state"], "succeeded")
        self.assertTrue(Seals(self.launcher.storage, False).holds(os.stat(self.object(value["hash"])), value["hash"]))


class SealTest(unittest.TestCase):
    HASH = "89abcdef" + "0" * 56

    def setUp(self):
        launcher = Launcher()
        self.addCleanup(launcher.close)
        self.storage = launcher.storage
        self.path = self.storage + "/object"
        with open(self.path, "w") as file:
            file.write("content")

    def stat(self):
        return os.stat(self.path)

    def test_holds_for_its_hash_until_the_file_is_written(self):
        for durable in (True, False):
            seals = Seals(self.storage, durable)
            self.assertFalse(seals.holds(self.stat(), self.HASH))
            seals.set(self.path, self.HASH)
            self.assertTrue(seals.holds(self.stat(), self.HASH))
            self.assertFalse(seals.holds(self.stat(), "0" * 64))
            with open(self.path, "a") as file:
                file.write("more")
            self.assertFalse(seals.holds(self.stat(), self.HASH))

    def test_of_an_earlier_boot_holds_for_what_was_synced_in_it(self):
        earlier = Seals(self.storage, False)
        earlier._boot = 0x1234
        earlier.set(self.path, self.HASH)
        self.assertFalse(Seals(self.storage, False).holds(self.stat(), self.HASH))
        os.mkdir(self.storage + "/synced")
        for until, holds in ((self.stat().st_ctime_ns, False), (self.stat().st_ctime_ns + 1, True)):
            with open(self.storage + "/synced/1234", "w") as file:
                file.write(str(until))
            self.assertEqual(Seals(self.storage, False).holds(self.stat(), self.HASH), holds)

    def test_of_what_was_synced_holds_everywhere(self):
        Seals(self.storage, True).set(self.path, self.HASH)
        other = Seals(self.storage, False)
        other._here = 0x1234
        self.assertTrue(other.holds(self.stat(), self.HASH))
        self.assertEqual(DURABLE, 0)


if __name__ == "__main__":
    unittest.main()
