"""fuse_folder.py FOLDER: mounts an empty FUSE file system, as sshfs would, until standard input ends. Needs root.

It answers what a look at an empty folder asks for, and refuses the rest.
"""

import ctypes
import errno
import os
import select
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, STATFS, INIT, ACCESS = 1, 2, 3, 17, 26, 34
NO_SUID, NO_DEV, DETACH = 2, 4, 2
FOLDER_MODE = 0o40755
REFUSALS = {LOOKUP: errno.ENOENT, ACCESS: errno.ENOSYS}

libc = ctypes.CDLL(None, use_errno=True)


def attributes(node):
    now = int(time.time())
    attr = struct.pack("<6Q10I", node, 0, 0, now, now, now, 0, 0, 0, FOLDER_MODE, 2, 0, 0, 0, 4096, 0)
    return struct.pack("<QII", 0, 0, 0) + attr


def answer(code, node):
    """(error, body)"""
    if code == INIT:
        return 0, struct.pack("<4I2HI", 7, 22, 0, 0, 0, 0, 4096)
    if code == GETATTR:
        return 0, attributes(node)
    if code == STATFS:
        return 0, struct.pack("<5Q4I24x", 1000, 1000, 1000, 1000, 1000, 4096, 255, 4096, 0)
    return -REFUSALS.get(code, errno.EACCES), b""


def main(folder):
    device = os.open("/dev/fuse", os.O_RDWR)
    options = "fd={},rootmode=40000,user_id=0,group_id=0,allow_other".format(device)
    if libc.mount(b"wf-test", folder.encode(), b"fuse", NO_SUID | NO_DEV, options.encode()) != 0:
        sys.exit("cannot mount: " + os.strerror(ctypes.get_errno()))
    try:
        print("mounted", flush=True)
        while sys.stdin not in select.select([device, sys.stdin], [], [])[0]:
            request = os.read(device, 1 << 17)
            _, code, unique, node = struct.unpack_from("<IIQQ", request)
            if code == FORGET:
                continue
            error, body = answer(code, node)
            os.write(device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)
    finally:
        libc.umount2(folder.encode(), DETACH)


main(sys.argv[1])
