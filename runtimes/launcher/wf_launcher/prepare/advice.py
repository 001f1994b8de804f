"""What a person can type so that the next try succeeds."""

import os

from . import debian
from .requirements import is_option
from .virtual_environment import UNREACHED


def advise(wish, verdicts, misses, search_path):
    """Commands and instructions, the shortest way first; and whether it is the project that must change."""
    project = wish.project or "."
    unknown = next((miss.package for miss in misses if miss.way in ("uv", "venv") and miss.package), None)
    if unknown is not None:
        return ["correct or remove {} in {}".format(unknown, _declared_in(project))], True
    advice = _for_the_site(wish, verdicts, misses, project, search_path)
    if any(miss.says == UNREACHED for miss in misses):
        advice.insert(0, "let the package index be reached (https_proxy, or PIP_INDEX_URL for another index)")
    return advice, False


def _for_the_site(wish, verdicts, misses, project, search_path):
    if all("python" in verdict.problems for verdict in verdicts):
        wanted = wish.requires_python.text or "3"
        return ["install Python {}, and name it in sites.yaml: python: /path/to/python3".format(wanted)]
    advice = []
    packages = debian.packages_for(wish) if debian.is_debian(search_path) and os.geteuid() != 0 else None
    if packages is not None and wish.wants("torch"):
        advice.append(_apt_get(packages))
    lacking = next((miss.debian_package for miss in misses if miss.debian_package), None)
    if lacking is not None:
        return advice + [_apt_get([lacking])]
    base = next((verdict.executable for verdict in verdicts if "python" not in verdict.problems), "python3")
    environment = os.path.join(project, ".venv")
    wanted = " ".join(quoted(line) for line in wish.lines if not is_option(line))
    advice.append(
        "{} -m venv {} && {} -m pip install {}".format(
            quoted(base), quoted(environment), quoted(os.path.join(environment, "bin", "python3")), wanted
        )
    )
    return advice


def _apt_get(packages):
    words = ["apt-get", "install", "-y", "--no-install-recommends"] + packages
    return " ".join(words if os.geteuid() == 0 else ["sudo"] + words)


def _declared_in(project):
    for name in ("pyproject.toml", "requirements.txt"):
        path = os.path.join(project, name)
        if os.path.exists(path):
            return path
    return project


def quoted(word):
    """For a POSIX shell."""
    if word and all(letter.isalnum() or letter in "-_./=+:@%," for letter in word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
