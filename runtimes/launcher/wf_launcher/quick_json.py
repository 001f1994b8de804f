"""JSON by the part of Python's json that is written in C. The other part needs regular expressions, and to import them
takes longer than all that the launcher does for a short task."""

try:
    from _json import encode_basestring as quoted_unicode
    from _json import encode_basestring_ascii as quoted
    from _json import make_encoder, make_scanner
except ImportError:  # an interpreter that is not CPython
    from json.decoder import JSONDecoder
    from json.encoder import JSONEncoder
    from json.encoder import py_encode_basestring as quoted_unicode
    from json.encoder import py_encode_basestring_ascii as quoted

    def make_scanner(options):
        return JSONDecoder(parse_constant=options.parse_constant).scan_once

    def make_encoder(*_):
        encode_whole = JSONEncoder(separators=(",", ":"), allow_nan=False).encode
        return lambda value, _: (encode_whole(value),)


_BLANK = " \t\n\r"
# How deep lists and objects of a value lie in each other at most: whoever reads it goes down step by step. `json.ts` of
# the core package has the same.
MOST_NESTED = 256


class _Lenient:
    strict = True
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__


def parser(parse_constant):
    """A function like `loads`; what `parse_constant` makes of NaN and the infinities stands for them."""

    class Options(_Lenient):
        pass

    Options.parse_constant = staticmethod(parse_constant)
    scan = make_scanner(Options)

    def parse(text):
        text = text.strip(_BLANK)
        try:
            value, end = _scanned(scan, text)
        except StopIteration:
            raise ValueError("no JSON") from None
        if end != len(text):
            raise ValueError("there is more than one JSON value")
        return value

    return parse


def is_nested_within(value, levels):
    """Whether lists and objects lie in each other at most so deep."""
    if not isinstance(value, (list, dict)):
        return True
    if levels == 0:
        return False
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (list, dict)) and not is_nested_within(inner, levels - 1):
            return False
    return True


def _scanned(scan, text):
    """Python 3.10 and 3.11 take the error of a text that is no JSON from the module json.decoder, but do not import it:
    where nobody has, they raise SystemError in its place."""
    try:
        return scan(text, 0)
    except SystemError:
        import json.decoder  # noqa: F401

        return scan(text, 0)


def _refuse(value):
    raise TypeError("{} is nothing that JSON could hold".format(type(value).__name__))


_encode = make_encoder(None, _refuse, quoted, None, ":", ",", False, False, False)
loads = parser(_Lenient.parse_constant)


def encode(value):
    """Text without spaces, in ASCII. Raises ValueError for NaN and the infinities."""
    return "".join(_encode(value, 0))
