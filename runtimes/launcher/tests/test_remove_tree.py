"""Whatever a task leaves, it can be removed."""

import os
import shutil
import tempfile
import unittest

from wf_launcher.login.storage_marks import files_below
from wf_launcher.sandbox import remove_tree

from .harness import LauncherCase, task


class RemoveTree(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf-remove-")
        self.addCleanup(shutil.rmtree, self.root, True)
        self.path = self.root + "/tree"
        os.mkdir(self.path)

    def go_down(self, name, times):
        """Step by step, as no path can say it."""
        before = os.open(".", os.O_RDONLY)
        self.addCleanup(os.close, before)
        try:
            os.chdir(self.path)
            for _ in range(times):
                os.mkdir(name)
                os.chdir(name)
            with open("file", "w"):
                pass
        finally:
            os.fchdir(before)

    def test_folders_deeper_than_python_goes(self):
        self.go_down("d", 3000)
        self.assertLessEqual(len(list(files_below(self.path))), 1)
        remove_tree(self.path)
        self.assertEqual(os.listdir(self.root), [])

    def test_names_longer_than_a_path(self):
        self.go_down("n" * 255, 40)
        remove_tree(self.path)
        self.assertEqual(os.listdir(self.root), [])

    def test_folders_that_were_made_read_only_and_links(self):
        os.makedirs(self.path + "/a/b")
        os.symlink(self.root, self.path + "/a/out")
        os.chmod(self.path + "/a", 0o500)
        remove_tree(self.path)
        self.assertEqual(os.listdir(self.root), [])

    def test_a_link_in_its_place_and_not_what_it_leads_to(self):
        os.makedirs(self.root + "/home/letters")
        os.rmdir(self.path)
        os.symlink(self.root + "/home", self.path)
        remove_tree(self.path)
        self.assertEqual((os.listdir(self.root), os.listdir(self.root + "/home")), (["home"], ["letters"]))


class WhatATaskPutsThere(LauncherCase):
    def test_a_link_in_the_place_of_its_sandbox(self):
        home = tempfile.mkdtemp(prefix="wf-home-")
        self.addCleanup(shutil.rmtree, home)
        with open(home + "/letter", "w") as file:
            file.write("mine")
        for keep in ("never", "failed"):
            script = 'cd .. && mv sandbox elsewhere && ln -s "$0" sandbox'
            self.launcher.run_task(task(self.new(), ["sh", "-c", script, home], keepSandbox=keep))
            self.assertEqual(os.listdir(home), ["letter"])


if __name__ == "__main__":
    unittest.main()
