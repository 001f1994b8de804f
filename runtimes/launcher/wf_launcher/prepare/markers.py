"""Whether a requirement counts on an interpreter: `python_version < "3.11" and os_name == "posix"` (PEP 508)."""

import re

from .specifiers import Specifiers

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<operator>===|~=|==|!=|<=|>=|<|>|\bnot\s+in\b|\bin\b)
        |(?P<word>[A-Za-z_.]+)|(?P<bracket>[()]))""",
    re.VERBOSE,
)
_VERSIONS = ("python_version", "python_full_version", "implementation_version")


def holds(marker, environment):
    """`environment` has the values of an interpreter by name. Raises ValueError for what cannot be understood."""
    tokens = _tokens(marker)
    value = _either(tokens, environment)
    if tokens:
        raise ValueError("not a marker: {!r}".format(marker))
    return value


def _tokens(marker):
    tokens = []
    at = 0
    while marker[at:].strip():
        match = _TOKEN.match(marker, at)
        if match is None:
            raise ValueError("not a marker: {!r}".format(marker))
        tokens.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return tokens


def _either(tokens, environment):
    value = _both(tokens, environment)
    while _takes(tokens, "or"):
        value = _both(tokens, environment) or value
    return value


def _both(tokens, environment):
    value = _single(tokens, environment)
    while _takes(tokens, "and"):
        value = _single(tokens, environment) and value
    return value


def _single(tokens, environment):
    if _takes(tokens, "("):
        value = _either(tokens, environment)
        if not _takes(tokens, ")"):
            raise ValueError("a marker lacks a bracket")
        return value
    left_name, left = _operand(tokens, environment)
    _, operator = _next(tokens)
    right_name, right = _operand(tokens, environment)
    return _compare(left, operator, right, left_name in _VERSIONS or right_name in _VERSIONS)


def _operand(tokens, environment):
    """(name of the variable or None, its value)"""
    kind, token = _next(tokens)
    if kind == "text":
        return None, token[1:-1]
    name = token.replace(".", "_")
    if kind != "word" or name not in environment:
        raise ValueError("a marker has an unknown name: {}".format(token))
    return name, environment[name]


def _compare(left, operator, right, are_versions):
    if operator == "in":
        return left in right
    if operator.startswith("not"):
        return left not in right
    if are_versions:
        return Specifiers(operator + right).admit(left)
    results = {"==": left == right, "!=": left != right, "<": left < right, ">": left > right}
    results.update({"<=": left <= right, ">=": left >= right, "===": left == right})
    if operator not in results:
        raise ValueError("a marker cannot use {} here".format(operator))
    return results[operator]


def _next(tokens):
    if not tokens:
        raise ValueError("a marker ends too early")
    return tokens.pop(0)


def _takes(tokens, word):
    if tokens and tokens[0][1] == word and tokens[0][0] != "text":
        tokens.pop(0)
        return True
    return False
