"""How fast this machine starts processes: the reference for starting tasks.

Keeps as many `true` in flight as there are cores, with posix_spawn and wait4, and prints how many
ended per second. Arguments: how many to start (default 5000), how many in flight, and another command.
"""

import os
import shutil
import sys
import time


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    command = sys.argv[3:] or ["true"]
    program = shutil.which(command[0])
    if program is None:
        sys.exit("reference-loop: there is no `{}` on the PATH".format(command[0]))
    in_flight = int(sys.argv[2]) if len(sys.argv) > 2 else cores()
    started = ended = 0
    begin = time.perf_counter()
    while ended < count:
        while started < count and started - ended < in_flight:
            os.posix_spawn(program, command, os.environ)
            started += 1
        _, status, _ = os.wait4(-1, 0)
        if status != 0:
            sys.exit(f"reference-loop: the command ended with status {status}")
        ended += 1
    print(round(count / (time.perf_counter() - begin), 1))


main()
