"""Debian's Python makes no environments until it is given a package of its own."""

import os
import shutil
import tempfile
import unittest
from unittest import mock

from wf_launcher.prepare import debian
from wf_launcher.prepare.advice import advise
from wf_launcher.prepare.commands import Commands
from wf_launcher.prepare.draft import Draft
from wf_launcher.prepare.probe import Verdict
from wf_launcher.prepare.unavailable import Miss
from wf_launcher.prepare.virtual_environment import Venv
from wf_launcher.prepare.wish import Wish

# What Debian's Python 3.11 says and does, without python3.11-venv and without pip.
PYTHON = """#!/bin/sh
case "$*" in
  "-m venv --without-pip "*) /bin/mkdir -p "$4/bin"; exit 0 ;;
  "-m pip "*) echo "$0: No module named pip"; exit 1 ;;
esac
[ ! -e '{installed}' ] || {{ /bin/mkdir -p "$3/bin"; exit 0; }}
echo "The virtual environment was not created successfully because ensurepip is not
available.  On Debian/Ubuntu systems, you need to install the python3-venv
package using the following command.

    apt install python3.11-venv
"
exit 1
"""
APT_GET = """#!/bin/sh
echo "$*" >> '{asked}'
case "$*" in *" install "*) {install} ;; esac
"""


class Told:
    def tell(self, says, percent=None):
        pass

    def log(self, text):
        pass


class PythonOfDebian(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf venv ")
        self.addCleanup(shutil.rmtree, self.root)
        self.bin = os.path.join(self.root, "bin")
        self.installed = os.path.join(self.root, "installed")
        self.asked = os.path.join(self.root, "asked")
        os.mkdir(self.bin)
        self.python = self.program("python3", PYTHON.format(installed=self.installed))
        self.wish = Wish(
            {
                "requirements": ["tiny"],
                "requiresPython": None,
                "python": None,
                "project": self.root,
                "runtimes": self.root,
            }
        )
        path = mock.patch.dict(os.environ, {"PATH": self.bin})
        path.start()
        self.addCleanup(path.stop)

    def program(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def add_apt_get(self, install):
        self.program("apt-get", APT_GET.format(asked=self.asked, install=install))

    def make(self):
        """The environment that is made. Raises Miss."""
        self.draft = Draft(self.wish)
        with open(os.devnull) as lock:
            Venv(self.bin, self.wish, self.python, self.draft, Commands(Told(), lock.fileno()), Told()).make()
        return self.draft.path

    def advice(self, miss):
        answer = {"executable": self.python, "prefix": "/usr", "version": "3.11.2", "markers": {}, "packages": {}}
        return advise(self.wish, [Verdict(self.python, answer, {"tiny": "no tiny"})], [miss], self.bin)

    @unittest.skipUnless(os.path.exists("/etc/debian_version"), "SKIPPED: this is no Debian")
    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root installs Debian's packages")
    def test_root_is_given_the_package_that_it_names(self):
        self.add_apt_get(": > '{}'".format(self.installed))
        self.assertTrue(os.path.isdir(self.make()))
        with open(self.asked) as file:
            self.assertRegex(file.read(), r"^\S.* install -y --no-install-recommends python3\.11-venv\n$")

    @unittest.skipUnless(os.path.exists("/etc/debian_version"), "SKIPPED: this is no Debian")
    @unittest.skipUnless(os.geteuid() == 0, "SKIPPED: only root installs Debian's packages")
    def test_a_package_that_cannot_be_installed_is_told_with_the_words_of_apt(self):
        self.add_apt_get("echo 'E: Unable to locate package'; exit 100")
        with self.assertRaises(Miss) as caught:
            self.make()
        self.assertEqual((caught.exception.way, caught.exception.debian_package), ("venv", "python3.11-venv"))
        self.assertEqual(caught.exception.lines, ["E: Unable to locate package"])

    def test_who_cannot_install_is_told_what_to_type(self):
        with self.assertRaises(Miss) as caught:
            self.make()
        self.assertEqual((caught.exception.way, caught.exception.debian_package), ("venv", "python3.11-venv"))
        self.assertFalse(os.path.exists(self.draft.path))
        (typed,), is_declared = self.advice(caught.exception)
        self.assertRegex(typed, r"^(sudo )?apt-get install -y --no-install-recommends python3\.11-venv$")
        self.assertFalse(is_declared)

    def test_other_words_name_no_package(self):
        self.assertIsNone(debian.venv_package("Error: Command '['ensurepip']' returned non-zero exit status 1."))


if __name__ == "__main__":
    unittest.main()
