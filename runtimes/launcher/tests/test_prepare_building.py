"""What no interpreter has is built, whole or not at all."""

import json
import os
import signal
import unittest

from wf_launcher.prepare.virtual_environment import CPU_INDEX, blamed_package, has_gpu

from .harness import interpreter, wait_until
from .preparing import PrepareCase, needs_venv
from .package_index import PackageIndex
from .recording_proxy import RecordingProxy


class Blame(unittest.TestCase):
    def test_the_package_that_an_installer_could_not_find(self):
        for output, name in [
            ("ERROR: Could not find a version that satisfies the requirement a-b>=1 (from versions: none)", "a-b"),
            ("ERROR: No matching distribution found for torch==9", "torch"),
            ("Because cowsay.x was not found in the package registry and you require cowsay.x", "cowsay.x"),
            ("  cause: Because only cowsay<=6.1 is available and you require cowsay>=99, we can", "cowsay"),
            ("Because there is no version of numpy==99 and you require numpy==99", "numpy"),
            ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", None),
        ]:
            self.assertEqual(blamed_package(output), name)


@needs_venv
class BuildingWithPip(PrepareCase):
    def test_an_environment_from_a_folder_of_wheels(self):
        self.wheel()
        document = self.ready(self.wish("--no-index", "--find-links ./wheels", "tiny>=1.5"))
        self.assertEqual((document["how"], document["packages"]), ("venv", {"tiny": "1.5"}))
        self.assertEqual(self.runs(document, "import tiny; print(tiny.answer)"), "42")
        with open(os.path.join(document["bin"], "tiny-tool")) as script:
            self.assertIn(os.path.join(document["bin"], "python"), script.read())
        key = document["key"]
        self.assertEqual(self.runtime_folders(), [key, key + ".lock", key + ".log"])

    def test_an_index_that_stands_in_the_settings_of_pip(self):
        index = PackageIndex(os.path.dirname(self.wheel()))
        self.addCleanup(index.close)
        settings = "[global]\nindex-url = {}\n".format(index.url)
        self.write(os.path.join(self.root, ".config", "pip", "pip.conf"), settings)
        self.assertEqual(self.ready(self.wish("tiny>=1.5"), environment={})["packages"], {"tiny": "1.5"})
        self.assertEqual(index.asked("/simple/tiny/"), 1)

    def test_who_has_an_index_of_their_own_is_sent_to_no_other_one(self):
        index = PackageIndex(os.path.dirname(self.torch()))
        self.addCleanup(index.close)
        code, lines = self.prepare(self.wish("torch>=99"), environment={"PIP_INDEX_URL": index.url})
        self.assertEqual((code, lines[-1]["event"]), (0, "ready"), lines)
        self.assertEqual([line for line in lines if CPU_INDEX in json.dumps(line)], [])

    @unittest.skipIf(has_gpu(), "SKIPPED: beside a GPU nobody looks for a PyTorch without CUDA")
    def test_a_proxy_that_stands_in_the_settings_of_pip_is_the_way_to_every_index(self):
        proxy = RecordingProxy()
        self.addCleanup(proxy.close)
        self.torch()
        self.write(os.path.join(self.root, ".config", "pip", "pip.conf"), "[global]\nproxy = {}\n".format(proxy.url))
        self.ready(self.wish("--find-links ./wheels", "torch>=99"), environment={})
        self.assertEqual(sorted(set(proxy.asked)), ["download.pytorch.org:443", "pypi.org:443"])

    def torch(self):
        """A newer one than any machine has, which multiplies just as well as it has to."""
        body = "class ones(list):\n    def __init__(self, _):\n        self.append([2.0])\n"
        return self.wheel("torch", "99.0", "torch", body + "    def matmul(self, _):\n        return self\n")

    def test_a_package_that_nobody_has(self):
        code, lines = self.prepare(self.wish("--no-index", "nobody-has-this>=3"))
        end = lines[-1]
        self.assertEqual((code, end["event"], end["package"]), (1, "unavailable", "nobody-has-this"))
        self.assertIn("no Python with nobody-has-this", end["message"])
        self.assertTrue(any("No matching distribution" in line for line in end["tried"]), end["tried"])
        self.assertEqual(end["advice"], ["correct or remove nobody-has-this in " + self.project])
        self.assertEqual([name for name in self.runtime_folders() if name.endswith(".part")], [])


