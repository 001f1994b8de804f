"""Text and file names. JSON holds Unicode text; the kernel holds bytes; Python holds native strings between them.

On a UTF-8 system native strings are the text itself. Where the file system encoding is another one (Python 3.6 under
LANG=C), a native string carries the UTF-8 bytes by surrogateescape, so that names mean the same on every node.
"""

import os
import sys

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
    """One component of a path, which can leave no folder."""
    return isinstance(name, str) and name not in ("", ".", "..") and "/" not in name and "\0" not in name


def is_inside(path):
    """A relative path that stays below its root."""
    return isinstance(path, str) and all(is_plain(part) for part in path.split("/"))


def code_units(text_):
    """Sort key: the order in which JavaScript sorts strings."""
    return text_.encode("utf-16-be", "surrogatepass")
