"""A task that changes its inputs is found out, even where file modes protect nothing."""

import os

from .harness import LauncherCase, copy, link, output


class ChangedInputs(LauncherCase):
    def run_on(self, how, script, content, **more):
        self.value = self.launcher.file_value(content, "x.txt")
        path = self.launcher.object_path(self.value["hash"])
        return self.run_shell(script.format(object=path), inputs=[how("scan", "in/x.txt", self.value)], **more)

    def test_the_object_through_the_link(self):
        record = self.run_on(link, "chmod u+w in/x.txt; echo more >> in/x.txt", b"one")
        self.assert_failed(record, "input-changed", "scan", "quarantine/" + self.value["hash"], name="scan")
        self.assertFalse(os.path.exists(self.launcher.object_path(self.value["hash"])))
        with open(os.path.join(self.launcher.storage, "quarantine", self.value["hash"]), "rb") as file:
            self.assertEqual(file.read(), b"onemore\n")

    def test_a_change_that_keeps_size_and_time(self):
        script = "touch -r {object} tmp/t; chmod u+w {object}; printf eno > {object}; touch -r tmp/t {object}"
        self.assert_failed(self.run_on(link, script, b"oen"), "input-changed", name="scan")

    def test_the_object_removed(self):
        self.assert_failed(self.run_on(link, "rm -f {object}", b"two"), "input-changed", "missing", name="scan")

    def test_the_link_replaced_or_removed(self):
        for script in ("rm in/x.txt", "rm in/x.txt; echo other > in/x.txt", "ln -sf /etc/passwd in/x.txt"):
            self.assert_failed(self.run_on(link, script, b"three"), "input-changed", "in/x.txt", name="scan")
            self.assertEqual(self.launcher.object(self.value["hash"]), b"three")

    def test_the_copy(self):
        for script in ("chmod u+w in/x.txt; echo more >> in/x.txt", "rm -f in/x.txt", "rm -f in/x.txt; mkdir in/x.txt"):
            self.assert_failed(self.run_on(copy, script, b"four"), "input-changed", "in/x.txt", name="scan")
            self.assertEqual(self.launcher.object(self.value["hash"]), b"four")

    def test_what_is_no_change(self):
        for how in (link, copy):
            for script in ("cat in/x.txt", "touch in/x.txt", "ln -f {object} tmp/hard", "chmod a+r in/x.txt"):
                self.assert_succeeded(self.run_on(how, script, b"five"))
        replaced = "cp {object} tmp/y; chmod 444 tmp/y; mv -f tmp/y {object}"
        self.assert_succeeded(self.run_on(link, replaced, b"six"))

    def test_a_changed_input_explains_a_failure(self):
        record = self.run_on(link, "rm in/x.txt; exit 3", b"seven")
        self.assert_failed(record, "input-changed", "exit status 3")
        self.assertEqual(record["exitCode"], 3)

    def test_nothing_is_published(self):
        record = self.run_on(link, "echo 1 > o; rm in/x.txt", b"eight", outputs=[output("o", "o")])
        self.assert_failed(record, "input-changed")
        self.assertEqual(record["outputs"], {})

    def test_one_file_of_a_directory(self):
        made = self.run_shell("echo 1 > d/a; echo 2 > d/b", outputs=[output("d", "d", "directory")])
        value = made["outputs"]["d"]
        record = self.run_shell("chmod u+w in/d/b; echo 3 >> in/d/b", inputs=[link("tree", "in/d", value)])
        self.assert_failed(record, "input-changed", "in/d/b", name="tree")
