"""JSON Schema, as far as packages/protocol/schemas uses it. A keyword that is not known here is an error: a check that is
passed over would look like one that was passed."""

import functools
import json
import os
import re

from wf_launcher.names import is_inside, is_plain

FOLDER = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, os.pardir, "packages", "protocol", "schemas"
)

_TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "number": lambda value: _is_number(value),
    "integer": lambda value: _is_number(value) and value == int(value),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_FORMATS = {"plain-name": is_plain, "plain-path": is_inside}
_SILENT = ("$schema", "$defs")


class Misfit(AssertionError):
    pass


class Schema:
    def __init__(self, document):
        self._read = lambda: document

    @classmethod
    def named(cls, name):
        """One of the schemas that are made from packages/protocol. It is read when something is checked against it: who
        takes these tests' servers elsewhere has no schemas there."""
        schema = cls(None)
        schema._read = functools.lru_cache(maxsize=None)(lambda: stored(name + ".schema.json"))
        return schema

    def check(self, value):
        """Raises Misfit, which says where and why."""
        self._check(self._read(), value, "")

    def _check(self, schema, value, where):
        for keyword, wanted in schema.items():
            if keyword in _SILENT:
                continue
            try:
                check = getattr(self, "_" + keyword.replace("$", ""))
            except AttributeError:
                raise ValueError("the keyword {} is not known here".format(keyword))
            check(wanted, value, where, schema)

    def _ref(self, wanted, value, where, _):
        schema = self._read()
        for step in wanted.split("/")[1:]:
            schema = schema[step]
        self._check(schema, value, where)

    def _type(self, wanted, value, where, _):
        types = wanted if isinstance(wanted, list) else [wanted]
        if not any(_TYPES[one](value) for one in types):
            raise _misfit(where, value, "not of type " + " or ".join(types))

    def _const(self, wanted, value, where, _):
        if not _is_same(value, wanted):
            raise _misfit(where, value, "not {!r}".format(wanted))

    def _enum(self, wanted, value, where, _):
        if not any(_is_same(value, one) for one in wanted):
            raise _misfit(where, value, "not one of {!r}".format(wanted))

    def _anyOf(self, wanted, value, where, _):
        self._count_fits(wanted, value, where, lambda fits: fits >= 1)

    def _oneOf(self, wanted, value, where, _):
        self._count_fits(wanted, value, where, lambda fits: fits == 1)

    def _count_fits(self, schemas, value, where, is_enough):
        misfits = []
        for schema in schemas:
            try:
                self._check(schema, value, where)
            except Misfit as misfit:
                misfits.append(str(misfit))
        if not is_enough(len(schemas) - len(misfits)):
            raise _misfit(where, value, "fits none or too many of: " + "; ".join(misfits))

    def _minimum(self, wanted, value, where, _):
        if _is_number(value) and value < wanted:
            raise _misfit(where, value, "below {}".format(wanted))

    def _maximum(self, wanted, value, where, _):
        if _is_number(value) and value > wanted:
            raise _misfit(where, value, "above {}".format(wanted))

    def _exclusiveMinimum(self, wanted, value, where, _):
        if _is_number(value) and value <= wanted:
            raise _misfit(where, value, "not above {}".format(wanted))

    def _pattern(self, wanted, value, where, _):
        # In JavaScript $ is the very end; in Python a newline may follow it.
        if isinstance(value, str) and not re.search(re.sub(r"\$$", r"\\Z", wanted), value):
            raise _misfit(where, value, "not like " + wanted)

    def _format(self, wanted, value, where, _):
        if isinstance(value, str) and not _FORMATS[wanted](value):
            raise _misfit(where, value, "not a " + wanted)

    def _minItems(self, wanted, value, where, _):
        if isinstance(value, list) and len(value) < wanted:
            raise _misfit(where, value, "has fewer than {} items".format(wanted))

    def _items(self, wanted, value, where, _):
        for index, item in enumerate(value if isinstance(value, list) else ()):
            self._check(wanted, item, "{}[{}]".format(where, index))

    def _required(self, wanted, value, where, _):
        for name in wanted if isinstance(value, dict) else ():
            if name not in value:
                raise _misfit(where, value, "has no " + name)

    def _properties(self, wanted, value, where, _):
        for name, schema in wanted.items() if isinstance(value, dict) else ():
            if name in value:
                self._check(schema, value[name], "{}.{}".format(where, name))

    def _additionalProperties(self, wanted, value, where, schema):
        for name in value if isinstance(value, dict) else ():
            if name in schema.get("properties", {}):
                continue
            if wanted is False:
                raise _misfit(where, value, "has a member of which the schema knows nothing: " + name)
            if wanted is not True:
                self._check(wanted, value[name], "{}.{}".format(where, name))

    def _propertyNames(self, wanted, value, where, _):
        for name in value if isinstance(value, dict) else ():
            self._check(wanted, name, "{}.{}".format(where, name))


def stored(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return json.load(file)


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_same(value, wanted):
    """True is not 1."""
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _misfit(where, value, why):
    shown = repr(value)
    return Misfit("{}: {}{}: {}".format(where or "the document", shown[:200], "…" if len(shown) > 200 else "", why))
