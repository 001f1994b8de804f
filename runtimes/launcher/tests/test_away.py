"""Jobs on a machine that does not see the storage: what is sent, what runs there, what returns."""

import json
import os
import stat
import subprocess
import tarfile
import unittest

from wf_launcher import secrets
from wf_launcher.login.look import look

from .away import LARGE, AwayCase
from .harness import copy, link, output, shell
from .test_disk_full import REASON, can_mount

ODD = "ünï '\"\n肺@1"


class Sends(AwayCase):
    def test_objects_as_they_lie_and_many_small_ones_as_one_pack(self):
        big = self.store.file(b"x" * LARGE)
        tree = self.store.directory({"{}.txt".format(number): b"%d" % number for number in range(50)})
        few = self.store.directory({"a": b"a", "b/c": b"c"})
        task = shell("a@1", "true", inputs=[link("big", "big", big), link("tree", "tree", tree), link("few", "few", few)])
        self.lay_out(self.job(task), self.job(shell("b@1", "true", inputs=[copy("tree", "tree", tree)])))
        sent = self.sent(0)
        packs = [name for name in sent if name.endswith(".pack")]
        self.assertEqual(set(sent), set(packs) | {"0.json", big["hash"], few["hash"], self.store.put(b"a"), self.store.put(b"c")})
        self.assertTrue(os.path.samefile(sent[big["hash"]], self.store.path(big["hash"])))
        with tarfile.open(sent[packs[0]]) as tar:
            self.assertEqual(set(tar.getnames()), {tree["hash"]} | {self.store.put(b"%d" % number) for number in range(50)})
        self.assertEqual(set(self.sent(1)), {"1.json", packs[0]}, "one pack for all who need it")

    def test_many_values_that_are_small(self):
        inputs = [link(str(number), str(number), self.store.file(b"%d" % number)) for number in range(100)]
        self.lay_out(self.job(shell("a@1", "true", inputs=inputs)))
        self.assertEqual(len(self.sent(0)), 2)

    def test_what_the_store_does_not_have_is_not_sent(self):
        missing = {"kind": "file", "hash": "0" * 64, "size": 1, "name": "x"}
        [record] = self.run_away(shell("a@1", "true", inputs=[link("data", "data", missing)]))
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn("0" * 64, record["failure"]["message"])


