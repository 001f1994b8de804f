"""What a transport asks of the machine at its far side.

It is sent on standard input in front of one request, and stands on Python 3.6 and its standard library alone.
Requests and answers are lines of JSON; content follows as raw bytes, so that thousands of small files are one stream.
Law: a file gets its name by a rename, when its content is known to have the hash that was promised.
"""
import errno
import hashlib
import json
import os
import stat
import struct
import sys
import time

REQUESTS, ANSWERS = sys.stdin.buffer, sys.stdout.buffer
FRAME = struct.Struct(">cII32s")  # kind, number of the file, bytes that follow, hash
MISSING = (errno.ENOENT, errno.ENOTDIR)
CHUNK = 1 << 20
GROUP_SHARES = 0o2020
MASK = os.umask(0)  # modes are meant as they are said; folders get the user's own


def answer(**what):
    ANSWERS.write(json.dumps(what).encode() + b"\n")
    ANSWERS.flush()


def as_path(text):
    return text.encode("utf-8", "surrogateescape")


def name_of(error):
    return errno.errorcode.get(error.errno, str(error.errno))


def room_of(folder):
    """[free bytes, all bytes] of its disk; None where that cannot be said."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    free = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
    return [free * disk.f_frsize, disk.f_blocks * disk.f_frsize]


def receive(size):
    data = REQUESTS.read(size)
    if len(data) != size:
        sys.exit(3)  # the near side has gone; it asks again
    return data


def in_folder(path, act):
    """Does something that makes `path`, and its folders when they are first missed."""
    try:
        return act()
    except OSError as error:
        if error.errno not in MISSING:
            raise
    make_folder(os.path.dirname(path))
    return act()


def make_folder(path):
    """With those above it. Those that are made are private, or shared as the one that they are made in."""
    try:
        os.mkdir(path, 0o777 & ~MASK)
    except OSError as error:
        if error.errno == errno.EEXIST and os.path.isdir(path):
            return
        if error.errno != errno.ENOENT or os.path.dirname(path) == path:
            raise
        make_folder(os.path.dirname(path))
        return make_folder(path)
    parent = os.stat(os.path.dirname(path)).st_mode
    if parent & GROUP_SHARES == GROUP_SHARES:
        os.chmod(path, 0o2770)
    elif parent & 0o1002 != 0o0002:
        os.chmod(path, 0o700)


def hash_of(file):
    digest = hashlib.sha256()
    for chunk in iter(lambda: file.read(CHUNK), b""):
        digest.update(chunk)
    return digest.digest()


def write_all(file, content):
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(file, rest):]


def status(path):
    try:
        return os.stat(path)
    except OSError as error:
        if error.errno not in MISSING:
            raise
        return None


def is_there(path, size, mode):
    found = status(path)
    if found is None or not stat.S_ISREG(found.st_mode) or found.st_size != size:
        return False
    present = stat.S_IMODE(found.st_mode)
    if present | mode != present:
        try:
            os.chmod(path, present | mode)
        except PermissionError:
            return False  # another user's: it is replaced
    return True


def publish(part, path, mode, wanted):
    """Whether the file is there now, with the content that was promised. Another sender may have been faster."""
    try:
        with open(part, "rb") as file:
            if hash_of(file) != wanted:
                os.unlink(part)
                return False
            os.fchmod(file.fileno(), mode)
            in_folder(path, lambda: os.rename(part, path))
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return True
    except FileNotFoundError:
        pass
    if status(path) is None:
        return False
    with open(path, "rb") as other:
        return hash_of(other) == wanted


def forget_old(unfinished):
    """What nobody has touched for a week, nobody will finish."""
    oldest = time.time() - 7 * 24 * 3600
    for name in os.listdir(unfinished):
        path = os.path.join(unfinished, name)
        found = status(path)
        if found is not None and stat.S_ISREG(found.st_mode) and found.st_mtime < oldest:
            os.unlink(path)


def put(request):
    """Says which files are missing, takes small ones from the stream and large ones from where SFTP has put them."""
    root = as_path(request["root"])
    unfinished = os.path.join(root, as_path(request["unfinished"]))
    files = [(os.path.join(root, as_path(path)), size, mode) for path, size, mode in request["files"]]
    missing = [number for number, file in enumerate(files) if not is_there(*file)]
    in_folder(os.path.join(unfinished, b"x"), lambda: os.stat(unfinished))
    forget_old(unfinished)
    answer(missing=missing)
    own = os.path.join(unfinished, b"put-%s-" % os.urandom(8).hex().encode())
    while True:
        kind, number, size, wanted = FRAME.unpack(receive(FRAME.size))
        if kind == b"E":
            return answer(done=True)
        path, _, mode = files[number]
        if kind == b"P":
            part = os.path.join(unfinished, wanted.hex().encode() + b".part")
            answer(published=number, intact=publish(part, path, mode, wanted))
            continue
        content = receive(size)
        if hashlib.sha256(content).digest() != wanted:
            answer(published=number, intact=False)
            continue
        part = own + str(number).encode()
        try:
            file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            try:
                write_all(file, content)
            finally:
                os.close(file)
            in_folder(path, lambda: os.rename(part, path))
        except OSError as error:
            error.filename = error.filename or path
            if status(part) is not None:
                os.unlink(part)
            raise


def open_plain(path):
    """What is no file is as if it were not there: a pipe would be waited for, and a link may lead to what never ends."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return open(path, "rb")


def get(request):
    """Sends small files, each behind a line that says which one it is and how long."""
    root = as_path(request["root"])
    for number, path in request["files"]:
        try:
            with open_plain(os.path.join(root, as_path(path))) as file:
                content = file.read()
        except OSError as error:
            if error.errno not in MISSING:
                raise
            ANSWERS.write(b'{"number": %d, "missing": true}\n' % number)
            continue
        ANSWERS.write(b'{"number": %d, "size": %d}\n' % (number, len(content)) + content)
    answer(done=True)


def finish(request):
    """Gives an uploaded file its name."""
    answer(
        intact=publish(
            as_path(request["part"]), as_path(request["path"]), request["mode"], bytes.fromhex(request["hash"])
        )
    )


def sha256(request):
    hashes = []
    for path in map(as_path, request["paths"]):
        try:
            with open_plain(path) as file:
                hashes.append(hash_of(file).hex())
        except OSError as error:
            if error.errno not in MISSING:
                raise
            hashes.append(None)
    answer(hashes=hashes)


def why(request):
    """Tries to write where SFTP could not: it tells why, SFTP does not. What it has written is removed again."""
    folder = as_path(request["folder"])
    try:
        while status(folder) is None and folder not in (b"", b"/"):
            folder = os.path.dirname(folder)
        probe = os.path.join(folder, b".wf-probe-" + os.urandom(8).hex().encode())
        file = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            write_all(file, b"\0" * CHUNK)
            os.fsync(file)
        finally:
            os.close(file)
            os.unlink(probe)
    except OSError as error:
        return answer(reason=name_of(error), room=room_of(folder))
    answer(reason=None)


def main():
    request = json.loads(REQUESTS.readline().decode())
    try:
        {"put": put, "get": get, "finish": finish, "sha256": sha256, "why": why}[request["deed"]](request)
    except OSError as error:
        path = error.filename2 or error.filename or b""
        answer(
            errno=name_of(error),
            path=os.fsencode(path).decode("utf-8", "replace"),
            room=room_of(as_path(request.get("root", ""))),
        )


main()
