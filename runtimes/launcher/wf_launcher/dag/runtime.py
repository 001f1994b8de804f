"""Python runtimes of an exported DAG, below its own folder."""

from .. import quick_json
from ..prepare import prepared
from ..prepare.command import fulfil
from ..prepare.wish import Wish
from .documents import Refusal


def prepare_runtime(storage, key):
    path = "{}/runtimes/{}.json".format(storage, key)
    try:
        with open(path, "rb") as file:
            document = quick_json.loads(file.read().decode("utf-8"))
        wish = Wish(dict(document, runtimes=storage + "/runtimes"))
    except (OSError, ValueError, TypeError) as error:
        raise Refusal("cannot read {}: {}".format(path, error)) from None
    if wish.key != key:
        raise Refusal("{} is the wish for {}".format(path, wish.key))
    return fulfil(wish)


def folder_of(storage, key):
    """What goes first on the PATH of its tasks."""
    document = prepared.read("{}/runtimes/{}".format(storage, key))
    if document is None:
        raise Refusal("the Python runtime {} is not there, or has changed since it was made".format(key))
    return document["bin"]
