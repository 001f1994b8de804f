"""What a runtime is wanted for: the requirements of a project, and where runtimes lie on the site."""

import hashlib
import json
import os

from ..canonical import canonical
from ..names import code_units, native
from . import requirements
from .specifiers import Specifiers

_TEXT = (str, type(None))
_FIELDS = {"requirements": list, "requiresPython": _TEXT, "python": _TEXT, "project": _TEXT, "runtimes": str}
_KEY_LENGTH = 16


class Wish:
    def __init__(self, document):
        """Raises ValueError, which says what is wrong."""
        for name, kinds in _FIELDS.items():
            if not isinstance(document.get(name), kinds):
                raise ValueError("no proper {}: {!r}".format(name, document.get(name)))
        self.lines = sorted(document["requirements"], key=code_units)
        self.requirements = requirements.parse(self.lines)
        self.requires_python = Specifiers(document["requiresPython"] or "")
        self.python = document["python"]
        self.project = document["project"]
        self.runtimes = os.path.abspath(native(document["runtimes"]))
        place = self.project if requirements.names_a_place_nearby(self.lines) else None
        self.key = key_of(self.lines, document["requiresPython"], self.python, place)
        self.folder = os.path.join(self.runtimes, self.key)

    @property
    def shown(self):
        return ", ".join(self.lines) or "Python " + self.requires_python.text

    def wants(self, name):
        return any(requirement.name == name for requirement in self.requirements)


def key_of(lines, requires_python, python, project):
    """Law: what `runtimeKey` in TypeScript makes of the same wish. The place of a project enters it only where a
    requirement is a path from there."""
    wish = {"requirements": sorted(lines, key=code_units), "python": python, "project": project}
    wish["requiresPython"] = requires_python
    return hashlib.sha256(canonical(wish)).hexdigest()[:_KEY_LENGTH]


def read(path):
    """Raises OSError and ValueError."""
    with open(path, "rb") as file:
        document = json.loads(file.read().decode("utf-8"))
    if not isinstance(document, dict):
        raise ValueError("not a wish: {!r}".format(document))
    return Wish(document)


def of_project(folder, runtimes):
    """The wish of a project that has a pyproject.toml, for who has no TypeScript yet. Raises OSError and ValueError;
    ImportError where this Python cannot read TOML."""
    toml = _toml()
    folder = os.path.abspath(folder)
    with open(os.path.join(folder, "pyproject.toml"), "rb") as file:
        project = toml.loads(file.read().decode("utf-8")).get("project", {})
    return Wish(
        {
            "requirements": [line.strip() for line in project.get("dependencies", [])],
            "requiresPython": project.get("requires-python"),
            "python": None,
            "project": folder,
            "runtimes": runtimes,
        }
    )


def _toml():
    try:
        import tomllib

        return tomllib
    except ImportError:
        import site

        site.main()  # the launcher is started without it, and pip lies there
        from pip._vendor import tomli

        return tomli
