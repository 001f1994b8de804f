"""What /proc says of processes. Where there is no such file (not Linux, or the process is gone) the answer is None or
empty: unknown, never zero."""

import os

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
# What Linux calls the pid namespace of a machine itself: from there, all others are seen.
MACHINES_OWN = "pid:[4026531836]"
_CHUNK = 65536
_WHOLE = 2048  # the kernel answers in pieces of up to a page; after one this short, nothing follows


def _read(path):
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        parts = [os.read(fd, _CHUNK)]
        while len(parts[-1]) > _WHOLE:
            parts.append(os.read(fd, _CHUNK))
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(fd)


def boot_id():
    return _read("/proc/sys/kernel/random/boot_id").decode("ascii").strip() or None


def pid_namespace():
    """In which the pids of this process mean something; None where the system does not tell."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return None


def io_of(pid):
    """(read, written, read from disk, written to disk) of a process and of the children that it has reaped. Zombies
    answer too, which makes the figures of a finished task exact; some kernels (6.18) let them answer to root alone."""
    return _io(_read("/proc/%d/io" % pid))


def io_of_reaped():
    """The same of all children that this process has reaped. It has one thread, whose own part can be told apart; that
    the first file was read is part of what the second one says."""
    content = _read("/proc/self/io")
    everything, own = _io(content), _io(_read("/proc/thread-self/io"))
    if everything is None or own is None:
        return None
    own_read = own[0] - len(content)
    return tuple(all_of_it - mine for all_of_it, mine in zip(everything, (own_read,) + own[1:]))


def _io(content):
    fields = content.split()
    if len(fields) < 12:
        return None
    return int(fields[1]), int(fields[3]), int(fields[9]), int(fields[11])


def file_lock_limit(pid):
    """The soft RLIMIT_LOCKS, which carries an attempt's tag (see spawn.py). Zombies answer too."""
    for line in _read("/proc/%d/limits" % pid).split(b"\n"):
        if line.startswith(b"Max file locks"):
            limit = line[14:].split()[0]
            return int(limit) if limit.isdigit() else None
    return None


class Stat:
    __slots__ = ("state", "parent", "session", "cpu_ticks", "start_ticks", "resident_bytes")


def stat_of(pid):
    """`cpu_ticks` holds the reaped children too."""
    content = _read("/proc/%d/stat" % pid)
    end = content.rfind(b")")
    if end < 0:
        return None
    fields = content[end + 2 :].split()
    stat = Stat()
    stat.state = fields[0].decode("ascii")
    stat.parent = int(fields[1])
    stat.session = int(fields[3])
    stat.cpu_ticks = int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
    stat.start_ticks = int(fields[19])
    stat.resident_bytes = int(fields[21]) * PAGE_BYTES
    return stat


def environment_of(pid):
    """Name to value, as bytes; empty for zombies and for processes of others."""
    pairs = (item.partition(b"=") for item in _read("/proc/%d/environ" % pid).split(b"\0"))
    return {name: value for name, _, value in pairs if name}


def catches(pid, number):
    """Whether the process has a handler for the signal, or holds it back to ask for it when it likes."""
    for line in _read("/proc/%d/status" % pid).split(b"\n"):
        if line.startswith((b"SigCgt:", b"SigBlk:")) and int(line.split()[1], 16) >> (number - 1) & 1:
            return True
    return False


def all_pids():
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def _children_of(pid):
    """Children of every thread, where the kernel keeps such a list."""
    folder = "/proc/%d/task" % pid
    try:
        threads = os.listdir(folder)
    except OSError:
        return []
    return [int(child) for thread in threads for child in _read("%s/%s/children" % (folder, thread)).split()]


HAS_PROC = os.path.exists("/proc/self/stat")
HAS_CHILDREN = os.path.exists("/proc/self/task/%d/children" % os.getpid())


def with_descendants(pids):
    """The given processes and everything below them, parents first."""
    if HAS_CHILDREN:
        return _walk(pids, _children_of)
    by_parent = {}
    for pid in all_pids():
        stat = stat_of(pid)
        if stat is not None:
            by_parent.setdefault(stat.parent, []).append(pid)
    return _walk(pids, lambda pid: by_parent.get(pid, ()))


def _walk(pids, children):
    found = list(dict.fromkeys(pids))
    seen = set(found)
    for pid in found:
        for child in children(pid):
            if child not in seen:
                seen.add(child)
                found.append(child)
    return found


class OwnChildren:
    """The launcher's direct children, orphans that came to it included, from a file that is kept open."""

    def __init__(self):
        self._pid = os.getpid()
        self._fd = None
        if HAS_CHILDREN:
            self._fd = os.open("/proc/self/task/%d/children" % self._pid, os.O_RDONLY)

    def list(self):
        if self._fd is None:
            return [pid for pid in with_descendants([self._pid])[1:] if _parent(pid) == self._pid]
        parts = [os.pread(self._fd, _CHUNK, 0)]
        while len(parts[-1]) > _WHOLE:
            parts.append(os.pread(self._fd, _CHUNK, sum(map(len, parts))))
        return [int(pid) for pid in b"".join(parts).split()]


def _parent(pid):
    stat = stat_of(pid)
    return None if stat is None else stat.parent
