"""The Python runtimes of a job on a machine that does not see the site's storage."""

import os
import re
import subprocess
import tarfile

from ..failure import Failure
from ..prepare import interpreters, prepared, probe
from ..prepare.wish import Wish
from ..record import HOST
from .unpacking import Unpacking, UnpackError

_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
_START_SECONDS = 60


class RuntimesHere:
    """`scratch`: where packs came to. They are unpacked once, for all tasks of the job."""

    def __init__(self, described, scratch, source=os.environ):
        self._described = {entry["bin"]: entry for entry in described}
        self._scratch = scratch
        self._search_path = source.get("PATH", _DEFAULT_PATH)
        self._made = {}  # as described -> here, or the Failure
        self.moved = []  # (here, as described)

    def path_of(self, spec):
        """The folders that come first on the PATH of a task. Raises Failure."""
        return [self._here(folder) for folder in spec.get("path", ())]

    def _here(self, bin_folder):
        entry = self._described.get(bin_folder)
        if entry is None:
            return bin_folder
        if bin_folder not in self._made:
            self._made[bin_folder] = self._make(entry)
        made = self._made[bin_folder]
        if isinstance(made, Failure):
            raise made
        return made

    def _make(self, entry):
        folder = "{}/wf-runtimes/{}".format(self._scratch, entry["key"])
        self.moved.append((folder, os.path.dirname(entry["bin"])))
        try:
            if entry["pack"] is None:
                _lead_to(folder, self._find(entry))
            else:
                self._unpack(entry, folder)
        except Failure as failure:
            return failure
        except (OSError, tarfile.TarError, UnpackError) as error:
            return Failure("not-started", "its Python runtime cannot be laid out on {}: {}".format(HOST, error))
        return folder + "/bin"

    def _find(self, entry):
        """The same installation as on the site needs no second look; any other one has to show what it has."""
        if prepared.is_as_noted(entry["witnesses"]):
            return entry["interpreter"]
        wish = Wish(dict(entry["wish"], runtimes=self._scratch))
        says = []
        for program in [entry["interpreter"]] + interpreters.candidates(wish, self._search_path):
            if os.access(program, os.X_OK):
                verdict = probe.examine(program, wish)
                if verdict.is_good:
                    return verdict.executable
                says.append(verdict.says)
        tried = "; ".join(dict.fromkeys(says)) or "no python3 is there"
        raise Failure("not-started", "{} has no Python with {}: {}".format(HOST, wish.shown, tried))

    def _unpack(self, entry, folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        path = self._scratch + "/" + entry["pack"]
        unpacking = Unpacking(folder, may_lead_to=lambda _: True)  # to the interpreter that it was made from
        with tarfile.open(path, "r|") as tar:
            for member in tar:
                unpacking.put(tar, member, "" if member.name == "." else member.name[len("./") :])
        os.unlink(path)
        _mend_interpreter(folder, entry["python"], self._search_path)
        _mend_scripts(folder + "/bin", os.path.dirname(entry["bin"]), folder)
        if not _starts(folder + "/bin/python3"):
            raise Failure("not-started", "the Python runtime that was sent does not start on {}".format(HOST))


def _lead_to(folder, interpreter):
    os.makedirs(folder + "/bin")
    for name in ("python3", "python"):
        path = "{}/bin/{}".format(folder, name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\nexec '{}' \"$@\"\n".format(interpreter.replace("'", "'\\''")))
        os.chmod(path, 0o755)


def _mend_interpreter(folder, version, search_path):
    """An environment leads to the interpreter that it was made from, which may lie elsewhere on this machine."""
    bin_folder = folder + "/bin"
    if os.access(bin_folder + "/python3", os.X_OK):
        return
    base = _same_python(version, search_path)
    for name in os.listdir(bin_folder):
        path = bin_folder + "/" + name
        if os.path.islink(path) and os.path.isabs(os.readlink(path)):
            os.unlink(path)
            os.symlink(base, path)
    home = b"home = " + os.fsencode(os.path.dirname(base))
    _replace(folder + "/pyvenv.cfg", re.compile(b"^home *=.*$", re.MULTILINE), home)


def _same_python(version, search_path):
    name = "python" + ".".join(version.split(".")[:2])
    for folder in search_path.split(":") + ["/usr/bin", "/usr/local/bin"]:
        if _starts(folder + "/" + name):
            return folder + "/" + name
    message = "the Python runtime that was sent needs {}, which {} does not have".format(name, HOST)
    raise Failure("not-started", message)


def _mend_scripts(bin_folder, before, after):
    """They name their interpreter by an absolute path."""
    for name in os.listdir(bin_folder):
        path = bin_folder + "/" + name
        if os.path.isfile(path) and not os.path.islink(path):
            _replace(path, re.compile(re.escape(os.fsencode(before))), os.fsencode(after))


def _replace(path, pattern, by):
    with open(path, "rb") as file:
        content = file.read()
    changed = pattern.sub(lambda _: by, content)
    if changed != content and b"\0" not in content:
        with open(path, "wb") as file:
            file.write(changed)


def _starts(program):
    if not os.access(program, os.X_OK):
        return False
    try:
        return subprocess.call([program, "-c", ""], stdin=subprocess.DEVNULL, timeout=_START_SECONDS) == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
