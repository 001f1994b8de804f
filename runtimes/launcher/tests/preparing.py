"""The real `prepare` on a site of its own: a PATH with nothing but what a test puts there, and no network."""

import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from .harness import ROOT

SCRIPT = "#!/bin/sh\nexec '{}' \"$@\"\n"
# Takes the words of uv, unpacks wheels of ./wheels, and has no index.
STAND_IN_FOR_UV = """#!{python} -S
import glob, os, subprocess, sys, sysconfig, time, zipfile
with open({asked!r}, "a") as asked:
    asked.write("{{}} {{}}\\n".format(os.getpid(), " ".join(sys.argv[1:])))
if sys.argv[1] == "venv":
    sys.exit(subprocess.call([sys.executable, "-m", "venv", "--without-pip", sys.argv[-1]]))
while os.path.exists({gate!r}):
    time.sleep(0.02)
environment = os.path.dirname(os.path.dirname(sys.argv[sys.argv.index("--python") + 1]))
target = sysconfig.get_path("purelib", vars={{"base": environment}})
for line in open(sys.argv[-1]):
    name = os.path.basename(line.split(">")[0].strip()).split("-")[0]
    wheels = glob.glob("wheels/" + name + "-*.whl")
    if not line.startswith("-") and not wheels:
        sys.exit("Because {{}} was not found in the provided package locations".format(line.strip()))
    for wheel in wheels:
        zipfile.ZipFile(wheel).extractall(target)
"""


needs_venv = unittest.skipUnless(
    importlib.util.find_spec("ensurepip"),
    "SKIPPED: python3 has no ensurepip. Type: sudo apt-get install python3-venv",
)


class PrepareCase(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="wf prepare ")
        self.addCleanup(shutil.rmtree, self.root)
        self.runtimes = os.path.join(self.root, "storage", "runtimes")
        self.project = os.path.join(self.root, "project")
        self.bin = os.path.join(self.root, "bin")
        for folder in (self.project, self.bin):
            os.makedirs(folder)
        os.symlink(os.path.realpath(sys.executable), os.path.join(self.bin, "python3"))

    def add_uv(self):
        """A quick stand-in: `self.gate` stops it while that file is there, `asked` tells what was asked of it."""
        self.gate = os.path.join(self.root, "gate")
        self._asked = os.path.join(self.root, "asked")
        script = STAND_IN_FOR_UV.format(python=os.path.realpath(sys.executable), gate=self.gate, asked=self._asked)
        self.write(os.path.join(self.bin, "uv"), script, 0o755)

    def asked(self, what):
        """The processes of which it was asked."""
        if not os.path.exists(self._asked):
            return []
        with open(self._asked) as file:
            return [int(line.split()[0]) for line in file if what in line]

    def wish(self, *requirements, **more):
        document = {
            "requirements": list(requirements),
            "requiresPython": None,
            "python": None,
            "project": self.project,
            "runtimes": self.runtimes,
        }
        document.update(more)
        path = os.path.join(self.root, "wish.json")
        with open(path, "w") as file:
            json.dump(document, file)
        return path

    def start(self, *words, **options):
        environment = {"PATH": self.bin, "HOME": self.root, "LANG": "C.UTF-8"}
        environment.update(options.pop("environment", {"PIP_CONFIG_FILE": os.devnull}))
        return subprocess.Popen(
            [options.pop("python", sys.executable), "-I", "-S", ROOT, "prepare"] + list(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )

    def prepare(self, *words, **options):
        """(exit code, the lines that it printed)"""
        process = self.start(*words, **options)
        stdout, stderr = process.communicate()
        lines = [json.loads(line) for line in stdout.decode().splitlines()]
        self.assertEqual(stderr.decode(), "")
        return process.returncode, lines

    def ready(self, *words, **options):
        code, lines = self.prepare(*words, **options)
        self.assertEqual((code, lines[-1]["event"]), (0, "ready"), lines)
        return lines[-1]

    def runs(self, document, script):
        """What a task would see of the runtime."""
        argv = [os.path.join(document["bin"], "python"), "-c", script]
        return subprocess.run(argv, stdout=subprocess.PIPE, check=True, cwd="/").stdout.decode().strip()

    def write(self, path, text, mode=0o644):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def wheel(self, name="tiny", version="1.5", module="tiny", body="answer = 42\n"):
        """A package in a file, which needs no index."""
        stem = "{}-{}".format(name.replace("-", "_"), version)
        info = stem + ".dist-info"
        files = {
            module + ".py": body,
            info + "/METADATA": "Metadata-Version: 2.1\nName: {}\nVersion: {}\n".format(name, version),
            info + "/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            info + "/entry_points.txt": "[console_scripts]\ntiny-tool = {}:main\n".format(module),
        }
        files[info + "/RECORD"] = "".join("{},,\n".format(file) for file in list(files) + [info + "/RECORD"])
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for file, text in files.items():
                archive.writestr(file, text)
        path = os.path.join(self.project, "wheels", stem + "-py3-none-any.whl")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(packed.getvalue())
        return path

    def runtime_folders(self):
        return sorted(os.listdir(self.runtimes)) if os.path.exists(self.runtimes) else []
