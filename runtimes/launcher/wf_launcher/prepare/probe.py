"""What an interpreter has, asked of the interpreter itself: what imports and works decides."""

import json
import os
import pkgutil
import subprocess

from . import package_names
from .probe_script import MARK

_SECONDS = 180
# What a task inherits (`Environment`), so that an interpreter shows what tasks will see.
_PASSED_ON = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ")


class Verdict:
    """Of one interpreter. `problems` says by package what is wrong; none means that it will do."""

    def __init__(self, program, answer, problems):
        self.program = program
        self.problems = problems
        self.executable = None if answer is None else answer["executable"]
        self.prefix = None if answer is None else answer["prefix"]
        self.version = None if answer is None else answer["version"]
        self.markers = None if answer is None else answer["markers"]
        self.packages = {} if answer is None else answer["packages"]

    @property
    def is_good(self):
        return not self.problems

    @property
    def identity(self):
        """Two names may lead to one interpreter, and one file may serve several environments."""
        return os.path.realpath(self.executable), self.prefix

    @property
    def starts(self):
        return self.executable is not None

    @property
    def says(self):
        return "{} (Python {}): {}".format(self.program, self.version, "; ".join(self.problems.values()))


def examine(program, wish, is_built=False):
    """Looks first, and loads only what looks right. What was `built` for this very wish need not prove versions of
    what has no plain name."""
    named = [requirement for requirement in wish.requirements if requirement.name is not None]
    answer = _ask(program, {requirement.name for requirement in named}, load=False)
    if answer is None:
        return Verdict(program, None, {"python": "it does not start"})
    if not wish.requires_python.admit(answer["version"]):
        wanted = "it is Python {}, and {} is wanted".format(answer["version"], wish.requires_python.text)
        return Verdict(program, answer, {"python": wanted})
    counting = [requirement for requirement in wish.requirements if requirement.counts_for(answer["markers"])]
    problems = {}
    for requirement in counting:
        if requirement.is_plain:
            _note(problems, requirement, _missing(requirement, answer["packages"][requirement.name]))
        elif not is_built:
            problems[requirement.text] = "{} is not a plain name and version".format(requirement.text)
    if problems:
        return Verdict(program, answer, problems)
    names = {requirement.name for requirement in counting if requirement.name is not None}
    loaded = _ask(program, names, load=True)
    if loaded is None:
        return Verdict(program, answer, {"python": "it ends while it imports {}".format(", ".join(sorted(names)))})
    for requirement in counting:
        if requirement.name is not None:
            _note(problems, requirement, _broken(requirement, loaded["packages"][requirement.name], is_built))
    return Verdict(program, loaded, problems)


def _note(problems, requirement, problem):
    if problem is not None:
        problems[requirement.name] = problem


def _missing(requirement, found):
    if not found["isThere"]:
        return "no {}".format(requirement.name)
    return None if found["version"] is None else _unfit(requirement, found["version"])


def _broken(requirement, found, is_built):
    if found["problem"] is not None:
        return "{} does not work ({})".format(requirement.name, found["problem"])
    if is_built and not requirement.is_plain:
        return None
    if found["version"] is None:
        return "{} does not tell its version".format(requirement.name) if requirement.specifiers else None
    return _unfit(requirement, found["version"])


def _unfit(requirement, version):
    if requirement.specifiers.admit(version):
        return None
    return "{} is {}, and {} is wanted".format(requirement.name, version, requirement.specifiers.text)


def prefix_of(program):
    """Where an interpreter has its packages; None if it does not start."""
    answer = _ask(program, (), load=False)
    return None if answer is None else answer["prefix"]


def _ask(program, names, load):
    question = {"load": load, "packages": {name: package_names.import_name(name) for name in names}}
    script = pkgutil.get_data(__package__, "probe_script.py").decode("utf-8")
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    try:
        done = subprocess.run(
            [program, "-c", script, json.dumps(question)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd="/",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    answers = [line[len(MARK) :] for line in lines if line.startswith(MARK)]
    return json.loads(answers[-1]) if done.returncode == 0 and answers else None
