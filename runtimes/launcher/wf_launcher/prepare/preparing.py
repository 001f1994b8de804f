"""The ways to a runtime, in their order."""

import os

from . import debian, interpreters, prepared, probe, virtual_environment
from .advice import advise
from .commands import Commands
from .draft import Draft
from .unavailable import Miss, Unavailable

FOUND = "found"


class Preparing:
    """Of one wish, by the one process that holds its lock."""

    def __init__(self, wish, progress, lock_fd, search_path):
        self._wish = wish
        self._progress = progress
        self._commands = Commands(progress, lock_fd)
        self._search_path = search_path
        self._draft = Draft(wish)
        self._verdicts = []
        self._misses = []

    def prepare(self):
        """The document of the runtime. Raises Unavailable."""
        ready = prepared.read(self._wish.folder)
        if ready is not None:
            return ready
        good = self.find()
        if good is not None:
            return self._draft.of_interpreter(FOUND, good)
        for way in self._ways():
            try:
                return way()
            except Miss as miss:
                self._progress.tell("{}: {}".format(miss.way, miss.says))
                self._misses.append(miss)
                self._draft.clear()
        raise self.unavailable()

    def find(self):
        """The verdict on an interpreter that has everything; None if there is none."""
        self._progress.tell("looks for a Python with {}".format(self._wish.shown))
        for program in interpreters.candidates(self._wish, self._search_path):
            verdict = probe.examine(program, self._wish)
            if verdict.is_good:
                return verdict
            if not verdict.starts or verdict.identity in [known.identity for known in self._verdicts]:
                continue
            self._verdicts.append(verdict)
            self._progress.tell(verdict.says)
        return None

    def foresee(self):
        """After `find` found nothing: how it would be built. Raises Unavailable where nothing can be tried."""
        for way in (self._foresee_debian, self._foresee_environment)[:: 1 if self._is_debian_first() else -1]:
            try:
                return way()
            except Miss as miss:
                self._misses.append(miss)
        raise self.unavailable()

    def unavailable(self):
        wish = self._wish
        package = next((miss.package for miss in self._misses if miss.package), None) or self._most_wanted()
        lacking = package or "Python {}".format(wish.requires_python.text)
        tried = [verdict.says for verdict in self._verdicts]
        for miss in self._misses:
            tried.append("{}: {}".format(miss.way, miss.says))
            tried += ["  " + line for line in miss.lines]
        advice, is_declared = advise(wish, self._verdicts, self._misses, self._search_path)
        return Unavailable("no Python with {} can be had".format(lacking), package, tried, advice, is_declared)

    def _most_wanted(self):
        """Of the interpreter that lacks least, what it lacks first."""
        problems = [verdict.problems for verdict in self._verdicts if "python" not in verdict.problems]
        return next(iter(min(problems, key=len)), None) if problems else None

    def _is_debian_first(self):
        """The index's PyTorch brings gigabytes of CUDA, which is worth it only where there is a GPU."""
        return self._wish.wants("torch") and not virtual_environment.has_gpu()

    def _ways(self):
        return (self._debian, self._environment)[:: 1 if self._is_debian_first() else -1]

    def _debian(self):
        names = debian.plan(self._wish, self._verdicts, self._commands, self._search_path)
        return self._draft.of_interpreter(debian.WAY, debian.install(self._wish, names, self._commands, self._progress))

    def _foresee_debian(self):
        names = debian.plan(self._wish, self._verdicts, self._commands, self._search_path)
        return {"how": debian.WAY, "says": "installs Debian's {}".format(" ".join(names))}

    def _environment(self):
        """Where uv does not work, pip may; where a package is to blame, it is so for both."""
        *others, last = self._builders()
        for builder in others:
            try:
                return self._draft.of_environment(builder.way, builder.build())
            except Miss as miss:
                if miss.package is not None:
                    raise
                self._misses.append(miss)
        return self._draft.of_environment(last.way, last.build())

    def _foresee_environment(self):
        builder = self._builders()[0]
        return {"how": builder.way, "says": "builds an environment with {}".format(builder.way)}

    def _builders(self):
        fit = [verdict for verdict in self._verdicts if "python" not in verdict.problems]
        own = None if self._wish.project is None else os.path.join(self._wish.project, ".venv") + "/"
        fit = [verdict for verdict in fit if own is None or not verdict.program.startswith(own)]
        if not fit:
            wanted = self._wish.requires_python.text
            raise Miss("venv", "no interpreter is of version {}".format(wanted) if wanted else "no python3 starts")
        return virtual_environment.builders(
            self._wish, fit[0].executable, self._draft, self._commands, self._progress, self._search_path
        )
