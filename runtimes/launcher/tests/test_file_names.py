"""Names with spaces, quotes, newlines and unicode go in and come out, by every way there is."""

import json

from .harness import LauncherCase, copy, link, output, task

NAMES = ["two words", "it's \"quoted\"", "new\nline", "-rf", "ünï – 肺.png"]
NAMES += ["$(touch pwned);`id`", "\\back\t", "😀"]


class OddNames(LauncherCase):
    def test_files(self):
        for how in (link, copy):
            tasks = [
                task(
                    self.new(),
                    ["cp", "--", "in/" + name, "out/" + name],
                    inputs=[how("odd", "in/" + name, self.launcher.file_value(name.encode(), name))],
                    outputs=[output("odd", "out/" + name)],
                )
                for name in NAMES
            ]
            self.launcher.submit(*[self.launcher.job(spec) for spec in tasks])
            for name, record in zip(NAMES, self.launcher.records(*[spec["attempt"] for spec in tasks])):
                self.assert_succeeded(record)
                self.assertEqual(record["outputs"]["odd"]["name"], name)
                self.assertEqual(self.launcher.object(record["outputs"]["odd"]["hash"]), name.encode())
                self.assertEqual(record["undeclared"], [])

    def test_folders(self):
        entries = [
            {"path": name + "/" + name, "hash": self.launcher.put(name.encode()), "size": len(name.encode())}
            for name in NAMES
        ]
        manifest = json.dumps({"kind": "directory", "entries": entries}).encode()
        value = {"kind": "directory", "hash": self.launcher.put(manifest), "size": 1, "files": len(NAMES)}
        record = self.run_shell(
            "cp -rL in/d/. out/d", inputs=[link("d", "in/d", value)], outputs=[output("d", "out/d", "directory")]
        )
        self.assert_succeeded(record)
        found = self.launcher.manifest(record["outputs"]["d"])["entries"]
        self.assertEqual({entry["path"] for entry in found}, {name + "/" + name for name in NAMES})

    def test_datasets_and_their_columns(self):
        for column in NAMES:
            rows = [{column: {"hash": self.launcher.put(b"x"), "size": 1, "name": name}} for name in NAMES]
            manifest = json.dumps({"kind": "dataset", "columns": {column: "file"}, "rows": rows}).encode()
            value = {"kind": "dataset", "hash": self.launcher.put(manifest), "size": 1, "files": 8, "rows": 8}
            record = self.run_shell(
                "cp -rL in/d/. out/d",
                inputs=[link("d", "in/d", value)],
                outputs=[output("d", "out/d", "dataset", columns={column: "file"})],
            )
            self.assert_succeeded(record)
            found = self.launcher.manifest(record["outputs"]["d"])["rows"]
            self.assertEqual([row[column]["name"] for row in found], NAMES)

    def test_undeclared_files_arguments_and_variables(self):
        for name in NAMES:
            spec = task(
                self.new(),
                ["sh", "-c", 'test "$1" = "$ODD" && : > "./$1"', "sh", name],
                env={"ODD": name},
            )
            record = self.launcher.run_task(spec)
            self.assert_succeeded(record)
            self.assertEqual(record["undeclared"], [{"path": name, "size": 0}])
