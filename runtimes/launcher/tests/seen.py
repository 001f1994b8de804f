"""What lies somewhere, to be compared with what lies there later."""

import os


def seen(folder):
    """All that is below a folder, whatever it is, without a step through a link."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(place, name)
            status = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else None
            if content is None and os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
            found[path] = (status.st_mode, None if content is None else status.st_nlink, content)
    return found
