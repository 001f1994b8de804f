"""All content that a value stands on: the objects that have to be there so that it can be staged."""

from .. import forms
from ..names import is_hash

_IS_MANIFEST = ("directory", "dataset")


def values_of(job):
    """What the tasks of a job begin with."""
    for spec in job["tasks"]:
        for item in spec["inputs"]:
            yield item["value"]
        begins_with = spec.get("checkpoint", {}).get("from")
        if begins_with is not None:
            yield begins_with


def hashes_of(value, read):
    """The objects, each once, a manifest before what it names. `read(hash)` gives the bytes of one, or None where it
    is not there: then what it would name is not told."""
    return list(dict.fromkeys(_walk(value, read)))


def manifests_of(value):
    """Those that have to be there before all of its content is known."""
    if value["kind"] == "list":
        return [found for item in value["items"] for found in manifests_of(item)]
    return [value["hash"]] if value["kind"] in _IS_MANIFEST else []


def _walk(value, read):
    kind = value["kind"]
    if kind == "list":
        for item in value["items"]:
            yield from _walk(item, read)
    elif kind != "absent":
        yield value["hash"]
        if kind in _IS_MANIFEST:
            yield from _named(value["hash"], kind, read)


def _named(content_hash, kind, read):
    content = read(content_hash)
    try:
        manifest = None if content is None else forms.read_manifest(content, kind)
    except (ValueError, RecursionError):
        return  # it is told by who stages it
    if manifest is None:
        return
    if kind == "directory":
        yield from (entry["hash"] for entry in manifest["entries"])
        return
    columns = manifest["columns"]
    for row in manifest["rows"]:
        yield from (row[column]["hash"] for column in columns if columns[column] == "file")


def executables_of(value, read):
    """The objects that manifests say are programs, for a store that keeps no modes."""
    found = set()
    for content_hash in manifests_of(value):
        content = read(content_hash)
        if content is None or b'"executable"' not in content:
            continue
        try:
            entries = forms.read_manifest(content, "directory")["entries"]
        except (ValueError, RecursionError):
            continue  # it is told by who stages it
        found.update(entry["hash"] for entry in entries if entry.get("executable"))
    return found


def reader(folder):
    """`read` for a store on this machine."""

    def read(content_hash):
        if not is_hash(content_hash):
            return None
        try:
            with open(folder.object(content_hash), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    return read
