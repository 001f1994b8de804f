"""What `sweep` removes from a storage that several stores may share, and what it leaves."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from wf_launcher.login.leases import SILENT_SECONDS, LostLeaseError, SweepLease
from wf_launcher.login.sweep import Sweep

from .harness import PATIENCE_SECONDS, ROOT

HOUR = 3600
LONG_AGO = 1_000_000_000


class OnAStorage(unittest.TestCase):
    def setUp(self):
        self.storage = tempfile.mkdtemp(prefix="wf-sweep-")
        self.addCleanup(shutil.rmtree, self.storage)

    def put(self, text):
        name = hashlib.sha256(text.encode()).hexdigest()
        self.write("objects/{}/{}".format(name[:2], name), text)
        return name

    def write(self, path, content):
        path = os.path.join(self.storage, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_of(self, store, run, *named):
        self.write("runs/{}/store.json".format(run), {"store": store, "where": "laptop:/" + store})
        self.write("runs/{}/records/a@1.json".format(run), {"outputs": {"x": {"kind": "file", "hash": list(named)}}})
        self.write("runs/{}/submissions/t/name".format(run), "wf-{}-t".format(run))

    def sweep(self, young=-HOUR, **request):
        """Nothing is young, unless a test says so: the ctime of a file cannot be set."""
        request = dict({"store": "me", "runs": [], "needed": [], "live": [], "isDryRun": False, "where": "here"}, **request)
        request.update(youngSeconds=young, openSeconds=HOUR)
        command = [sys.executable, "-I", "-S", ROOT, "sweep", self.storage]
        done = subprocess.run(command, input=json.dumps(request).encode(), stdout=subprocess.PIPE, timeout=PATIENCE_SECONDS)
        self.assertEqual(done.returncode, 0)
        return json.loads(done.stdout.decode())

    def there(self):
        return {name for _, _, names in os.walk(self.storage + "/objects") for name in names}

    def runs(self):
        return sorted(os.listdir(self.storage + "/runs"))


class Removes(OnAStorage):
    def test_runs_that_its_store_has_deleted_and_what_only_they_name(self):
        kept, gone = self.put("kept"), self.put("gone")
        self.run_of("me", "stays", kept)
        self.run_of("me", "goes", kept, gone)
        reply = self.sweep(runs=["stays"])
        self.assertEqual(self.runs(), ["stays"])
        self.assertEqual(self.there(), {kept})
        self.assertEqual(reply["runs"]["count"], 1)
        self.assertEqual(reply["objects"], {"count": 1, "bytes": 4})
        self.assertEqual(reply["kept"], {"count": 1, "bytes": 4})

    def test_nothing_in_a_dry_run_which_counts_the_same(self):
        self.run_of("me", "goes", self.put("gone"))
        self.write("tmp/half", "half a file")
        dry = self.sweep(isDryRun=True)
        self.assertEqual((self.runs(), len(self.there())), (["goes"], 1))
        self.assertEqual(self.sweep(), dry)
        self.assertEqual((self.runs(), len(self.there())), ([], 0))
        self.assertEqual(dry["leftovers"], {"count": 1, "bytes": 11})

    def test_no_young_content(self):
        self.put("new")
        needed = self.put("needed")
        self.write("tmp/half", "half a file")
        reply = self.sweep(young=HOUR, needed=[needed])
        self.assertEqual(reply["young"], {"count": 1, "bytes": 3})
        self.assertEqual(reply["kept"], {"count": 1, "bytes": 6})
        self.assertEqual(reply["leftovers"]["count"], 0)
        self.assertEqual(len(self.there()), 2)

    def test_no_young_content_whatever_time_its_file_was_given(self):
        """A seal gives an object a time long ago, and so may the task that made it."""
        name = self.put("new")
        for path in ("objects/{}/{}".format(name[:2], name), self.write("tmp/half", "half a file")):
            os.utime(os.path.join(self.storage, path), (LONG_AGO, LONG_AGO))
        reply = self.sweep(young=HOUR)
        self.assertEqual((reply["young"]["count"], reply["leftovers"]["count"]), (1, 0))
        self.assertEqual(self.there(), {name})

    def test_whatever_tasks_have_left_where_content_is_named(self):
        kept, gone = self.put("kept"), self.put("gone")
        self.run_of("me", "r1", kept)
        records = self.storage + "/runs/r1/records"
        for number, put in enumerate((os.mkfifo, lambda path: os.symlink("/dev/zero", path), os.mkdir)):
            put("{}/b@{}.json".format(records, number))
            put("{}/objects/{}/f{}{}".format(self.storage, gone[:2], number, gone[2:]))
        self.write(os.fsdecode(b"runs/\xff/store.json"), {"store": "me"})
        self.assertEqual(self.sweep(runs=["r1"])["runs"]["count"], 1)
        self.assertEqual(os.listdir("{}/objects/{}".format(self.storage, gone[:2])), [])
        self.assertEqual(self.there(), {kept})

    def test_nothing_where_there_is_no_storage(self):
        self.assertEqual(self.sweep()["objects"], {"count": 0, "bytes": 0})


class Keeps(OnAStorage):
    def test_what_its_store_needs_and_what_that_leads_to(self):
        leaf = self.put("leaf")
        folder = self.put('{"entries":[{"hash":"%s"}]}' % leaf)
        collection = self.put('{"items":[{"hash":"%s"}]}' % folder)
        self.put("garbage")
        self.sweep(needed=[collection])
        self.assertEqual(self.there(), {leaf, folder, collection})

    def test_what_jobs_name_that_have_no_record(self):
        content, mailed = self.put("input"), self.put("for a pilot")
        self.run_of("me", "stays")
        self.write("runs/stays/submissions/t/jobs/0.json", {"inputs": [{"value": {"hash": content}}]})
        self.write("runs/stays/mailbox/waiting/1.json", {"inputs": [{"value": {"hash": mailed}}]})
        self.sweep(runs=["stays"])
        self.assertEqual(self.there(), {content, mailed})

    def test_runs_of_other_stores_and_of_nobody_known(self):
        other, unknown = self.put("other's"), self.put("unknown")
        self.run_of("other", "theirs", other)
        self.write("runs/old/records/a@1.json", {"hash": unknown})
        self.assertEqual(self.sweep()["others"], 2)
        self.assertEqual(self.runs(), ["old", "theirs"])
        self.assertEqual(self.there(), {other, unknown})

    def test_what_another_store_said_that_it_needs(self):
        reused = self.put("reused by a later run")
        self.run_of("other", "first", reused)
        self.sweep(store="other", needed=[reused])
        self.assertEqual(self.runs(), [])
        self.sweep(store="me")
        self.assertEqual(self.there(), {reused})
        self.sweep(store="other")
        self.assertEqual(self.there(), set())

    def test_a_deleted_run_whose_jobs_are_in_the_queue(self):
        content = self.put("input")
        self.run_of("me", "busy", content)
        for live in ("wf-busy-t", "t"):  # as SLURM calls it, and as HTCondor does
            with self.subTest(live):
                self.assertEqual(self.sweep(live=[live])["busy"], ["busy"])
                self.assertEqual((self.runs(), self.there()), (["busy"], {content}))

    def test_everything_while_a_run_of_another_store_is_open(self):
        self.run_of("me", "goes", self.put("gone"))
        self.run_of("other", "theirs")
        mark = self.write("leases/theirs", {"store": "other", "where": "laptop:/other"})
        self.assertEqual(self.sweep(), {"open": "theirs of laptop:/other"})
        self.assertEqual(self.runs(), ["goes", "theirs"])
        os.utime(mark, (LONG_AGO, LONG_AGO))
        self.sweep()
        self.assertEqual(self.runs(), ["theirs"])

    def test_its_own_open_runs(self):
        content = self.put("made")
        self.run_of("me", "killed", content)
        self.write("leases/killed", {"store": "me", "where": "here"})
        self.sweep(runs=["killed"])
        self.assertEqual((self.runs(), self.there()), (["killed"], {content}))

    def test_what_is_published_anew_while_it_sweeps(self):
        name = self.put("made again")
        path = "{}/objects/{}/{}".format(self.storage, name[:2], name)
        found = os.stat(path)
        os.unlink(path)
        self.put("made again")
        document = {"store": "me", "runs": [], "needed": [], "live": [], "isDryRun": False, "youngSeconds": 0, "openSeconds": 0}
        sweep = Sweep(self.storage, document, lambda: None)
        self.assertEqual(sweep._remove(path, found), "young")
        self.assertEqual(sweep._remove(path, os.stat(path)), "objects")
        self.assertEqual(self.there(), set())


class OneAtATime(OnAStorage):
    def test_a_second_sweep_removes_nothing(self):
        self.put("garbage")
        with SweepLease(self.storage, "laptop:/first") as lease:
            self.assertIsNone(lease.holder)
            self.assertEqual(self.sweep(), {"sweeping": "laptop:/first"})
            self.assertEqual(len(self.there()), 1)
            lease.check()
        self.sweep()
        self.assertEqual(self.there(), set())
        self.assertEqual(os.listdir(self.storage + "/leases"), [])

    def test_a_sweep_that_was_killed_is_in_the_way_for_a_while_only(self):
        self.put("garbage")
        mark = self.write("leases/sweep", {"id": "dead", "where": "gone"})
        self.assertEqual(self.sweep(), {"sweeping": "gone"})
        os.utime(mark, (LONG_AGO, LONG_AGO))
        self.sweep()
        self.assertEqual(self.there(), set())
        self.assertEqual(os.listdir(self.storage + "/leases"), [])

    def test_who_was_silent_for_too_long_removes_no_more(self):
        with SweepLease(self.storage, "sleeper") as lease:
            lease._beaten -= SILENT_SECONDS
            lease.check()
            self.write("leases/sweep", {"id": "another", "where": "another"})
            with self.assertRaises(LostLeaseError):
                lease.check()
        self.assertEqual(os.listdir(self.storage + "/leases"), ["sweep"])

    def test_the_lease_of_a_run_goes_with_its_folder(self):
        self.run_of("me", "goes")
        self.write("leases/goes", {"store": "me", "where": "here"})
        self.sweep()
        self.assertEqual((self.runs(), os.listdir(self.storage + "/leases")), ([], []))


if __name__ == "__main__":
    unittest.main()