class ComesBack(AwayCase):
    def assert_succeeded(self, record):
        self.assertEqual((record["state"], record["failure"]), ("succeeded", None))

    def test_outputs_of_all_kinds(self):
        big = self.store.file(b"x" * LARGE)
        rows = self.store.dataset([("{}.png".format(number), b"%d" % number) for number in range(30)])
        script = "cat big/f > out; cat big/f >> out; mkdir -p tree/d; cp data/image/7.png tree/d; echo '#!' > tree/x; chmod +x tree/x; echo hi; cat small"
        inputs = [link("big", "big/f", big), copy("data", "data", rows), link("small", "small", self.store.file(b"s"))]
        outputs = [output("out", "out"), output("tree", "tree", "directory"), output("same", "small")]
        [record] = self.run_away(shell("a@1", script, inputs=inputs, outputs=outputs))
        self.assert_succeeded(record)
        self.assertEqual(self.code, 0)
        self.assertEqual(self.store.read(record["outputs"]["out"]["hash"]), b"x" * LARGE * 2)
        tree = json.loads(self.store.read(record["outputs"]["tree"]["hash"]).decode())
        self.assertEqual([entry["path"] for entry in tree["entries"]], ["d/7.png", "x"])
        self.assertTrue(os.stat(self.store.path(tree["entries"][1]["hash"])).st_mode & stat.S_IXUSR)
        self.assertEqual(record["outputs"]["same"]["hash"], self.store.put(b"s"))
        with open(self.attempt_path("a@1", "stdout")) as file:
            self.assertEqual(file.read(), "hi\ns")
        self.assertFalse(os.path.exists(self.submission.folder + "/returned/0"))

    def test_only_what_was_made_returns(self):
        data = self.store.file(b"i" * LARGE)
        self.run_away(shell("a@1", "echo o > out", inputs=[link("data", "data", data)], outputs=[output("out", "out")]))
        self.assertEqual(os.listdir(self.out), ["returned.tar"])
        with tarfile.open(self.out + "/returned.tar") as tar:
            self.assertEqual(len([name for name in tar.getnames() if name.startswith("objects/")]), 1)

    def test_tasks_of_one_job_and_odd_names(self):
        first = shell(ODD, "echo 'né\n' > \"$(printf 'a \\nb')\"; printf x >&2", outputs=[output("one", "a \nb")])
        records = self.run_away(first, shell("b@1", "exit 3", after=[ODD]), shell("c@1", "true", after=["b@1"]))
        self.assertEqual([record["state"] for record in records], ["succeeded", "failed", "failed"])
        self.assertEqual(self.code, 1)
        self.assertEqual(records[2]["failure"]["class"], "not-reached")
        with open(self.attempt_path(ODD, "stderr")) as file:
            self.assertEqual(file.read(), "x")

    def test_a_missing_output_is_a_failure_of_the_task(self):
        [record] = self.run_away(shell("a@1", "true", outputs=[output("model", "model.pt")]))
        self.assertEqual((record["failure"]["class"], record["failure"]["name"]), ("output-missing", "model"))
        self.assertEqual(self.code, 1)

    def test_a_kept_sandbox_names_the_storage(self):
        data = self.store.file(b"data")
        self.run_away(shell("a@1", "ln -s /nowhere away; ln -s gone dangling; mkfifo pipe; exit 1", inputs=[link("data", "in/data", data)]))
        sandbox = self.attempt_path("a@1", "sandbox")
        self.assertEqual(os.readlink(sandbox + "/in/data"), self.store.path(data["hash"]))
        self.assertEqual(os.readlink(sandbox + "/dangling"), "gone")
        self.assertFalse(os.path.lexists(sandbox + "/away"))
        self.assertIn("away stays behind", self.said)
        self.assertFalse(os.path.lexists(sandbox + "/pipe"))
        with open(self.attempt_path("a@1", "command.json")) as file:
            environment = json.load(file)["env"]
        self.assertEqual(environment["TMPDIR"], sandbox + "/tmp")

    def test_large_copies_of_inputs_do_not_return(self):
        data = self.store.file(b"d" * LARGE)
        self.run_away(shell("a@1", "cat data > mine; echo x >> mine; exit 1", inputs=[copy("data", "data", data)]))
        self.assertEqual(os.readlink(self.attempt_path("a@1", "sandbox/data")), self.store.path(data["hash"]))
        self.assertEqual(os.stat(self.attempt_path("a@1", "sandbox/mine")).st_size, LARGE + 2)

    def test_metrics_and_pictures(self):
        script = 'echo png > p.png; echo \'{"step":1,"loss":0.5}\' > $WF_METRICS; echo \'{"picture":"p.png","name":"p"}\' >> $WF_METRICS'
        [record] = self.run_away(shell("a@1", script))
        self.assert_succeeded(record)
        self.assertTrue(record["metrics"])

    def test_a_checkpoint_goes_there_and_returns(self):
        begun = self.store.file(b"1", "state")
        task = shell("a@1", "printf 2 >> state; exit 1", outputs=[output("state", "state")])
        task["checkpoint"] = {"output": "state", "from": begun}
        [record] = self.run_away(task)
        self.assertEqual(self.store.read(record["checkpoint"]["hash"]), b"12")

    def test_a_world_without_path_and_home(self):
        [record] = self.run_away(shell("a@1", 'echo "$PATH"; cd "$HOME"; ls >/dev/null'))
        self.assert_succeeded(record)
        with open(self.attempt_path("a@1", "stdout")) as file:
            self.assertIn("/usr/bin", file.read())

    def test_gpus_that_have_names(self):
        tasks = [shell(name, "echo $CUDA_VISIBLE_DEVICES", gpus=1) for name in ("a@1", "b@1")]
        self.lay_out(self.job(*tasks, gpus=2))
        self.assertEqual(self.travel(CUDA_VISIBLE_DEVICES="GPU-a0,GPU-b1"), 0)
        self.bring_back()
        self.collect()
        printed = []
        for spec in tasks:
            with open(self.attempt_path(spec["attempt"], "stdout")) as file:
                printed.append(file.read().strip())
        self.assertEqual(sorted(printed), ["GPU-a0", "GPU-b1"])

    def test_secrets(self):
        task = shell("a@1", 'test "${TOKEN#a h}" = orse', secrets=["TOKEN"])
        self.lay_out(self.job(task), secrets={"TOKEN": "a horse"})
        pad = secrets.hide({"TOKEN": "a horse"}, self.submission.folder + "/secrets")
        self.assertEqual(self.travel(WF_SECRETS_PAD=pad), 0, self.said)

    def test_told_to_end(self):
        """As HTCondor tells a job that has to leave: what it had is packed nevertheless."""
        script = "trap 'exit 1' TERM; echo begun; kill -TERM $PPID; while :; do sleep 0.02; done"
        [record] = self.run_away(shell("a@1", script))
        self.assertEqual(record["failure"]["class"], "interrupted")
        with open(self.attempt_path("a@1", "stdout")) as file:
            self.assertEqual(file.read(), "begun\n")


