"""An interpreter that has what is wanted is used as it is."""

import json
import os
import subprocess
import sys
import unittest

from wf_launcher.prepare.wish import key_of

from .preparing import SCRIPT, PrepareCase


class Finding(PrepareCase):
    def environment(self, folder):
        """A virtual environment with a package that no other interpreter here has."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        python = os.path.join(folder, "bin", "python3")
        where = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], stdout=subprocess.PIPE, check=True
        )
        self.write(os.path.join(where.stdout.decode().strip(), "rare_thing.py"), "__version__ = '2.1'\n")
        return python

    def test_what_has_it_already_is_linked_and_remembered(self):
        document = self.ready(self.wish(requiresPython=">=3.6"))
        self.assertEqual(document["how"], "found")
        self.assertEqual(document["interpreter"], os.path.join(self.bin, "python3"))
        self.assertEqual(self.runs(document, "import sys; print(sys.prefix)"), sys.base_prefix)
        code, lines = self.prepare(self.wish(requiresPython=">=3.6"))
        self.assertEqual((code, lines), (0, [document]))

    def test_the_environment_of_the_project_keeps_its_packages(self):
        python = self.environment(os.path.join(self.project, ".venv"))
        document = self.ready(self.wish("rare-thing>=2"))
        self.assertEqual((document["interpreter"], document["packages"]), (python, {"rare-thing": "2.1"}))
        self.assertEqual(self.runs(document, "import rare_thing; print(rare_thing.__version__)"), "2.1")

    def test_the_sites_choice_goes_first_and_into_the_key(self):
        own = self.ready(self.wish(requiresPython=">=3.6"))
        python = self.environment(os.path.join(self.root, "chosen"))
        chosen = self.ready(self.wish(requiresPython=">=3.6", python=python))
        self.assertEqual(chosen["interpreter"], python)
        self.assertNotEqual(chosen["key"], own["key"])

    def test_a_script_leads_to_the_interpreter_behind_it(self):
        os.unlink(os.path.join(self.bin, "python3"))
        behind = os.path.realpath(sys.executable)
        self.write(os.path.join(self.bin, "python3"), SCRIPT.format(behind), 0o755)
        self.assertEqual(self.ready(self.wish(requiresPython=">=3.6"))["interpreter"], behind)

    def test_a_package_that_is_there_and_does_not_work_is_none(self):
        python = self.environment(os.path.join(self.project, ".venv"))
        broken = subprocess.run(
            [python, "-c", "import rare_thing; print(rare_thing.__file__)"], stdout=subprocess.PIPE, check=True
        )
        self.write(broken.stdout.decode().strip(), "__version__ = '2.1'\nimport not_there_at_all\n")
        code, lines = self.prepare("--look", self.wish("rare-thing>=2"))
        said = [line["says"] for line in lines if line["event"] == "progress"]
        self.assertTrue(any("rare-thing does not work (ModuleNotFoundError" in line for line in said), said)
        self.assertEqual((code, lines[-1]["event"], lines[-1]["how"]), (0, "would-build", "venv"))

    def test_one_that_has_changed_since_is_looked_for_again(self):
        python = self.environment(os.path.join(self.project, ".venv"))
        first = self.ready(self.wish("rare-thing>=2"))
        witness = next(path for path in first["witnesses"] if path.endswith("rare_thing.py"))
        self.write(witness, "__version__ = '2.22'\n")
        self.assertEqual(self.ready(self.wish("rare-thing>=2"))["packages"], {"rare-thing": "2.22"})
        self.write(witness, "__version__ = '2.23'\n")
        os.utime(witness, (1, 1))
        self.assertEqual(self.ready(self.wish("rare-thing>=2"))["packages"], {"rare-thing": "2.23"})
        changed = os.stat(witness)
        self.write(witness, "__version__ = '2.24'\n")  # as large and as old as it was
        os.utime(witness, ns=(changed.st_atime_ns, changed.st_mtime_ns))
        self.assertEqual(self.ready(self.wish("rare-thing>=2"))["packages"], {"rare-thing": "2.24"})
        os.unlink(witness)
        _, lines = self.prepare("--look", self.wish("rare-thing>=2"))
        said = [line["says"] for line in lines if line.get("says", "").startswith(python)]
        self.assertEqual(len(said), 1, lines)
        self.assertIn("no rare-thing", said[0])

    def test_looking_makes_nothing(self):
        code, lines = self.prepare("--look", self.wish(requiresPython=">=3.6"))
        self.assertEqual((code, lines[-1]["event"], lines[-1]["how"]), (0, "would-find", "found"))
        self.assertEqual(self.runtime_folders(), [])


class Wishes(PrepareCase):
    def test_a_project_makes_the_same_key_as_its_wish(self):
        try:
            import tomllib  # noqa: F401
        except ImportError:
            self.skipTest("SKIPPED: this Python has no tomllib")
        self.write(
            os.path.join(self.project, "pyproject.toml"),
            '[project]\nname = "p"\nrequires-python = ">=3.6"\ndependencies = []\n',
        )
        of_project = self.ready("--project", self.project, "--runtimes", self.runtimes)
        self.assertEqual(of_project["key"], key_of([], ">=3.6", None, None))

    def test_the_order_of_requirements_does_not_matter_and_a_path_binds_to_its_project(self):
        self.assertEqual(key_of(["a", "b>=1"], None, None, None), key_of(["b>=1", "a"], None, None, None))
        self.assertNotEqual(key_of(["a"], None, None, None), key_of(["a"], None, None, "/project"))

    def test_what_makes_no_sense_is_refused(self):
        path = self.wish("six>>1")
        nowhere = os.path.join(self.root, "none.json")
        for words in [[path], [nowhere], ["--project", self.root, "--runtimes", self.root]]:
            process = self.start(*words)
            _, stderr = process.communicate()
            self.assertEqual(process.returncode, 2)
            self.assertIn("cannot prepare this", stderr.decode())
        with open(path, "w") as file:
            json.dump({"requirements": "six"}, file)
        process = self.start(path)
        self.assertIn("no proper requirements", process.communicate()[1].decode())


if __name__ == "__main__":
    unittest.main()
