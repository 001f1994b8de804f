"""How often the kernel ended a process of our control group for its memory."""

import os


class OomKills:
    def __init__(self, root=""):
        self._fd = None
        path = counter_file(root)
        if path is not None:
            try:
                self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                pass

    def count(self):
        """None where it is not known."""
        if self._fd is None:
            return None
        try:
            words = os.pread(self._fd, 4096, 0).split()
        except OSError:
            return None
        return int(words[words.index(b"oom_kill") + 1]) if b"oom_kill" in words else None


def counter_file(root):
    """The file with the line `oom_kill N`, of cgroup v1 or v2; None where there is neither."""
    try:
        with open(root + "/proc/self/cgroup") as file:
            lines = [line.rstrip("\n").split(":", 2) for line in file]
    except OSError:
        return None
    candidates = []
    for _, controllers, path in lines:
        if "memory" in controllers.split(","):
            candidates.append("/sys/fs/cgroup/memory{}/memory.oom_control".format(path))
        elif controllers == "":
            candidates.append("/sys/fs/cgroup{}/memory.events".format(path))
            candidates.append("/sys/fs/cgroup/unified{}/memory.events".format(path))
    # In a container the path may be the host's, while the files are mounted at the root.
    candidates += ["/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events"]
    return next((root + path for path in candidates if os.path.exists(root + path)), None)
