"""The Python of a task on a machine that does not see the site's storage."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import unittest

from wf_launcher.prepare import prepared

from .away import AwayCase
from .harness import task

KEY = "0123456789abcdef"
PYTHON = os.path.realpath(sys.executable)
SAYS = "import os, sys; import colours; print(colours.NAME, sys.prefix, os.environ['PATH'].split(':')[0])"


class TravelsWithPython(AwayCase):
    def setUp(self):
        super().setUp()
        self.runtime = self.storage + "/runtimes/" + KEY

    def prepare(self, how, interpreter, requirements, packages):
        os.makedirs(self.runtime, exist_ok=True)
        version = "{}.{}.{}".format(*sys.version_info[:3])
        with open(interpreter, "rb") as file:
            content = file.read()
        witnesses = {interpreter: [len(content), hashlib.sha256(content).hexdigest()]}
        document = {"version": prepared.VERSION, "key": KEY, "how": how, "interpreter": interpreter, "python": version}
        document.update(bin=self.runtime + "/bin", packages=packages, requirements=requirements, witnesses=witnesses)
        prepared.write(self.runtime, document)
        wish = {"requirements": requirements, "requiresPython": ">=3.6", "python": None, "project": "/nowhere"}
        with open(self.runtime + ".json", "w") as file:
            json.dump(dict(wish, runtimes=self.storage + "/runtimes"), file)

    def build(self):
        subprocess.check_call([PYTHON, "-m", "venv", "--without-pip", self.runtime])
        [library] = [folder for folder, _, _ in os.walk(self.runtime) if folder.endswith("site-packages")][:1]
        with open(library + "/colours.py", "w") as file:
            file.write("NAME = 'red'\n")
        with open(self.runtime + "/bin/tint", "w") as file:
            file.write("#!{}/bin/python3\nimport colours; print(colours.NAME)\n".format(self.runtime))
        os.chmod(self.runtime + "/bin/tint", 0o755)
        self.prepare("venv", self.runtime + "/bin/python3", ["colours"], {"colours": None})

    def python_task(self, *argv):
        return task("a@1", list(argv), path=[self.runtime + "/bin"], keepSandbox="always")

    def printed(self):
        with open(self.attempt_path("a@1", "stdout")) as file:
            return file.read().split()

    def test_one_that_was_built_is_sent(self):
        self.build()
        [record] = self.run_away(self.python_task("python3", "-c", SAYS))
        self.assertEqual(record["failure"], None)
        name, prefix, first = self.printed()
        self.assertEqual((name, prefix), ("red", os.path.dirname(self.out) + "/wf-runtimes/" + KEY))
        self.assertEqual(first, prefix + "/bin")
        with open(self.attempt_path("a@1", "command.json")) as file:
            self.assertEqual(json.load(file)["path"], [self.runtime + "/bin"])

    def test_programs_that_were_installed_with_it(self):
        self.build()
        [record] = self.run_away(self.python_task("tint"))
        self.assertEqual((record["failure"], self.printed()), (None, ["red"]))

    def test_it_is_packed_once(self):
        self.build()
        self.lay_out(*[self.job(self.python_task("python3", "-c", "")) for _ in range(3)])
        packs = {path for index in range(3) for name, path in self.sent(index).items() if name.endswith(".runtime")}
        self.assertEqual(len(packs), 1)
        self.assertEqual(len([name for name in os.listdir(self.storage + "/runtimes") if name.endswith(".runtime")]), 1)

    def test_a_base_that_lies_elsewhere_there(self):
        self.build()
        name = "python{}.{}".format(*sys.version_info[:2])
        for entry in os.listdir(self.runtime + "/bin"):
            path = self.runtime + "/bin/" + entry
            if os.path.islink(path) and os.path.isabs(os.readlink(path)):
                os.unlink(path)
                os.symlink("/only/on/the/submit/host/" + name, path)
        there = self.root + "/machine"
        os.mkdir(there)
        os.symlink(PYTHON, there + "/" + name)
        search = ":".join([there, "/usr/bin", "/bin"])
        [record] = self.run_away(self.python_task("python3", "-c", SAYS), PATH=search)
        self.assertEqual((record["failure"], self.printed()[0]), (None, "red"))

    def test_one_that_was_found_is_used_where_it_is(self):
        self.prepare("found", PYTHON, [], {})
        [record] = self.run_away(self.python_task("python3", "-c", "import sys; print(sys.executable)"))
        self.assertEqual((record["failure"], self.printed()), (None, [PYTHON]))

    def test_one_that_was_found_on_the_submit_host_alone(self):
        own = self.root + "/python-of-the-submit-host"
        shutil.copy2(PYTHON, own)
        self.prepare("found", own, ["nosuchpackage>=1.13"], {"nosuchpackage": "1.13"})
        os.unlink(own)
        [record] = self.run_away(self.python_task("python3", "-c", "pass"))
        self.assertEqual(record["failure"]["class"], "not-started")
        self.assertIn("has no Python with nosuchpackage>=1.13", record["failure"]["message"])
        self.assertIn("no nosuchpackage", record["failure"]["message"])

    def test_another_one_there_that_has_all(self):
        own = self.root + "/python-of-the-submit-host"
        shutil.copy2(PYTHON, own)
        self.prepare("found", own, [], {})
        os.unlink(own)
        [record] = self.run_away(self.python_task("python3", "-c", ""))
        self.assertIsNone(record["failure"])


if __name__ == "__main__":
    unittest.main()
