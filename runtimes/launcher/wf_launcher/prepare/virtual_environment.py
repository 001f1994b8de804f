"""An environment of its own for a runtime: with uv where that is, else with venv and pip."""

import os
import re
import urllib.error
import urllib.request

from . import debian, probe
from .commands import which
from .pip_settings import PipSettings
from .requirements import is_option
from .unavailable import Miss

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
UNREACHED = "the package index cannot be reached"
_REACH_SECONDS = 5
_GPU_DEVICES = ("/dev/nvidia0", "/dev/kfd")
_BLAMED = re.compile(
    r"(?:No matching distribution found for|satisfies the requirement|Because(?: only| there (?:is|are) no versions? of)?"
    r") ([A-Za-z0-9][A-Za-z0-9._-]*)"
)
_OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution|Network is unreachable|ProxyError"
    r"|Connection refused|ConnectTimeout|error sending request|dns error|Could not connect"
)
_TOLD = re.compile(r"(?:Collecting|Downloading|Building|Installing|Using cached|Resolved|Prepared|Installed)\b.*")


class Builder:
    """What `uv` and `venv` share. `way` names it, `make` makes an empty environment, `installer` begins the command
    that fills it."""

    def __init__(self, wish, base, draft, commands, progress):
        self._wish = wish
        self._base = base
        self._draft = draft
        self._commands = commands
        self._progress = progress
        self._settings = PipSettings()

    def build(self):
        """The verdict on an interpreter that has what is wanted. Raises Miss."""
        self._progress.tell("makes an environment with {} from {}".format(self.way, self._base))
        self._draft.clear()
        os.makedirs(os.path.dirname(self._draft.path), exist_ok=True)
        self.make()
        python = os.path.join(self._draft.path, "bin", "python3")
        listed = os.path.join(self._draft.path, "requirements.txt")
        with open(listed, "w", encoding="utf-8") as file:
            file.write("".join(_absolute(line, self._wish.project) + "\n" for line in self._wish.lines))
        argv = self.installer(python) + self._index_options() + ["-r", listed]
        said = self._commands.run(argv, self._tell, cwd=self._wish.project, environment=self.variables())
        if not said.is_good:
            raise _install_miss(self.way, said)
        self._progress.tell("checks that it works")
        verdict = probe.examine(python, self._wish, is_built=True)
        if not verdict.is_good:
            raise Miss(self.way, verdict.says, next(iter(verdict.problems)))
        return verdict

    def variables(self):
        return {}

    def has_an_index(self):
        return self._settings.names_an_index

    def _tell(self, line):
        told = _TOLD.match(line)
        if told is not None:
            self._progress.tell("{}: {}".format(self.way, told.group()[:160]))

    def _index_options(self):
        """PyTorch's own index has builds without CUDA. Where it cannot be reached, the default one has gigabytes of it;
        who names an index, in the project or in their settings, is not sent to another one."""
        is_named = any(is_option(line) and "index" in line for line in self._wish.lines)
        if not self._wish.wants("torch") or has_gpu() or is_named or self.has_an_index():
            return []
        if _is_reached(CPU_INDEX + "/torch/", self._settings):
            self._progress.tell("{}: takes PyTorch without CUDA from {}".format(self.way, CPU_INDEX))
            return ["--extra-index-url", CPU_INDEX]
        self._progress.tell("{} cannot be reached: the default PyTorch brings several GB of CUDA".format(CPU_INDEX))
        return []


class Uv(Builder):
    way = "uv"

    def __init__(self, uv, *rest):
        super().__init__(*rest)
        self._uv = uv

    def make(self):
        said = self._commands.run([self._uv, "venv", "--no-project", "--python", self._base, self._draft.path])
        if not said.is_good:
            raise Miss(self.way, "uv venv ended with {}".format(said.code), None, said.last_lines)

    def installer(self, python):
        into = [self._uv, "pip", "install", "--python", python, "--index-strategy", "unsafe-best-match"]
        return into + self._settings.options_for_uv()

    def variables(self):
        return self._settings.variables_for_uv()

    def has_an_index(self):
        return self._settings.uv_has_its_own or super().has_an_index()


class Venv(Builder):
    way = "venv"

    def __init__(self, search_path, *rest):
        super().__init__(*rest)
        self._search_path = search_path

    def make(self):
        """Debian's Python has no ensurepip of its own, but may have a pip that fills other environments, or is given
        what it lacks."""
        said = self._make_with_pip()
        if said.is_good or self._make_without_pip():
            return
        self._draft.clear()
        package = debian.venv_package(said.output)
        if package is not None and debian.why_not(self._search_path) is None:
            self._install(package)
            said = self._make_with_pip()
        if not said.is_good:
            says = "{} -m venv ended with {}".format(self._base, said.code)
            raise Miss(self.way, says, None, said.last_lines, package)

    def _install(self, package):
        try:
            debian.install_packages([package], self._commands, self._progress)
        except Miss as miss:
            raise Miss(self.way, miss.says, None, miss.lines, package)

    def _make_with_pip(self):
        self._pip = [os.path.join(self._draft.path, "bin", "python3"), "-m", "pip"]
        return self._commands.run([self._base, "-m", "venv", self._draft.path])

    def _make_without_pip(self):
        self._draft.clear()
        bare = self._commands.run([self._base, "-m", "venv", "--without-pip", self._draft.path])
        self._pip = [self._base, "-m", "pip", "--python", os.path.join(self._draft.path, "bin", "python3")]
        return bare.is_good and self._commands.run(self._pip + ["--version"]).is_good

    def installer(self, python):
        return self._pip + ["install", "--no-input", "--progress-bar", "off", "--retries", "2"]


def builders(wish, base, draft, commands, progress, search_path):
    """The best first."""
    shared = (wish, base, draft, commands, progress)
    uv = which("uv", search_path)
    return ([] if uv is None else [Uv(uv, *shared)]) + [Venv(search_path, *shared)]


def has_gpu():
    return any(os.path.exists(device) for device in _GPU_DEVICES)


def _is_reached(address, settings):
    """As pip would, by its proxy and with its certificates."""
    try:
        import ssl

        proxies = None if settings.proxy is None else {"http": settings.proxy, "https": settings.proxy}
        context = ssl.create_default_context(cafile=settings.certificates)
        handlers = [urllib.request.ProxyHandler(proxies), urllib.request.HTTPSHandler(context=context)]
        with urllib.request.build_opener(*handlers).open(address, timeout=_REACH_SECONDS):
            return True
    except (ImportError, OSError, ValueError, urllib.error.URLError):
        return False


def _absolute(line, project):
    return os.path.join(project, line) if project is not None and line.startswith(("./", "../")) else line


def _install_miss(way, said):
    lines = [line for line in said.last_lines if not line.startswith("WARNING: Retrying")]
    if _OFFLINE.search(said.output):
        return Miss(way, UNREACHED, None, lines)
    name = blamed_package(said.output)
    if name is not None:
        return Miss(way, "the package index has no {} that fits".format(name), name, lines)
    return Miss(way, "the installation ended with {}".format(said.code), None, lines)


def blamed_package(output):
    """The package that pip or uv could not find; None where they blame none."""
    blamed = _BLAMED.search(output)
    return None if blamed is None else blamed.group(1)
