"""What a task finds in its sandbox."""

import json
import os
import unittest

from wf_launcher.unique_names import with_unique_names

from .harness import LauncherCase, copy, link, output


def everything(root):
    """Paths of all files below a folder, links followed or not."""
    found = []
    for folder, _, names in os.walk(root):
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return sorted(found)


class Staging(LauncherCase):
    def stage(self, *inputs, **more):
        """The sandbox of a task that only looks; it is kept."""
        record = self.run_shell("true", inputs=list(inputs), keepSandbox="always", **more)
        self.assert_succeeded(record)
        return self.launcher.attempt_path(record["attempt"], "sandbox"), record

    def directory_value(self, files):
        entries = [
            {"path": path, "hash": self.launcher.put(content), "size": len(content)}
            for path, content in sorted(files.items())
        ]
        manifest = json.dumps({"entries": entries, "kind": "directory"}).encode()
        size = sum(entry["size"] for entry in entries)
        return {"kind": "directory", "hash": self.launcher.put(manifest), "size": size, "files": len(entries)}

    def dataset_value(self, columns, rows):
        manifest = json.dumps({"columns": columns, "kind": "dataset", "rows": rows}).encode()
        return {"kind": "dataset", "hash": self.launcher.put(manifest), "size": 1, "files": 1, "rows": len(rows)}

    def ref(self, content, name):
        return {"hash": self.launcher.put(content), "size": len(content), "name": name}

    def test_an_empty_task_has_an_empty_sandbox(self):
        sandbox, record = self.stage()
        self.assertEqual(os.listdir(sandbox), ["tmp"])
        self.assertEqual(record["stagedIn"], {"files": 0, "bytes": 0, "seconds": 0})

    def test_a_link_and_a_copy(self):
        value = self.launcher.file_value(b"content", "x.txt")
        sandbox, record = self.stage(link("a", "in/a.txt", value), copy("b", "in/deep/er/b.txt", value))
        self.assertEqual(os.readlink(sandbox + "/in/a.txt"), self.launcher.object_path(value["hash"]))
        self.assertFalse(os.path.islink(sandbox + "/in/deep/er/b.txt"))
        with open(sandbox + "/in/deep/er/b.txt", "rb") as file:
            self.assertEqual(file.read(), b"content")
        self.assertEqual(record["stagedIn"]["files"], 2)
        self.assertEqual(record["stagedIn"]["bytes"], 14)
        self.assertEqual(everything(sandbox), ["in/a.txt", "in/deep/er/b.txt"])

    def test_a_large_copy_is_made_aside_and_whole(self):
        value = self.launcher.file_value(os.urandom(6 << 20), "big")
        sandbox, _ = self.stage(copy("big", "in/big", value))
        with open(sandbox + "/in/big", "rb") as file:
            self.assertEqual(file.read(), self.launcher.object(value["hash"]))

    def test_a_json_value(self):
        content = b'{"a":1}'
        value = {"kind": "json", "hash": self.launcher.put(content), "size": len(content), "value": {"a": 1}}
        sandbox, _ = self.stage(link("config", "in/config.json", value))
        with open(sandbox + "/in/config.json", "rb") as file:
            self.assertEqual(file.read(), content)

    def test_a_directory(self):
        value = self.directory_value({"a.txt": b"1", "sub/b c.txt": b"2", "sub/deep/ü": b"3"})
        for how in (link, copy):
            sandbox, record = self.stage(how("tree", "in/tree", value))
            self.assertEqual(everything(sandbox + "/in/tree"), ["a.txt", "sub/b c.txt", "sub/deep/ü"])
            self.assertFalse(os.path.islink(sandbox + "/in/tree/sub"))
            self.assertEqual(record["stagedIn"]["files"], 3)

    def test_a_dataset(self):
        value = self.dataset_value(
            {"image": "file", "label": "value", "mask": "file"},
            [
                {"image": self.ref(b"i1", "1.png"), "mask": self.ref(b"m1", "1.gif"), "label": "spiral"},
                {"image": self.ref(b"i2", "2.png"), "mask": self.ref(b"m2", "2.gif"), "label": {"n": 1.5}},
            ],
        )
        sandbox, _ = self.stage(link("data", "in/data", value))
        root = sandbox + "/in/data"
        self.assertEqual(everything(root), ["image/1.png", "image/2.png", "mask/1.gif", "mask/2.gif", "rows.jsonl"])
        with open(root + "/rows.jsonl") as file:
            rows = [json.loads(line) for line in file]
        self.assertEqual(rows[0], {"image": "image/1.png", "label": "spiral", "mask": "mask/1.gif"})
        self.assertEqual(rows[1]["label"], {"n": 1.5})

    def test_rows_that_share_a_name_are_numbered(self):
        same = {"image": self.ref(b"1", "x.png"), "mask": self.ref(b"3", "x.gif")}
        other = {"image": self.ref(b"2", "x.png"), "mask": self.ref(b"4", "y.gif")}
        alone = {"image": self.ref(b"5", "z.png"), "mask": self.ref(b"6", "z.gif")}
        value = self.dataset_value({"image": "file", "mask": "file"}, [same, alone, other])
        sandbox, _ = self.stage(link("data", "in/data", value))
        self.assertEqual(
            everything(sandbox + "/in/data"),
            ["image/000000-x.png", "image/000002-x.png", "image/z.png"]
            + ["mask/000000-x.gif", "mask/000002-y.gif", "mask/z.gif", "rows.jsonl"],
        )

    def test_numbered_names_may_clash_again(self):
        rows = [{"f": {"name": name}} for name in ("a", "a", "000000-a")]
        names = [row["f"]["name"] for row in with_unique_names(rows, ["f"])]
        self.assertEqual(len(set(names)), 3)

    def test_a_list(self):
        json_text = b"[1]"
        items = [
            self.launcher.file_value(b"f", "name.txt"),
            {"kind": "json", "hash": self.launcher.put(json_text), "size": 3, "value": [1]},
            {"kind": "absent"},
            self.directory_value({"d.txt": b"d"}),
            {"kind": "list", "items": [self.launcher.file_value(b"g", "inner.txt")]},
        ]
        sandbox, _ = self.stage(link("all", "in/all", {"kind": "list", "items": items}))
        self.assertEqual(
            everything(sandbox + "/in/all"),
            ["000000/name.txt", "000001.json", "000003/d.txt", "000004/000000/inner.txt"],
        )
        with open(sandbox + "/../task.json") as file:
            self.assertEqual(
                json.load(file)["inputs"]["all"],
                ["in/all/000000/name.txt", "in/all/000001.json", None, "in/all/000003"]
                + [["in/all/000004/000000/inner.txt"]],
            )

    def test_an_absent_value_is_not_there(self):
        sandbox, _ = self.stage(link("nothing", "in/nothing", {"kind": "absent"}))
        self.assertEqual(everything(sandbox), [])

    def test_the_task_file(self):
        value = self.launcher.file_value(b"x")
        sandbox, record = self.stage(
            link("a", "in/a", value),
            outputs=[output("o", "out/o", optional=True)],
            params={"lr": 0.1, "name": "ü"},
            memoryBytes=5,
            timeLimitSeconds=60,
        )
        with open(sandbox + "/../task.json") as file:
            self.assertEqual(
                json.load(file),
                {
                    "task": record["task"],
                    "attempt": record["attempt"],
                    "run": "r1",
                    "inputs": {"a": "in/a"},
                    "outputs": {"o": "out/o"},
                    "params": {"lr": 0.1, "name": "ü"},
                    "cpus": 1,
                    "memoryBytes": 5,
                    "gpus": [],
                    "timeLimitSeconds": 60,
                },
            )

    def test_the_folders_of_outputs_are_there(self):
        sandbox, _ = self.stage(
            outputs=[
                output("file", "out/deep/x", optional=True),
                output("folder", "out/folder", "directory"),
                output("data", "out/data", "dataset", columns={"image": "file", "mask": "file"}),
            ]
        )
        for path in ("out/deep", "out/folder", "out/data/image", "out/data/mask"):
            self.assertTrue(os.path.isdir(os.path.join(sandbox, path)), path)
        self.assertFalse(os.path.exists(sandbox + "/in"))


