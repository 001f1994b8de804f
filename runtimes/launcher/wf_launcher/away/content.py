"""All content that a value stands on: the objects that have to be there so that it can be staged."""

from .. import canonical

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
        manifest = None if content is None else canonical.parse(content)
        if kind == "directory":
            yield from (entry["hash"] for entry in (manifest or {}).get("entries", ()))
            return
        columns = (manifest or {}).get("columns", {})
        for row in (manifest or {}).get("rows", ()):
            yield from (row[column]["hash"] for column in columns if columns[column] == "file")
    except (ValueError, KeyError, TypeError, AttributeError):
        return  # a damaged manifest is told by who stages it


def executables_of(value, read):
    """The objects that manifests say are programs, for a store that keeps no modes."""
    found = set()
    for content_hash in manifests_of(value):
        content = read(content_hash)
        if content is not None and b'"executable"' in content:
            entries = canonical.parse(content).get("entries", ())
            found.update(entry["hash"] for entry in entries if entry.get("executable"))
    return found


def is_hash(name):
    return len(name) == 64 and not name.strip("0123456789abcdef")


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
