"""What becomes of the files that a task writes."""

import json
import os
import shutil
import tempfile
import unittest

from .harness import Launcher, LauncherCase, link, output, python_task, shell, touch


class Outputs(LauncherCase):
    def collect(self, script, *outputs, **more):
        record = self.run_shell(script, outputs=list(outputs), **more)
        self.assert_succeeded(record)
        return record

    def test_a_file_is_moved_into_the_store(self):
        record = self.collect("printf hello > out/a.txt", output("a", "out/a.txt"))
        value = record["outputs"]["a"]
        self.assertEqual((value["kind"], value["size"], value["name"]), ("file", 5, "a.txt"))
        self.assertEqual(self.launcher.object(value["hash"]), b"hello")
        self.assertEqual(os.stat(self.launcher.object_path(value["hash"])).st_mode & 0o777, 0o444)
        self.assertEqual(record["stagedOut"]["files"], 1)
        self.assertEqual(record["stagedOut"]["bytes"], 5)
        self.assertFalse(os.path.exists(self.launcher.attempt_path(record["attempt"])))

    def test_an_executable_stays_one(self):
        record = self.collect("printf '#!/bin/sh' > run; chmod +x run", output("run", "run"))
        mode = os.stat(self.launcher.object_path(record["outputs"]["run"]["hash"])).st_mode
        self.assertEqual(mode & 0o777, 0o555)

    def test_equal_content_is_one_object(self):
        first = self.collect("printf same > a; printf same > b", output("a", "a"), output("b", "b"))
        hashes = {value["hash"] for value in first["outputs"].values()}
        self.assertEqual(len(hashes), 1)
        found = os.stat(self.launcher.object_path(hashes.pop())).st_ino
        second = self.collect("printf same > a", output("a", "a"))
        self.assertEqual(os.stat(self.launcher.object_path(second["outputs"]["a"]["hash"])).st_ino, found)

    def test_a_storage_that_is_reached_through_a_link(self):
        place = tempfile.mkdtemp(prefix="wf-launcher-")
        self.addCleanup(shutil.rmtree, place)
        os.mkdir(place + "/real")
        os.symlink("real", place + "/linked")
        launcher = Launcher(storage=place + "/linked")
        self.addCleanup(launcher.close)
        value = launcher.file_value(b"x")
        record = launcher.run_task(
            shell(
                "a",
                "echo 1 > real; ln -s real o; ln -s in/x i; mkdir -p d; cp -P in/x d/x",
                inputs=[link("x", "in/x", value)],
                outputs=[output("o", "o"), output("i", "i"), output("d", "d", "directory")],
            )
        )
        self.assert_succeeded(record)
        self.assertEqual(record["outputs"]["i"]["hash"], value["hash"])

    def test_a_large_file_is_hashed_aside(self):
        record = self.collect("head -c 9000000 /dev/zero > big", output("big", "big"))
        self.assertEqual(record["outputs"]["big"]["size"], 9000000)
        self.assertEqual(len(self.launcher.object(record["outputs"]["big"]["hash"])), 9000000)

    def test_a_json_value_is_stored_as_canonical_text(self):
        record = self.collect("""printf '{"b": 1.0,\\n "a": "\\303\\274"}' > o.json""", output("o", "o.json", "json"))
        value = record["outputs"]["o"]
        self.assertEqual(value["value"], {"b": 1.0, "a": "ü"})
        self.assertEqual(self.launcher.object(value["hash"]), '{"a":"ü","b":1}'.encode())
        self.assertEqual(value["size"], len('{"a":"ü","b":1}'.encode()))

    def test_a_directory(self):
        script = "cd out/d; printf 1 > z; mkdir s empty; printf 22 > s/a; printf x > run; chmod +x run; ln -s ../z s/l"
        record = self.collect(script, output("d", "out/d", "directory"))
        value = record["outputs"]["d"]
        self.assertEqual((value["kind"], value["size"], value["files"]), ("directory", 5, 4))
        manifest = self.launcher.manifest(value)
        self.assertEqual([entry["path"] for entry in manifest["entries"]], ["run", "s/a", "s/l", "z"])
        self.assertEqual(manifest["entries"][0]["executable"], True)
        self.assertNotIn("executable", manifest["entries"][1])
        self.assertEqual(self.launcher.object(manifest["entries"][2]["hash"]), b"1")
        self.assertEqual(set(manifest["entries"][3]), {"path", "hash", "size"})

    def test_an_empty_directory(self):
        record = self.collect("true", output("d", "out/d", "directory"))
        self.assertEqual(record["outputs"]["d"]["files"], 0)
        self.assertEqual(self.launcher.object(record["outputs"]["d"]["hash"]), b'{"entries":[],"kind":"directory"}')

    def test_paths_are_sorted_as_javascript_sorts_them(self):
        names = "\uffee 😀 a ä".split()
        script = "import os\nfor name in {!r}: open('d/' + name, 'w').close()".format(names)
        record = self.launcher.run_task(python_task(self.new(), script, outputs=[output("d", "d", "directory")]))
        self.assert_succeeded(record)
        entries = self.launcher.manifest(record["outputs"]["d"])["entries"]
        self.assertEqual([entry["path"] for entry in entries], ["a", "ä", "😀", "\uffee"])

    def test_a_directory_staged_again_is_the_same(self):
        first = self.collect("mkdir -p d/s; echo 1 > d/s/a; echo 2 > d/b", output("d", "d", "directory"))
        value = first["outputs"]["d"]
        for copying in ("cp -rL in/d/. e", "cp -r in/d/. e"):
            again = self.collect(copying, output("e", "e", "directory"), inputs=[link("d", "in/d", value)])
            self.assertEqual(again["outputs"]["e"]["hash"], value["hash"], copying)

    def test_a_link_to_a_folder_of_the_output_shows_what_is_in_it(self):
        script = "mkdir -p d/real/sub d/a; echo 1 > d/real/f; ln -s f d/real/g; ln -s ../real d/a/x; ln -s real d/latest"
        value = self.collect(script, output("d", "d", "directory"))["outputs"]["d"]
        manifest = self.launcher.manifest(value)
        paths = ["a/x/f", "a/x/g", "latest/f", "latest/g", "real/f", "real/g"]
        self.assertEqual([entry["path"] for entry in manifest["entries"]], paths)
        self.assertEqual(len({entry["hash"] for entry in manifest["entries"]}), 1)
        self.assertEqual(manifest["folders"], ["a/x/sub", "latest/sub", "real/sub"])
        self.assertEqual((value["files"], value["size"]), (6, 12))

    def test_folders_that_hold_nothing_are_kept(self):
        script = "mkdir -p d/s/t d/u d/v; touch d/v/f"
        first = self.collect(script, output("d", "d", "directory"))
        value = first["outputs"]["d"]
        self.assertEqual(self.launcher.manifest(value)["folders"], ["s/t", "u"])
        self.assertEqual(value["files"], 1)
        again = self.collect("cp -r in/d/. e", output("e", "e", "directory"), inputs=[link("d", "in/d", value)])
        self.assertEqual(again["outputs"]["e"]["hash"], value["hash"])

    def test_an_optional_output(self):
        record = self.collect("true", output("o", "out/o", optional=True))
        self.assertEqual(record["outputs"]["o"], {"kind": "absent"})

    def test_a_hard_link_is_copied_so_that_the_store_shares_nothing(self):
        outside = os.path.join(self.launcher.storage, "outside")
        with open(outside, "w") as file:
            file.write("shared?")
        record = self.collect("ln {} out/x".format(outside), output("x", "out/x"))
        path = self.launcher.object_path(record["outputs"]["x"]["hash"])
        self.assertNotEqual(os.stat(path).st_ino, os.stat(outside).st_ino)
        self.assertNotEqual(os.stat(outside).st_mode & 0o777, 0o444)

    def test_a_copy_of_a_file_with_holes_keeps_them(self):
        script = "truncate -s 64M big; printf x >> big; ln big twin"
        value = self.collect(script, output("big", "big"))["outputs"]["big"]
        found = os.stat(self.launcher.object_path(value["hash"]))
        self.assertEqual((found.st_size, found.st_nlink), ((64 << 20) + 1, 1))
        self.assertLess(found.st_blocks * 512, 1 << 20)

    def test_a_kept_sandbox_and_streams(self):
        record = self.collect("echo out; echo err >&2; echo x > x", output("x", "x"), keepSandbox="always")
        self.assertEqual(self.launcher.read(record["attempt"], "stdout"), b"out\n")
        self.assertEqual(self.launcher.read(record["attempt"], "stderr"), b"err\n")
        self.assertEqual(self.launcher.read(record["attempt"], "sandbox", "x"), b"x\n")

    def test_undeclared_files_are_named(self):
        script = "echo 1 > extra; mkdir -p logs; printf 12345 > 'logs/a b'; touch tmp/fine in/fine; ln -s / root"
        value = self.launcher.file_value(b"x")
        record = self.collect(script + "; echo 1 > o", output("o", "o"), inputs=[link("x", "in/x", value)])
        self.assertEqual([found["path"] for found in record["undeclared"]], ["extra", "logs/a b", "root"])
        self.assertEqual(record["undeclared"][1]["size"], 5)

    def test_at_most_a_hundred_undeclared_files_are_named(self):
        record = self.collect("i=0; while [ $i -lt 150 ]; do : > f$i; i=$((i+1)); done")
        self.assertEqual(len(record["undeclared"]), 100)


