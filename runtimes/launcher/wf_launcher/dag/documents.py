"""The documents of an exported DAG. Their shape is that of the project's export-dagman package."""

from .. import quick_json
from ..names import is_plain

VERSION = 1
# DAGMan is told to try no node again that ends so.
FOR_GOOD = 65


class Refusal(Exception):
    """Why a node cannot do its work, in words. To try it again would be in vain."""


def read(path):
    try:
        with open(path, "rb") as file:
            document = quick_json.loads(file.read().decode("utf-8"))
        version = document["version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Refusal("cannot read {}: {!r}".format(path, error)) from None
    if version != VERSION:
        raise Refusal("this launcher reads version {} of {}, not {!r}".format(VERSION, path, version))
    return document


def node_path(storage, name):
    if not is_plain(name):
        raise Refusal("not a node's name: {!r}".format(name))
    return "{}/nodes/{}.json".format(storage, name)
