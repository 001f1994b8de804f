"""Jobs that fetch their content from the site's store, and deliver to it, over ssh and http."""

import json
import os
import sys
import tarfile
import unittest

from wf_launcher import secrets

from .away import LARGE, AwayCase
from .harness import ROOT, copy, link, output, shell
from .store_servers import SSHD, HttpServer, SshServer

TOKEN = "a horse"
WRITE_TOKEN = "a cart"


class CopyCase(AwayCase):
    """The storage has another name while the job runs; the server knows that one."""

    PLACEMENT = "copy"

    def setUp(self):
        super().setUp()
        self.big = self.store.file(b"x" * LARGE, "big")
        files = {"{:03}".format(number): b"%d" % number for number in range(220)}
        self.tree = self.store.directory(dict(files, large=b"y" * LARGE))
        inputs = [link("big", "big", self.big), copy("tree", "tree", self.tree)]
        script = "cat big big > out; mkdir -p made; cp tree/00* made; echo new > made/new; chmod +x made/new; echo hi"
        self.task = shell("a@1", script, inputs=inputs, outputs=[output("out", "out"), output("made", "made", "directory")])

    def go(self, store, *tasks, **more):
        self.lay_out(self.job(*tasks or [self.task]), store=store, **more)
        environment = {"PATH": os.environ["PATH"]}
        if more:
            environment["WF_SECRETS_PAD"] = secrets.hide(more["secrets"], self.submission.folder + "/secrets")
        self.code = self.travel(**environment)
        self.bring_back()
        self.assertEqual(self.collect(), [{"state": "collected", "says": None, "unrecorded": []}], self.said)
        return self.record("a@1")

    def assert_all_is_there(self, record):
        self.assertEqual(record["failure"], None, self.said)
        self.assertEqual(self.store.read(record["outputs"]["out"]["hash"]), b"x" * LARGE * 2)
        made = json.loads(self.store.read(record["outputs"]["made"]["hash"]).decode())
        self.assertEqual(len(made["entries"]), 11)
        new = self.store.path(made["entries"][-1]["hash"])
        self.assertTrue(os.stat(new).st_mode & 0o100)

    def returned(self):
        with tarfile.open(self.out + "/returned.tar") as tar:
            return sorted({name.split("/")[0] for name in tar.getnames()})


@unittest.skipUnless(os.path.exists(SSHD), "there is no sshd")
class OverSsh(CopyCase):
    def setUp(self):
        super().setUp()
        self.server = SshServer(self.root + "/ssh")
        self.addCleanup(self.server.close)

    def described(self, **more):
        described = {"url": self.server.url(self.root + "/hidden"), "command": [sys.executable, "-I", "-S", ROOT]}
        described.update(identity=self.server.folder + "/key", knownHosts=self.server.folder + "/known_hosts")
        return dict(described, **more)

    def test_there_and_back(self):
        self.assert_all_is_there(self.go(self.described()))
        self.assertEqual(set(self.sent(0)), {"0.json", "key", "known_hosts"})
        self.assertEqual(self.returned(), ["attempts", "records"])
        self.assertFalse([name for name in os.listdir(self.storage) if name.startswith(".arriving")])

    def test_an_object_that_the_store_does_not_have(self):
        os.unlink(self.store.path(self.big["hash"]))
        record = self.go(self.described())
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn(self.big["hash"], record["failure"]["message"])

    def test_a_damaged_object_is_replaced_by_who_makes_it_again(self):
        made = self.store.put(b"x" * LARGE * 2)
        for damage in (b"y" * LARGE * 2, b""):
            os.chmod(self.store.path(made), 0o644)
            with open(self.store.path(made), "wb") as file:
                file.write(damage)
            self.assert_all_is_there(self.go(self.described()))
            os.unlink(self.storage + "/runs/r1/records/a@1.json")

    def test_a_damaged_object_is_not_fetched_and_leaves_the_store(self):
        os.chmod(self.store.path(self.big["hash"]), 0o644)
        with open(self.store.path(self.big["hash"]), "r+b") as file:
            file.write(b"y")
        record = self.go(self.described())
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn(self.big["hash"], record["failure"]["message"])
        self.assertEqual(os.listdir(self.storage + "/quarantine"), [self.big["hash"]])
        self.assertFalse(os.path.exists(self.store.path(self.big["hash"])))

    def test_a_host_key_that_is_not_known(self):
        open(self.server.folder + "/known_hosts", "w").close()
        record = self.go(self.described())
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn("Host key verification failed", record["failure"]["message"])


class OverHttp(CopyCase):
    def setUp(self):
        super().setUp()
        self.server = HttpServer(self.root + "/hidden", TOKEN, WRITE_TOKEN)
        self.addCleanup(self.server.close)
        self.url = self.server.url

    def go(self, *tasks):
        described = {"url": self.url, "readSecret": "store:read", "writeSecret": "store:write"}
        return super().go(described, *tasks, secrets={"store:read": TOKEN, "store:write": WRITE_TOKEN})

    def make_only(self, script):
        self.task["inputs"] = []
        self.task["argv"][-1] = script
        self.task["outputs"] = [output("out", "out")]

    def test_there_and_back(self):
        self.assert_all_is_there(self.go())
        self.assertEqual(self.returned(), ["attempts", "records"])
        self.assertEqual(self.server.asked.count("GET"), 223)

    def test_what_is_there_is_not_sent_again(self):
        self.store.put(b"x" * LARGE * 2)
        self.assert_all_is_there(self.go())
        self.assertEqual(self.server.asked.count("PUT"), 2)

    def test_trouble_that_passes(self):
        self.server.troubles = [503, "cut"]
        self.assert_all_is_there(self.go())

    def test_a_store_that_refuses(self):
        self.server.token = "another"
        record = self.go()
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn("401", record["failure"]["message"])

    def test_what_it_does_not_take_returns_with_the_record(self):
        self.make_only("echo out > out")
        self.server.write_token = "another"
        record = self.go()
        self.assertEqual(self.store.read(record["outputs"]["out"]["hash"]), b"out\n")
        self.assertEqual(self.returned(), ["objects", "records"])

    def test_what_another_task_delivers_meanwhile(self):
        self.make_only("echo out > out")
        self.server.troubles = [404]  # it was not there when it was looked for
        self.store.put(b"out\n")
        record = self.go()
        self.assertEqual(record["failure"], None, self.said)
        self.assertEqual(self.server.asked, ["HEAD", "PUT", "HEAD"])
        self.assertEqual(self.returned(), ["records"])

    def test_a_token_follows_no_redirect(self):
        elsewhere = HttpServer(self.root + "/hidden", TOKEN)
        self.addCleanup(elsewhere.close)
        self.server.redirects_to = elsewhere.url[: -len("/store")]
        record = self.go()
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn("307", record["failure"]["message"])
        self.assertEqual((elsewhere.asked, self.server.asked.count("PUT")), ([], 0))

    def test_a_token_does_not_go_over_plain_http(self):
        self.url = self.url.replace("127.0.0.1", "127.0.0.2")  # as far as anybody can tell, another machine
        record = self.go()
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn("a token goes over https alone", record["failure"]["message"])

    def test_what_it_spoils_does_not_count(self):
        self.server.spoils = True
        record = self.go()
        self.assertEqual(record["failure"]["class"], "output-missing")
        self.assertTrue(os.listdir(self.storage + "/quarantine"))


if __name__ == "__main__":
    unittest.main()
