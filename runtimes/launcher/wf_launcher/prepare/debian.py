"""The distribution's own packages, on Debian and its children, as root. Its PyTorch is small and has no CUDA."""

import glob
import os
import re
import signal
import time

from . import probe
from .commands import which
from .package_names import debian_packages
from .unavailable import Miss

WAY = "debian"
SYSTEM_PYTHON = "/usr/bin/python3"
_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
_CANDIDATE = re.compile(r"^(\S+):\n(?:  .*\n)*?  Candidate: (\S+)", re.MULTILINE)
_UPSTREAM = re.compile(r"(?:\d+:)?([0-9][0-9A-Za-z.]*)")
_DOWNLOAD = re.compile(r"Need to get ([0-9.,]+ \S+)(?:/\S+ \S+)? of archives")
_STATUS = re.compile(r"(dl|pm)status:[^:]*:([0-9.]+):(.*)")
_VENV_PACKAGE = re.compile(r"apt(?:-get)? install (python3[0-9.]*-venv)\b")
_LISTS = "/var/lib/apt/lists"
_FRESH_SECONDS = 24 * 3600
_LOCK_SECONDS = 600
_LOCK_PAUSE_SECONDS = 2


def is_debian(search_path):
    return os.path.exists("/etc/debian_version") and which("apt-get", search_path) is not None


def packages_for(wish):
    """All that would be installed; None if the distribution cannot have what is wanted."""
    if not all(requirement.is_plain for requirement in wish.requirements):
        return None
    return _in_order(name for requirement in wish.requirements for name in debian_packages(requirement.name))


def why_not(search_path):
    """Why nothing can be installed here; None if it can."""
    if not os.path.exists("/etc/debian_version"):
        return "this is no Debian"
    if not is_debian(search_path):
        return "apt-get is not on the PATH"
    return None if os.geteuid() == 0 else "Debian's packages need root"


def venv_package(output):
    """The package without which Debian's Python makes no environments, as it says itself; None if it does not."""
    named = _VENV_PACKAGE.search(output)
    return None if named is None else named.group(1)


def plan(wish, verdicts, commands, search_path):
    """What to install. Raises Miss where this way cannot lead to the goal."""
    impossible = why_not(search_path)
    if impossible is not None:
        raise Miss(WAY, impossible)
    if packages_for(wish) is None:
        raise Miss(WAY, "Debian has no files and addresses")
    system = next((verdict for verdict in verdicts if verdict.program == SYSTEM_PYTHON), None)
    if system is not None and "python" in system.problems:
        raise Miss(WAY, "{}: {}".format(SYSTEM_PYTHON, system.problems["python"]))
    missing = [wanted for wanted in wish.requirements if system is None or wanted.name in system.problems]
    names = _in_order(name for requirement in missing for name in debian_packages(requirement.name))
    versions = _candidates(names, commands)
    is_unknown = any(debian_packages(requirement.name)[0] not in versions for requirement in missing)
    if is_unknown and not _knows_what_there_is():
        _update(commands)
        versions = _candidates(names, commands)
    for requirement in missing:
        name = debian_packages(requirement.name)[0]
        if name not in versions:
            raise Miss(WAY, "Debian has no {}".format(name), requirement.name)
        if not requirement.specifiers.admit(versions[name]):
            wanted = "Debian's {} is {}, and {} is wanted".format(name, versions[name], requirement.specifiers.text)
            raise Miss(WAY, wanted, requirement.name)
    return [name for name in names if name in versions] + ([] if system else ["python3"])


def install(wish, names, commands, progress):
    """The verdict on the system's interpreter, which has what is wanted now. Raises Miss."""
    install_packages(names, commands, progress)
    verdict = probe.examine(SYSTEM_PYTHON, wish)
    if not verdict.is_good:
        raise Miss(WAY, verdict.says, next(iter(verdict.problems)))
    return verdict


def install_packages(names, commands, progress):
    """Raises Miss."""
    progress.tell("installs Debian's packages: {}".format(" ".join(names)))
    argv = _apt("install", "-y", "--no-install-recommends", *names)
    said = commands.run(argv, AptListener(progress), environment=_ENVIRONMENT, stop_with=signal.SIGINT)
    if not said.is_good:
        _update(commands)
        said = commands.run(argv, AptListener(progress), environment=_ENVIRONMENT, stop_with=signal.SIGINT)
    if not said.is_good:
        raise Miss(WAY, "apt-get install ended with {}".format(said.code), None, said.last_lines)


def _update(commands):
    """Whether it went well shows in what apt knows then. It does not wait for another apt by itself."""
    deadline = time.monotonic() + _LOCK_SECONDS
    while "Could not get lock" in commands.run(_apt("update"), environment=_ENVIRONMENT).output:
        if time.monotonic() > deadline:
            return
        time.sleep(_LOCK_PAUSE_SECONDS)


def _apt(*words):
    """Somebody else may be installing: a set-up that runs at the same time does."""
    options = ["-o", "DPkg::Lock::Timeout={}".format(_LOCK_SECONDS), "-o", "APT::Status-Fd=1"]
    return ["apt-get"] + options + list(words)


class AptListener:
    """Says how far apt is."""

    def __init__(self, progress):
        self._progress = progress
        self._size = ""

    def __call__(self, line):
        size = _DOWNLOAD.match(line)
        if size is not None:
            self._size = " ({})".format(size.group(1))
        status = _STATUS.match(line)
        if status is not None:
            does = "downloads" if status.group(1) == "dl" else "installs"
            self._progress.tell("{} Debian's packages{}".format(does, self._size), float(status.group(2)))


def _candidates(names, commands):
    return candidate_versions(commands.run(["apt-cache", "policy"] + names, environment=_ENVIRONMENT).output)


def candidate_versions(policy):
    """What apt would install, by package: versions as their authors call them, without Debian's epoch and revision."""
    matches = [(name, _UPSTREAM.match(version)) for name, version in _CANDIDATE.findall(policy)]
    return {name: match.group(1) for name, match in matches if match is not None}


def _knows_what_there_is():
    """An image may have no lists of packages, or old ones."""
    has_lists = bool(glob.glob(_LISTS + "/*_Packages*"))
    return has_lists and os.path.getmtime(_LISTS + "/partial") > time.time() - _FRESH_SECONDS


def _in_order(names):
    distinct = []
    for name in names:
        if name not in distinct:
            distinct.append(name)
    return distinct
