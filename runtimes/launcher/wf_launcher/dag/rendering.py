"""Fills in what a command leaves open. Law: the same arguments that the engine would have made."""

from .. import canonical


def fill(argv, names):
    """`names` by source, then by name: a text, or a list of them."""
    return [word for argument in argv for word in _words(argument.split("\0"), names)]


def _words(pieces, names):
    if len(pieces) == 1:
        return pieces
    values = [names[source][name] for source, name in zip(pieces[1::3], pieces[2::3])]
    texts = pieces[::3]
    if len(values) == 1 and texts == ["", ""]:
        return [values[0]] if isinstance(values[0], str) else values[0]
    joined = [value if isinstance(value, str) else ",".join(value) for value in values] + [""]
    return ["".join(text + value for text, value in zip(texts, joined))]


def of_param(value):
    if value is None:
        return ""
    if isinstance(value, list):
        words = []
        for element in value:
            word = of_param(element)
            words += [word] if isinstance(word, str) else word
        return words
    return value if isinstance(value, str) else canonical.canonical(value).decode("utf-8")


def of_input(name, value):
    if value["kind"] == "absent":
        return []
    if value["kind"] == "list":
        return [_place("in/{}/{:06d}".format(name, index), item) for index, item in enumerate(value["items"])]
    return input_path(name, value)


def input_path(name, value):
    """Where it lies in the sandbox. A file keeps its own name."""
    return _place("in/" + name, value)


def _place(base, value):
    if value["kind"] == "file":
        return base + "/" + value["name"]
    return base + ".json" if value["kind"] == "json" else base