class Failures(LauncherCase):
    def assert_refused(self, staged, *words):
        record = self.run_shell("touch ran", inputs=[staged])
        self.assert_failed(record, "stage-in", *words, name=staged["name"])
        self.assertIsNone(record["pid"])
        self.assertIsNone(record["usage"]["userSeconds"])
        return record

    def test_a_missing_object(self):
        gone = {"kind": "file", "hash": "0" * 64, "size": 1, "name": "x"}
        self.assert_refused(link("scan", "in/x", gone), "scan", "0" * 64)
        self.assert_refused(copy("scan", "in/x", gone), "scan", "0" * 64)
        self.assert_refused(link("tree", "in/x", {"kind": "directory", "hash": "0" * 64, "size": 1, "files": 1}), "tree", "0" * 64)

    def test_a_damaged_manifest(self):
        value = {"kind": "directory", "hash": self.launcher.put(b"not json"), "size": 1, "files": 1}
        self.assert_refused(link("tree", "in/x", value), "cannot be used")

    def test_paths_that_leave_the_sandbox(self):
        value = self.launcher.file_value(b"x")
        for path in ("../x", "/tmp/x", "in/../../x", "in//x", "", "."):
            self.assert_refused(link("bad", path, value), "leaves the sandbox")

    def test_manifests_that_leave_their_folder(self):
        content_hash = self.launcher.put(b"x")
        for path in ("../x", "/x", "a/../../x"):
            manifest = {"kind": "directory", "entries": [{"path": path, "hash": content_hash, "size": 1}]}
            content_hash_of_manifest = self.launcher.put(json.dumps(manifest).encode())
            value = {"kind": "directory", "hash": content_hash_of_manifest, "size": 1, "files": 1}
            self.assert_refused(link("tree", "in/tree", value), "manifest")
            manifest = {"kind": "directory", "entries": [], "folders": [path]}
            value = {"kind": "directory", "hash": self.launcher.put(json.dumps(manifest).encode()), "size": 0, "files": 0}
            self.assert_refused(link("tree", "in/tree", value), "manifest")
        ref = {"hash": content_hash, "size": 1, "name": "../../x"}
        manifest = {"kind": "dataset", "columns": {"f": "file"}, "rows": [{"f": ref}]}
        content_hash = self.launcher.put(json.dumps(manifest).encode())
        value = {"kind": "dataset", "hash": content_hash, "size": 1, "files": 1, "rows": 1}
        self.assert_refused(link("data", "in/data", value), "manifest")

    def test_two_inputs_in_one_place(self):
        value = self.launcher.file_value(b"x")
        record = self.run_shell("true", inputs=[link("a", "in/x", value), link("b", "in/x", value)])
        self.assert_failed(record, "stage-in", "b", name="b")


if __name__ == "__main__":
    unittest.main()
