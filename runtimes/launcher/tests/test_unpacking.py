"""Archives from elsewhere, as nobody honest would pack them."""

import io
import os
import random
import shutil
import tarfile
import tempfile
import unittest

from wf_launcher import record
from wf_launcher.away.unpacking import Unpacking, UnpackError, led_to
from wf_launcher.failure import Failure
from wf_launcher.login.condor_collect import condor_collect

from .away import AwayCase
from .harness import shell
from .seen import seen

ARCHIVES = 400
PARCELS = 120
STEPS = ("a", "b", "x", "..", ".", "", "l", "n\n", "\udcff", "c" * 255, "d" * 256)
TARGETS = ("a", "x", "..", "../..", "../x", "/no/such/x", "l/..", "l/../..", "a/../../..", "", ".", "./l", "/")
KINDS = (
    tarfile.REGTYPE,
    tarfile.REGTYPE,
    tarfile.DIRTYPE,
    tarfile.DIRTYPE,
    tarfile.SYMTYPE,
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.FIFOTYPE,
)


def archive(members):
    """`members`: (name, type, target of a link, content)."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT, errors="surrogateescape") as tar:
        for name, kind, target, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.mode = kind, target, 0o6777
            info.size = len(content) if kind == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(content))
    packed.seek(0)
    return packed


class UnpackingCase(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf-unpacking-")
        self.addCleanup(shutil.rmtree, self.root)
        self.home = self.root + "/home"
        os.mkdir(self.home)
        for name in ("x", "l", ".bashrc"):
            with open(self.home + "/" + name, "w") as file:
                file.write("mine")
        self.target = self.home + "/target"

    def unpack(self, *members):
        with tarfile.open(fileobj=archive(members), errors="surrogateescape") as tar:
            unpacking = Unpacking(self.target)
            for member in tar:
                unpacking.put(tar, member, member.name)

    def assert_refused(self, *members):
        before = seen(self.home)
        with self.assertRaises((UnpackError, OSError)):
            self.unpack(*members)
        shutil.rmtree(self.target)
        self.assertEqual(seen(self.home), before)


def file(name, content=b"hostile"):
    return name, tarfile.REGTYPE, "", content


def folder(name):
    return name, tarfile.DIRTYPE, "", b""


def link(name, target):
    return name, tarfile.SYMTYPE, target, b""


def twin(name, target):
    return name, tarfile.LNKTYPE, target, b""


class Refuses(UnpackingCase):
    def test_a_file_through_a_link_of_the_same_name(self):
        self.assert_refused(link("x", self.home + "/.bashrc"), file("x"))
        self.assert_refused(link("x", "y"), file("x"))
        self.assert_refused(folder("a"), link("a/x", "../b"), file("a/x"))

    def test_a_name_that_is_there_twice(self):
        self.assert_refused(file("x"), file("x"))
        self.assert_refused(folder("x"), folder("x"))
        self.assert_refused(folder("x"), link("x", "y"))

    def test_what_lies_behind_a_link_or_in_no_folder(self):
        self.assert_refused(folder("a"), link("b", "a"), file("b/x"))
        self.assert_refused(file("a/x"))
        self.assert_refused(file("a"), file("a/x"))

    def test_names_that_leave(self):
        for name in ("../x", "/tmp/x", "a/../../x", "..", ".", "a//x", "./x"):
            self.assert_refused(folder("a"), file(name))

    def test_links_that_leave(self):
        for target in ("..", "../x", "/no/such/x", "a/../../x", "a/b/..", "/", ""):
            self.assert_refused(folder("a"), link("l", target))
        self.assert_refused(folder("a"), folder("a/b"), link("a/b/top", "../.."), link("a/b/x", "top/../x"))
        self.assert_refused(twin("x", self.home + "/.bashrc"))
        self.assert_refused(twin("x", "../.bashrc"))
        self.assert_refused(link("l", "a"), twin("x", "l"))

    def test_what_is_no_file(self):
        for kind in (tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE):
            self.assert_refused(("x", kind, "", b""))


class Bombs(AwayCase):
    def test_a_file_whose_holes_are_larger_than_the_archive(self):
        """As GNU tar packs it: 512 bytes of it are there, and a terabyte is meant."""
        self.lay_out(self.job(shell("a@1", "true")))
        returned = self.submission.folder + "/returned/0"
        for name in ("attempts/a@1/big", "objects/" + "ab" * 32, "records/a@1.json"):
            os.makedirs(returned, exist_ok=True)
            with tarfile.open(returned + "/returned.tar", "w", format=tarfile.PAX_FORMAT) as tar:
                tar.addfile(directory_info("attempts/a@1"))
                info = tarfile.TarInfo(name)
                info.size = 512
                info.pax_headers = {
                    "GNU.sparse.major": "0",
                    "GNU.sparse.minor": "1",
                    "GNU.sparse.size": str(1 << 40),
                    "GNU.sparse.map": "0,512",
                }
                tar.addfile(info, io.BytesIO(b"x" * 512))
            with tarfile.open(returned + "/returned.tar") as tar:
                self.assertEqual(tar.getmembers()[1].size, 1 << 40)
            [answer] = condor_collect(self.storage, "r1", {"elements": [{"token": "t1", "index": 0}]})["elements"]
            self.assertEqual(answer["state"], "damaged", name)
            self.assertLess(sum(os.lstat(path).st_size for path in seen(self.root)), 1 << 20)


def directory_info(name):
    info = tarfile.TarInfo(name)
    info.type, info.mode = tarfile.DIRTYPE, 0o755
    return info


class Unpacks(UnpackingCase):
    def test_what_an_honest_launcher_packs(self):
        name = "n\n\udcff é"
        self.unpack(folder("a"), file("a/" + name, b"1"), link("a/l", "../b"), link("m", "a/gone"), twin("t", "a/" + name))
        self.assertEqual(sorted(os.listdir(self.target)), ["a", "m", "t"])
        with open(self.target + "/t", "rb") as found:
            self.assertEqual(found.read(), b"1")
        self.assertEqual(os.readlink(self.target + "/a/l"), "../b")
        self.assertEqual(os.lstat(self.target + "/a/" + name).st_mode & 0o7777, 0o777)

    def test_where_links_lead_to(self):
        self.assertEqual(led_to("/s/a", "../b/c"), "/s/b/c")
        self.assertEqual(led_to("/s/a", ".././/b"), "/s/b")
        self.assertEqual(led_to("/s/a", "/o/x"), "/o/x")
        for target in ("b/../c", "/../x", "/a/../x", "", "a\0"):
            self.assertIsNone(led_to("/s/a", target))


class Fuzzed(UnpackingCase):
    def test_nothing_outside_changes_and_no_link_leaves(self):
        before = seen(self.home)
        refused = 0
        for seed in range(ARCHIVES):
            dice = random.Random(seed)
            try:
                self.unpack(*[hostile_member(dice) for _ in range(dice.randint(1, 9))])
            except (UnpackError, OSError):
                refused += 1
            inside = {path: what for path, what in seen(self.home).items() if path.startswith(self.target + "/")}
            for path in inside:
                self.assertTrue(os.path.realpath(path).startswith(os.path.realpath(self.target)), (seed, path))
            shutil.rmtree(self.target)
            self.assertEqual(seen(self.home), before, "seed {}".format(seed))
        self.assertGreater(refused, ARCHIVES // 10)
        self.assertLess(refused, ARCHIVES)


def hostile_member(dice):
    name = "/".join(dice.choice(STEPS) for _ in range(dice.randint(1, 3)))
    name = dice.choice((name, name, dice.choice("abxl"), "/" + name))
    return name, dice.choice(KINDS), dice.choice(TARGETS), b"hostile"


class Parcels(AwayCase):
    """The same, on its way from an execute machine to the storage of the submit host."""

    def setUp(self):
        super().setUp()
        self.lay_out(self.job(shell("a@1", "true")))
        self.returned = self.submission.folder + "/returned/0"
        self.home = self.root + "/home"
        os.mkdir(self.home)
        self.secret = self.home + "/.bashrc"
        with open(self.secret, "w") as mine:
            mine.write("mine")
        self.storage_before = self.untouchable()

    def untouchable(self):
        """All but what a return may add to."""
        own = tuple(self.storage + "/" + path for path in ("objects", "runs/r1/attempts", "runs/r1/records"))
        kept = {path: what for path, what in seen(self.root).items() if not path.startswith(own + (self.returned,))}
        return {path: what for path, what in kept.items() if "/submissions/t1" not in path}

    def come_back(self, *members, large=None):
        """`large`: links that lie where large objects do."""
        shutil.rmtree(self.returned, ignore_errors=True)
        os.makedirs(self.returned + "/objects")
        for name, target in (large or {}).items():
            os.symlink(target, self.returned + "/objects/" + name)
        with open(self.returned + "/returned.tar", "wb") as packed:
            packed.write(archive(members).read())
        [answer] = condor_collect(self.storage, "r1", {"elements": [{"token": "t1", "index": 0}]})["elements"]
        self.assertEqual(self.untouchable(), self.storage_before)
        return answer

    def good_record(self, **changes):
        spec = {"task": "task-a", "attempt": "a@1"}
        document = record.unstarted({"run": "r1", "job": "j1"}, spec, Failure("exit", "no"), 1)
        return record.encode(dict(dict(document, state="succeeded", failure=None), **changes))

    def test_a_file_through_a_link_to_the_home(self):
        members = [folder("attempts/a@1"), link("attempts/a@1/x", self.secret), file("attempts/a@1/x")]
        self.assertEqual(self.come_back(*members)["state"], "damaged")

    def test_records_that_no_launcher_writes(self):
        bad_file = {"kind": "file", "hash": "0" * 64, "size": 1, "name": "m/../../.bashrc"}
        bad_hash = {"kind": "file", "hash": "../home/.bashrc", "size": 1, "name": "m"}
        for content in (
            b"",
            b"[]",
            b"null",
            b"{",
            b"[" * 100000,
            b'{"attempt":"a@1"}',
            self.good_record(outputs={"m": bad_file}),
            self.good_record(outputs={"m": bad_hash}),
            self.good_record(outputs={"m": {"kind": "list", "items": [bad_hash]}}),
            self.good_record(outputs=[]),
            self.good_record(attempt="b@1"),
            self.good_record(pictures=[{"file": bad_file}]),
        ):
            answer = self.come_back(file("records/a@1.json", content))
            self.assertEqual((answer["state"], answer["unrecorded"]), ("damaged", ["a@1"]), content[:200])
        for name in ("records/a@1.jsox", "records/a@1/../x", "records/../a@1.json", "records/b@1.json"):
            self.assertEqual(self.come_back(file(name, self.good_record()))["state"], "damaged", name)
        twice = [file("records/a@1.json", self.good_record())] * 2
        self.assertEqual(self.come_back(*twice)["state"], "damaged")

    def test_a_large_object_that_is_a_link(self):
        content_hash = self.store.file(b"mine")["hash"]
        os.unlink(self.store.path(content_hash))
        answer = self.come_back(file("records/a@1.json", self.good_record()), large={content_hash: self.secret})
        self.assertEqual(answer["state"], "damaged")
        self.assertFalse(os.path.lexists(self.store.path(content_hash)))

    def test_whatever_returns_changes_nothing_else(self):
        for seed in range(PARCELS):
            dice = random.Random(seed)
            members = [folder("attempts/a@1")] if dice.random() < 0.7 else []
            for _ in range(dice.randint(1, 6)):
                name, kind, target, content = hostile_member(dice)
                top = dice.choice(("attempts/a@1/", "attempts/a@1/", "attempts/", "records/", "objects/", ""))
                members.append((top + name, kind, dice.choice((target, self.secret)), content))
            self.come_back(*members)
            for path, (_, _, content) in seen(self.storage + "/runs/r1/attempts").items():
                if os.path.islink(path):
                    inside = os.path.realpath(self.storage + "/runs/r1/attempts/a@1")
                    self.assertTrue(os.path.realpath(path).startswith(inside), (seed, path, content))
            shutil.rmtree(self.storage + "/runs/r1/attempts")


if __name__ == "__main__":
    unittest.main()