class WrongOutputs(LauncherCase):
    def refuse(self, script, declared, failure_class="output-invalid", *words):
        record = self.run_shell(script, outputs=[declared])
        self.assert_failed(record, failure_class, declared["name"], *words, name=declared["name"])
        self.assertEqual(record["outputs"], {})
        self.assertEqual(record["exitCode"], 0)
        return record

    def test_a_missing_file(self):
        self.refuse("true", output("model", "out/model.pt"), "output-missing", "out/model.pt")

    def test_nothing_is_published_unless_all_is_good(self):
        record = self.run_shell(
            "printf 'only here 4711' > out/a", outputs=[output("a", "out/a"), output("b", "out/b")]
        )
        self.assert_failed(record, "output-missing", name="b")
        stored = [name for _, _, names in os.walk(self.launcher.storage + "/objects") for name in names]
        self.assertFalse([name for name in stored if self.launcher.object(name) == b"only here 4711"])
        self.assertTrue(os.path.exists(self.launcher.attempt_path(record["attempt"], "sandbox/out/a")))

    def test_not_a_regular_file(self):
        self.refuse("mkdir out/x", output("x", "out/x"), "output-invalid", "not a regular file")
        self.refuse("mkfifo out/x", output("x", "out/x"), "output-invalid", "not a regular file")
        self.refuse("ln -s nowhere out/x", output("x", "out/x"), "output-invalid", "link to nothing")
        self.refuse("rmdir out/x; touch out/x", output("x", "out/x", "directory"), "output-invalid", "not a folder")
        self.refuse("mkfifo out/x/f", output("x", "out/x", "directory"), "output-invalid", "out/x/f")

    def test_json(self):
        declared = output("x", "out/x.json", "json")
        for text in ("{", "[NaN]", "-Infinity", "1e999", "", "{'a':1}"):
            self.refuse("printf '%s' \"{}\" > out/x.json".format(text), declared, "output-invalid", "not valid JSON")
        self.refuse("head -c 2000000 /dev/zero | tr '\\0' 1 > out/x.json", declared, "output-invalid", "1048576 bytes")
        for depth in (257, 450, 600, 900, 5000):
            nested = "printf '%*s' {0} | tr ' ' '[' > out/x.json; printf '%*s' {0} | tr ' ' ']' >> out/x.json".format(depth)
            self.refuse(nested, declared, "output-invalid", "not valid JSON: it is nested more than 256 deep")
        deep = "import sys; open('out/x.json', 'w').write('[' * 200000 + ']' * 200000)"
        record = self.launcher.run_task(python_task(self.new(), deep, outputs=[declared]))
        self.assert_failed(record, "output-invalid", name="x")

    def test_folders_that_are_too_deep(self):
        script = "for n in $(seq 300); do mkdir d && cd d || exit 1; done; touch f"
        self.refuse("cd out && " + script, output("out", "out", "directory"), "output-invalid", "256 deep")

    def test_links_that_lead_out(self):
        outside = os.path.join(self.launcher.storage, "secret")
        os.makedirs(outside, exist_ok=True)
        with open(outside + "/x", "w") as file:
            file.write("secret")
        self.refuse("ln -s {}/x out/x".format(outside), output("x", "out/x"), "output-invalid", "leads out")
        self.refuse("rmdir out; ln -s {} out".format(outside), output("x", "out/x"), "output-invalid", "leads out")
        moved = "cd ..; mv sandbox aside; ln -s {} sandbox".format(outside)
        self.refuse(moved, output("x", "x"), "output-invalid", "leads out")
        folder = output("d", "out/d", "directory")
        self.refuse("ln -s {}/x out/d/x".format(outside), folder, "output-invalid", "out/d/x")
        self.refuse("ln -s ../../../../stdout out/d/x", folder, "output-invalid", "out/d/x")
        self.refuse("touch other; ln -s ../../other out/d/x", folder, "output-invalid", "out/d/x")
        self.refuse("ln -s {} out/d/x".format(outside), folder, "output-invalid", "out/d/x")
        self.refuse("rmdir out/d; ln -s {} out/d".format(outside), folder, "output-invalid", "leads out")

    def test_links_to_a_neighbour_whose_name_begins_as_the_boundary_does(self):
        beside = "mkdir ../sandboxes; echo secret > ../sandboxes/x"
        file, folder = output("x", "out/x"), output("d", "out/d", "directory")
        self.refuse(beside + "; ln -s ../../sandboxes/x out/x", file, "output-invalid", "leads out")
        self.refuse(beside + "; rmdir out/d; ln -s ../../sandboxes out/d", folder, "output-invalid", "leads out")
        self.refuse("mkdir out/dd; echo 1 > out/dd/x; ln -s ../dd/x out/d/x", folder, "output-invalid", "out/d/x")

    def test_links_to_folders_that_lead_out_or_back(self):
        declared = output("d", "out/d", "directory")
        self.refuse("ln -s . out/d/x", declared, "output-invalid", "out/d/x is a link to a folder that it lies in")
        back = "mkdir -p out/d/a/b; ln -s ../../a out/d/a/b/x"
        self.refuse(back, declared, "output-invalid", "out/d/a/b/x is a link to a folder that it lies in")
        self.refuse("mkdir other; ln -s ../../other out/d/x", declared, "output-invalid", "out/d/x leads out of it")
        self.refuse("mkdir out/dd; ln -s ../dd out/d/x", declared, "output-invalid", "out/d/x leads out of it")
        self.refuse("ln -s / out/d/x", declared, "output-invalid", "out/d/x leads out of it")

    def test_a_path_that_leaves_the_sandbox_is_refused_before_the_task_starts(self):
        for path in ("../x", "/tmp/x", "a/../../x"):
            record = self.run_shell("touch ran", outputs=[output("x", path)])
            self.assert_failed(record, "output-invalid", "leaves the sandbox", name="x")
            self.assertIsNone(record["pid"])

    def test_a_name_that_is_not_utf8(self):
        self.refuse("touch \"$(printf 'd/\\377')\"", output("d", "d", "directory"), "output-invalid", "UTF-8")
        declared = output("d", "d", "dataset", columns={"f": "file"})
        self.refuse("touch \"$(printf 'd/f/\\377')\"", declared, "output-invalid", "UTF-8")

    def test_a_failed_task_publishes_nothing(self):
        record = self.run_shell("echo 1 > out/x; exit 3", outputs=[output("x", "out/x")])
        self.assert_failed(record, "exit", "3")
        self.assertEqual((record["outputs"], record["exitCode"]), ({}, 3))