class BuildingWithUv(PrepareCase):
    def setUp(self):
        super().setUp()
        self.add_uv()

    def test_uv_goes_first(self):
        self.wheel()
        document = self.ready(self.wish("tiny>=1.5"))
        self.assertEqual((document["how"], document["packages"]), ("uv", {"tiny": "1.5"}))
        self.assertEqual(self.runs(document, "import tiny; print(tiny.answer)"), "42")
        self.assertEqual((len(self.asked("venv --no-project")), len(self.asked("pip install"))), (1, 1))

    def test_uv_is_told_what_pip_was_told(self):
        self.wheel()
        self.ready(self.wish("tiny"), environment={"PIP_INDEX_URL": "http://mirror.example/simple"})
        self.assertEqual(len(self.asked("--index-url http://mirror.example/simple")), 1)

    def test_a_wheel_by_its_path_from_the_project(self):
        self.wheel()
        document = self.ready(self.wish("./wheels/tiny-1.5-py3-none-any.whl"))
        self.assertEqual(self.runs(document, "import tiny; print(tiny.answer)"), "42")

    def test_a_package_that_installs_and_does_not_work(self):
        self.wheel(body="import not_there_at_all\n")
        code, lines = self.prepare(self.wish("--no-index", "--find-links ./wheels", "tiny"))
        self.assertEqual((code, lines[-1]["package"]), (1, "tiny"))
        self.assertTrue(any("tiny does not work" in line for line in lines[-1]["tried"]), lines[-1])

    def test_a_python_that_nobody_has(self):
        code, lines = self.prepare(self.wish(requiresPython=">=4.2"))
        self.assertEqual((code, lines[-1]["message"]), (1, "no Python with Python >=4.2 can be had"))
        self.assertIn("install Python >=4.2", lines[-1]["advice"][0])

    def test_the_oldest_python_that_a_cluster_may_have_prepares_too(self):
        old = interpreter("3.6")
        if old is None:
            self.skipTest("SKIPPED: there is no Python 3.6 here")
        self.wheel()
        self.assertEqual(self.ready(self.wish("tiny"), python=old)["how"], "uv")


class TwoAtOnce(PrepareCase):
    def setUp(self):
        super().setUp()
        self.wheel()
        self.add_uv()
        self.write(self.gate, "")
        self.wanted = self.wish("tiny")

    def installers(self):
        return self.asked("pip install")

    def test_the_second_waits_says_so_and_uses_what_the_first_built(self):
        first = self.start(self.wanted)
        wait_until(self.installers, "the first to build")
        second = self.start(self.wanted)
        self.assertIn("waiting for it", second.stdout.readline().decode())
        self.assertIn("looks for a Python", second.stdout.readline().decode())
        os.unlink(self.gate)
        one, two = first.communicate()[0].decode(), second.communicate()[0].decode()
        self.assertEqual((first.returncode, second.returncode), (0, 0))
        self.assertEqual(one.splitlines()[-1], two.splitlines()[-1])
        self.assertEqual(len(self.installers()), 1)

    def test_one_that_is_stopped_ends_what_it_started(self):
        process = self.start(self.wanted)
        wait_until(self.installers, "it to build")
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertFalse(os.path.exists("/proc/{}".format(self.installers()[0])))
        os.unlink(self.gate)
        self.assertEqual(self.ready(self.wanted)["how"], "uv")

    def test_after_one_that_was_killed_nobody_begins_while_its_installer_lives(self):
        process = self.start(self.wanted)
        wait_until(self.installers, "it to build")
        process.kill()
        process.communicate()
        second = self.start(self.wanted)
        self.assertIn("waiting for it", second.stdout.readline().decode())
        self.assertEqual(len(self.installers()), 1)
        os.unlink(self.gate)
        lines = second.communicate()[0].decode().splitlines()
        self.assertIn('"event": "ready"', lines[-1])
        self.assertEqual(len(self.installers()), 2)


if __name__ == "__main__":
    unittest.main()
