"""Requirements as pyproject.toml and requirements.txt write them (PEP 508)."""

import re

from .markers import holds
from .specifiers import Specifiers

_NAMED = re.compile(
    r"""(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*
        (?:\[(?P<extras>[^\]]*)\])?\s*
        (?:@\s*(?P<url>\S+)|\(?\s*(?P<specifiers>[^()]*?)\s*\)?)$""",
    re.VERBOSE,
)
_PLACE = re.compile(r"\.{0,2}/|[a-z][a-z0-9+.-]*://|file:", re.IGNORECASE)
_LINE_OPTIONS = re.compile(r"\s--[a-z].*$")
_RELATIVE = re.compile(r"(^|\s|=)\.\.?/")


class Requirement:
    """`name` is None for a file or an address: only a package's own files tell what it is called."""

    def __init__(self, text):
        """Raises ValueError for what cannot be understood."""
        self.text = text.strip()
        wanted = _LINE_OPTIONS.sub("", self.text)
        if _PLACE.match(wanted):
            self.name, self.extras, self.url, self.specifiers, self.marker = None, [], wanted, Specifiers(""), None
            return
        wanted, _, marker = wanted.partition(";")
        match = _NAMED.match(wanted.strip())
        if match is None:
            raise ValueError("not a requirement: {!r}".format(self.text))
        self.name = normal_name(match.group("name"))
        self.extras = [extra.strip() for extra in (match.group("extras") or "").split(",") if extra.strip()]
        self.url = match.group("url")
        self.specifiers = Specifiers(match.group("specifiers") or "")
        self.marker = marker.strip() or None

    @property
    def is_plain(self):
        """A name and versions: all that a package which is there already can be compared with."""
        return self.name is not None and self.url is None and not self.extras

    def counts_for(self, environment):
        return self.marker is None or holds(self.marker, dict(environment, extra=""))


def normal_name(name):
    """PEP 503: `Scikit_Learn` and `scikit-learn` are one package."""
    return re.sub("[-_.]+", "-", name).lower()


def is_option(line):
    """`--index-url …`: for the installer, no requirement."""
    return line.startswith("-")


def parse(lines):
    return [Requirement(line) for line in lines if not is_option(line)]


def names_a_place_nearby(lines):
    """Whether what is meant depends on the folder of the project."""
    return any(_RELATIVE.search(line) for line in lines)
