"""Known amounts of work: `workload.py VERB AMOUNT …`, such as `burn 0.5 allocate 64`; in seconds and megabytes."""

import sys
import time

MEGABYTE = 1 << 20


def burn(seconds):
    while time.process_time() < seconds:
        pass


held = []


def allocate(megabytes):
    block = bytearray(int(megabytes) * MEGABYTE)
    for page in range(0, len(block), 4096):
        block[page] = 1
    held.append(block)


def write(megabytes):
    with open("tmp/written", "wb", buffering=0) as file:
        for _ in range(int(megabytes)):
            file.write(b"x" * MEGABYTE)


def read(megabytes):
    with open("/dev/zero", "rb", buffering=0) as file:
        for _ in range(int(megabytes)):
            file.read(MEGABYTE)


words = sys.argv[1:]
for verb, amount in zip(words[::2], words[1::2]):
    {"burn": burn, "allocate": allocate, "write": write, "read": read, "sleep": time.sleep}[verb](float(amount))