class Datasets(LauncherCase):
    pair = {"image": "file", "mask": "file"}
    labelled = {"image": "file", "label": "value"}

    def collect(self, script, columns):
        return self.run_shell("cd out/d; " + script, outputs=[output("d", "out/d", "dataset", columns=columns)])

    def rows(self, script, columns):
        record = self.collect(script, columns)
        self.assert_succeeded(record)
        manifest = self.launcher.manifest(record["outputs"]["d"])
        self.assertEqual(manifest["columns"], columns)
        self.assertEqual(record["outputs"]["d"]["rows"], len(manifest["rows"]))
        return manifest["rows"], record["outputs"]["d"]

    def refuse(self, script, columns, *words):
        self.assert_failed(self.collect(script, columns), "output-invalid", *words, name="d")

    def test_rows_by_stem(self):
        script = "for n in 2 10 a; do printf $n > image/$n.png; printf m$n > mask/$n.gif; done; touch image/.hidden"
        rows, value = self.rows(script, self.pair)
        self.assertEqual([row["image"]["name"] for row in rows], ["10.png", "2.png", "a.png"])
        self.assertEqual([row["mask"]["name"] for row in rows], ["10.gif", "2.gif", "a.gif"])
        self.assertEqual((value["files"], value["size"]), (6, 2 + 1 + 1 + 3 + 2 + 2))
        self.assertEqual(self.launcher.object(rows[0]["mask"]["hash"]), b"m10")

    def test_rows_by_file(self):
        script = "touch image/b.png image/a.png; ln -s b.png image/c.png; printf '%s\\n' {} > rows.jsonl".format(
            """'{"image":"image/b.png","label":1}' '' '{"label":[null],"image":"image/a.png"}' """
            """'{"image":"image/c.png","label":"x"}' '{"image":"image/a.png","label":2}'"""
        )
        rows, value = self.rows(script, self.labelled)
        self.assertEqual([row["image"]["name"] for row in rows], ["b.png", "a.png", "c.png", "a.png"])
        self.assertEqual([row["label"] for row in rows], [1, [None], "x", 2])
        self.assertEqual(value["files"], 4)

    def test_no_rows(self):
        self.assertEqual(self.rows("true", self.pair)[0], [])

    def test_what_is_not_aligned(self):
        self.refuse("touch image/1.png", self.pair, "image/1.png", "no partner", "mask")
        self.refuse("touch image/1.png image/1.jpg mask/1.gif", self.pair, "image/1.jpg", "image/1.png", "same stem")
        self.refuse("rmdir mask", self.pair, "mask", "missing")
        self.refuse("mkdir extra", self.pair, "extra")
        self.refuse("touch notes.txt", self.pair, "notes.txt")
        self.refuse("mkdir image/1 mask/1", self.pair, "image/1")
        self.refuse("touch image/1.png", self.labelled, "label", "rows.jsonl")

    def test_wrong_rows(self):
        def rows(*lines):
            return "touch image/1.png; printf '%s\\n' {} > rows.jsonl".format(" ".join("'%s'" % line for line in lines))

        one = json.dumps({"image": "image/1.png", "label": 1})
        self.refuse(rows(one, "{"), self.labelled, "rows.jsonl:2", "not valid JSON")
        self.refuse(rows("[1]"), self.labelled, "rows.jsonl:1", "columns")
        self.refuse(rows('{"image":"image/1.png"}'), self.labelled, "rows.jsonl:1", "image, label")
        self.refuse(rows('{"image":"image/1.png","label":1,"more":2}'), self.labelled, "rows.jsonl:1")
        self.refuse(rows('{"image":"image/2.png","label":1}'), self.labelled, "image/2.png does not exist")
        self.refuse(rows('{"image":7,"label":1}'), self.labelled, "no path")
        self.refuse(rows('{"image":"../../tmp","label":1}'), self.labelled, "no path")
        self.refuse(rows('{"image":"/etc/passwd","label":1}'), self.labelled, "no path")
        self.refuse(rows('{"image":"image/1.png","label":NaN}'), self.labelled, "not valid JSON")
        self.refuse(rows(one) + "; touch image/2.png", self.labelled, "image/2.png", "no row")

    def test_rows_that_lead_out_through_a_link(self):
        """To no file of the machine: what a check lets through by mistake is moved away."""
        outside = self.launcher.storage + "/outside"
        os.mkdir(outside)
        touch(outside + "/1.png")
        script = "ln -s {} image/sub; printf '{{\"image\":\"image/sub/1.png\",\"label\":1}}' > rows.jsonl"
        self.refuse(script.format(outside), self.labelled, "image/sub/1.png", "leads out")
        script = "ln -s {}/1.png image/1.png; touch mask/1.gif".format(outside)
        self.refuse(script, self.pair, "image/1.png", "leads out")
        self.refuse("rmdir image; ln -s {} image".format(outside), self.pair, "leads out")
        self.assertEqual(os.listdir(outside), ["1.png"])


if __name__ == "__main__":
    unittest.main()
