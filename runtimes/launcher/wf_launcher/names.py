"""Text and file names. JSON holds Unicode text; the kernel holds bytes; Python holds native strings between them.

On a UTF-8 system native strings are the text itself. Where the file system encoding is another one (Python 3.6 under
LANG=C), a native string carries the UTF-8 bytes by surrogateescape, so that names mean the same on every node.
"""

import os
import sys

_MOST_BYTES = 255
# How many steps a path below an artifact has at most; beyond that, paths become longer than systems take.
MOST_DEEP = 256
_IS_UTF8 = sys.getfilesystemencoding().lower().replace("-", "") == "utf8"


def native(text):
    """The name that the operating system knows this text by."""
    return text if _IS_UTF8 else os.fsdecode(text.encode("utf-8"))


def text(native_name):
    """The Unicode text of a name; raises UnicodeDecodeError for a name that is not UTF-8."""
    return os.fsencode(native_name).decode("utf-8")


def printable(native_name):
    """For messages: never raises."""
    return os.fsencode(native_name).decode("utf-8", "replace")


def is_plain(name):
    """One component of a path, which can leave no folder, and which a file can have. Names in documents become paths on
    machines that the task never saw, so whatever else they are, they are this."""
    if not isinstance(name, str) or name in ("", ".", "..") or "/" in name or "\0" in name:
        return False
    try:
        return len(name.encode("utf-8")) <= _MOST_BYTES
    except UnicodeEncodeError:  # a half of a surrogate pair
        return False


def is_inside(path):
    """A relative path that stays below its root, and not deeper than anybody goes."""
    parts = path.split("/") if isinstance(path, str) else ()
    return 0 < len(parts) <= MOST_DEEP and all(is_plain(part) for part in parts)


def is_hash(name):
    """What content lies under in every store: 64 hexadecimal digits."""
    return isinstance(name, str) and len(name) == 64 and not name.strip("0123456789abcdef")


def code_units(text_):
    """Sort key: the order in which JavaScript sorts strings."""
    return text_.encode("utf-16-be", "surrogatepass")
