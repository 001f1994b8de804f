"""One text per JSON value: the text that the project's `canonical` in TypeScript makes of it.

So numbers are those of JavaScript (1.0 is 1, integers beyond 2^53 are rounded), keys are sorted by UTF-16 code units,
and text is not escaped beyond what JSON needs.
"""

from . import quick_json
from .names import code_units

_EXACT_INTEGER = 1 << 53
# A document holds values a few steps down.
_MOST_NESTED_DOCUMENT = quick_json.MOST_NESTED + 8
_TOO_DEEP = "it is nested more than {} deep"


class NotJsonError(ValueError):
    """A value that JSON cannot hold, NaN or an infinity, or that is nested too deeply."""


def canonical(value):
    """UTF-8 bytes. Raises NotJsonError, and RecursionError for what is nested far too deeply."""
    return _text(value).encode("utf-8")


def parse(content, most_nested=_MOST_NESTED_DOCUMENT):
    """The value of JSON in UTF-8. Raises ValueError for all that JavaScript would refuse too."""
    text = content.decode("utf-8")
    try:
        value = _parse(text)
    except RecursionError:
        raise NotJsonError(_TOO_DEEP.format(most_nested)) from None
    has_few = text.count("[") + text.count("{") <= most_nested
    if not has_few and not quick_json.is_nested_within(value, most_nested):
        raise NotJsonError(_TOO_DEEP.format(most_nested))
    return value


def _refuse(constant):
    raise NotJsonError("{} is not JSON".format(constant))


_parse = quick_json.parser(_refuse)


def _text(value):
    if isinstance(value, str):
        return _string(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([_text(item) for item in value]) + "]"
    members = [_string(key) + ":" + _text(value[key]) for key in sorted(value, key=code_units)]
    return "{" + ",".join(members) + "}"


def _string(text):
    """A half of a surrogate pair has no UTF-8: JSON names it by its number."""
    return quick_json.quoted_unicode(text).encode("utf-8", "backslashreplace").decode("utf-8")


def number(value):
    """As JavaScript prints it (ECMA-262, Number::toString)."""
    if isinstance(value, int) and -_EXACT_INTEGER <= value <= _EXACT_INTEGER:
        return str(value)
    try:
        value = float(value)
    except OverflowError:
        raise NotJsonError("a number is too large") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise NotJsonError("a number is not finite")
    if value == 0:
        return "0"
    return ("-" if value < 0 else "") + _digits(repr(abs(value)))


def _digits(shortest):
    mantissa, _, exponent = shortest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return "{}{}e{}{}".format(digits[0], rest, "+" if point > 0 else "-", abs(point - 1))
