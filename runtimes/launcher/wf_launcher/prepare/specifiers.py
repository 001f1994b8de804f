"""Which versions a requirement admits: `>=1.21,<2`, as PEP 440 says."""

import re

from .versions import Version

_CLAUSE = re.compile(r"(===|~=|==|!=|<=|>=|<|>)\s*(\S+)$")


class Specifiers:
    def __init__(self, text):
        """Raises ValueError for what cannot be understood."""
        self.text = text.strip()
        self._clauses = [_clause(part) for part in self.text.split(",") if part.strip()]

    def __bool__(self):
        return bool(self._clauses)

    def admit(self, text):
        """Law: what a package was built from decides, so a build from sources counts as the release that it is of."""
        try:
            version = Version(text)
        except ValueError:
            return not self._clauses
        if all(_holds(version, *clause) for clause in self._clauses):
            return True
        return version.is_source_build and all(_holds(version.released(), *clause) for clause in self._clauses)


def _clause(text):
    match = _CLAUSE.match(text.strip())
    if match is None:
        raise ValueError("not a version specifier: {!r}".format(text.strip()))
    operator, wanted = match.groups()
    if operator == "===":
        return operator, wanted, None
    is_prefix = wanted.endswith(".*")
    if is_prefix and operator not in ("==", "!="):
        raise ValueError("not a version specifier: {!r}".format(text.strip()))
    version = Version(wanted[:-2] if is_prefix else wanted)
    if operator == "~=" and len(version.release) < 2:
        raise ValueError("not a version specifier: {!r}".format(text.strip()))
    return operator, version, is_prefix


def _holds(version, operator, wanted, is_prefix):
    if operator == "===":
        return version.text == wanted.lower()
    if operator == "==":
        return _equals(version, wanted, is_prefix)
    if operator == "!=":
        return not _equals(version, wanted, is_prefix)
    if operator == "~=":
        return version.public >= wanted.public and _starts_with(version, wanted.release[:-1])
    if operator == ">=":
        return version.public >= wanted.public
    if operator == "<=":
        return version.public <= wanted.public
    if operator == "<":
        is_its_prerelease = version.is_prerelease and not wanted.is_prerelease and version.base == wanted.base
        return version.public < wanted.public and not is_its_prerelease
    is_its_postrelease = version.post is not None and wanted.post is None and version.base == wanted.base
    return version.public > wanted.public and not is_its_postrelease


def _equals(version, wanted, is_prefix):
    if is_prefix:
        return version.epoch == wanted.epoch and _starts_with(version, wanted.release)
    return version.order == wanted.order if wanted.local is not None else version.public == wanted.public


def _starts_with(version, release):
    padded = version.release + (0,) * len(release)
    return padded[: len(release)] == release
