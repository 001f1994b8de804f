"""Finds the values that formulas stand for, from the results of the tasks that they name."""

from .. import canonical
from ..objects import hash_bytes
from . import datasets
from .documents import Refusal

ABSENT = {"kind": "absent"}


class Formulas:
    def __init__(self, results, content):
        self._results = results
        self._content = content

    def value(self, formula):
        """A value whose content lies in the store."""
        return self._kept(self._find(formula))

    def json(self, formula):
        """What a parameter is; None for what is absent."""
        return self._find(formula).get("value")

    def _kept(self, value):
        if value["kind"] == "list":
            return {"kind": "list", "items": [self._kept(item) for item in value["items"]]}
        if value["kind"] == "json" and "hash" not in value:
            text = canonical.canonical(value["value"])
            self._content.put(text, hash_bytes(text))
            return dict(value, hash=hash_bytes(text), size=len(text))
        return value

    def _find(self, formula):
        if "value" in formula:
            return formula["value"]
        if "list" in formula:
            return {"kind": "list", "items": [self._find(item) for item in formula["list"]]}
        return getattr(self, "_" + formula["op"])(formula)

    def _result(self, task):
        result = self._results.of(task)
        if result is None:
            raise Refusal("{} has no result".format(task))
        return result

    def _output(self, formula):
        return self._result(formula["task"])["outputs"].get(formula["name"], ABSENT)

    def _metric(self, formula):
        metrics = self._result(formula["task"])["metrics"]
        return _json(metrics[formula["name"]]) if formula["name"] in metrics else ABSENT

    def _known(self, formula, kind, use):
        """Absent stays absent, as in a run."""
        value = self._find(formula["of"])
        if value["kind"] == "absent":
            return value
        if value["kind"] != kind:
            raise Refusal("a {} is wanted where a {} is".format(kind, value["kind"]))
        return use(value)

    def _field(self, formula):
        name = formula["name"]
        return self._known(formula, "json", lambda of: _json((of["value"] or {}).get(name)))

    def _items(self, formula):
        return self._known(formula, "json", lambda of: _list([_json(item) for item in of["value"]]))

    def _flat(self, formula):
        return self._known(
            formula, "list", lambda of: _list([item for inner in of["items"] for item in inner.get("items", ())])
        )

    def _present(self, formula):
        return self._known(
            formula, "list", lambda of: _list([item for item in of["items"] if item["kind"] != "absent"])
        )

    def _column(self, formula):
        return self._known(
            formula, "dataset", lambda of: _list(datasets.column(self._content, of, formula["column"]))
        )

    def _pick(self, formula):
        return self._known(formula, "dataset", lambda of: datasets.pick(self._content, of, formula["columns"]))

    def _merge(self, formula):
        return self._known(
            formula, "list", lambda of: datasets.merge(self._content, of["items"], formula["columns"])
        )

    def _table(self, formula):
        lists = {name: self._find(column).get("items", []) for name, column in formula["of"].items()}
        return datasets.table(self._content, lists, formula["columns"])

    def _else(self, formula):
        value = self._find(formula["of"])
        return self._find(formula["otherwise"]) if value["kind"] == "absent" else value


def _json(value):
    return {"kind": "json", "value": value}


def _list(items):
    return {"kind": "list", "items": items}