@unittest.skipUnless(can_mount(), REASON)
class FullDisk(AwayCase):
    def make_scratch(self, path):
        super().make_scratch(path)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", path], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", path], check=True)

    def test_outputs_that_cannot_be_packed(self):
        script = "for n in 1 2 3 4 5 6; do head -c 900000 /dev/urandom > d/$n; done"
        [bad] = self.run_away(shell("a@1", script, outputs=[output("d", "d", "directory")]))
        self.assertEqual(bad["failure"]["class"], "disk-full")
        self.assertEqual(bad["outputs"], {})
        self.assertIn("cannot be packed", bad["failure"]["message"])


class Damage(AwayCase):
    def test_an_input_that_is_not_what_its_name_says(self):
        data = self.store.file(b"data")

        def spoil(scratch):
            os.chmod(scratch + "/" + data["hash"], 0o644)
            with open(scratch + "/" + data["hash"], "wb") as file:
                file.write(b"date")

        [record] = self.run_away(shell("a@1", "true", inputs=[link("data", "data", data)]), spoil=spoil)
        self.assertEqual(record["failure"]["class"], "stage-in")
        self.assertIn("damaged", self.said)
        self.assertTrue(os.path.exists(self.store.path(data["hash"])))

    def test_an_input_that_is_damaged_in_the_store_leaves_it(self):
        sound, bad = self.store.file(b"sound"), self.store.file(b"data")
        tree = self.store.directory({"bad": b"file"})
        for content_hash in (bad["hash"], self.store.file(b"file")["hash"]):
            os.chmod(self.store.path(content_hash), 0o644)
            with open(self.store.path(content_hash), "r+b") as file:
                file.write(b"x")
        inputs = [link("sound", "sound", sound), link("data", "data", bad), link("tree", "tree", tree)]
        [record] = self.run_away(shell("a@1", "true", inputs=inputs))
        self.assertEqual(record["failure"]["class"], "stage-in")
        aside = sorted([bad["hash"], self.store.put(b"file")])
        self.assertEqual(sorted(os.listdir(self.storage + "/quarantine")), aside)
        self.assertEqual(self.store.read(sound["hash"]), b"sound")

    def test_a_pack_that_was_cut_off(self):
        tree = self.store.directory({"{}.txt".format(number): b"%d" % number for number in range(50)})

        def spoil(scratch):
            [name] = [name for name in os.listdir(scratch) if name.endswith(".pack")]
            os.truncate(scratch + "/" + name, 20000)

        [record] = self.run_away(shell("a@1", "true", inputs=[link("tree", "tree", tree)]), spoil=spoil)
        self.assertEqual(record["failure"]["class"], "stage-in")

    def returned(self, *tasks):
        self.lay_out(self.job(*tasks))
        self.travel()
        self.bring_back()
        return self.submission.folder + "/returned/0"

    def test_nothing_returned(self):
        self.lay_out(self.job(shell("a@1", "true")))
        self.assertEqual(self.collect(), [{"state": "absent", "says": None, "unrecorded": ["a@1"]}])

    def test_a_launcher_that_was_killed(self):
        returned = self.returned(shell("a@1", "true"))
        os.unlink(returned + "/returned.tar")
        [answer] = self.collect()
        self.assertEqual((answer["state"], answer["unrecorded"]), ("damaged", ["a@1"]))

    def test_cut_off_on_the_way(self):
        returned = self.returned(shell("a@1", "head -c 3000 /dev/zero > out", outputs=[output("out", "out")]))
        os.truncate(returned + "/returned.tar", 2000)
        [answer] = self.collect()
        self.assertEqual((answer["state"], answer["unrecorded"]), ("damaged", ["a@1"]))

    def test_a_large_object_that_is_not_what_its_name_says(self):
        returned = self.returned(shell("a@1", "head -c {} /dev/zero > out".format(LARGE), outputs=[output("out", "out")]))
        [name] = os.listdir(returned + "/objects")
        os.chmod(returned + "/objects/" + name, 0o644)
        with open(returned + "/objects/" + name, "r+b") as file:
            file.write(b"1")
        [answer] = self.collect()
        self.assertEqual((answer["state"], answer["unrecorded"]), ("damaged", ["a@1"]))
        self.assertFalse(os.path.exists(self.store.path(name)))

    def test_a_large_object_that_did_not_return(self):
        returned = self.returned(shell("a@1", "head -c {} /dev/zero > out".format(LARGE), outputs=[output("out", "out")]))
        [name] = os.listdir(returned + "/objects")
        os.unlink(returned + "/objects/" + name)
        self.assertEqual(self.collect()[0]["state"], "collected")
        self.assertEqual(self.record("a@1")["failure"]["class"], "output-missing")

    def test_names_that_leave_the_folder(self):
        returned = self.returned(shell("a@1", "true"))
        for name, link_name in (("attempts/../../x", None), ("attempts/b@1/x", None), ("attempts/a@1/l/x", "/tmp")):
            with tarfile.open(returned + "/returned.tar", "w") as tar:
                if link_name is not None:
                    info = tarfile.TarInfo("attempts/a@1/l")
                    info.type, info.linkname = tarfile.SYMTYPE, link_name
                    tar.addfile(info)
                tar.addfile(tarfile.TarInfo(name))
            self.assertEqual(self.collect()[0]["state"], "damaged", name)

    def test_collecting_again(self):
        self.returned(shell("a@1", "echo x; echo o > out", outputs=[output("out", "out")]))
        expected = [{"state": "collected", "says": None, "unrecorded": []}]
        self.assertEqual(self.collect(), expected)
        self.assertEqual(self.collect(), expected, "nothing is there any more, and all has its record")
        os.unlink(self.storage + "/runs/r1/records/a@1.json")
        self.bring_back()
        self.assertEqual(self.collect(), expected, "who was killed before the record has left the rest")
        self.assertEqual(self.record("a@1")["state"], "succeeded")

    def test_what_returned_first_while_nobody_listened(self):
        self.returned(shell("a@1", "true"))
        self.assertFalse(os.path.exists(self.storage + "/runs/r1/records"))
        found = look(self.storage, "r1", {"attempts": ["a@1"]})
        self.assertTrue(found["attempts"]["a@1"]["isRecorded"])
        self.assertEqual(self.record("a@1")["state"], "succeeded")

    def test_a_record_that_is_there_stays(self):
        self.returned(shell("a@1", "true"))
        path = self.storage + "/runs/r1/records/a@1.json"
        os.makedirs(os.path.dirname(path))
        with open(path, "w") as file:
            file.write('{"state":"failed"}')
        self.assertEqual(self.collect()[0]["state"], "collected")
        with open(path) as file:
            self.assertEqual(file.read(), '{"state":"failed"}')


if __name__ == "__main__":
    unittest.main()
