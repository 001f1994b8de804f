"""Figures of several ranks as one. Law: a sum with an unknown part is unknown."""

from bisect import bisect

from ..usage import SUMMED

_TOLERANCE_SECONDS = 0.5


def summed_usage(usages, wall_seconds):
    """`usages` holds None for a rank of which nothing is known."""

    def total(name):
        values = [None if usage is None else usage[name] for usage in usages]
        return None if None in values else sum(values)

    usage = {name: total(name) for name in SUMMED}
    for name in ("userSeconds", "systemSeconds"):
        usage[name] = None if usage[name] is None else round(usage[name], 6)
    cpu = None if usage["userSeconds"] is None or usage["systemSeconds"] is None else (
        usage["userSeconds"] + usage["systemSeconds"]
    )
    gpu = total("gpuPercent")
    usage["wallSeconds"] = wall_seconds
    usage["cpuPercent"] = round(100 * cpu / wall_seconds, 2) if cpu is not None and wall_seconds > 0 else None
    usage["gpuPercent"] = None if gpu is None else round(gpu / len(usages), 2)
    return usage


def summed_series(all_points):
    """At the times of the rank that was sampled most often, with what each of the others used last before."""
    longest = max(all_points, key=len, default=[])
    sampled = [(points, [point[0] for point in points]) for points in all_points]
    return [_point(row[0], [_last(*one, before=row[0] + _TOLERANCE_SECONDS) for one in sampled]) for row in longest]


def _last(points, times, before):
    place = bisect(times, before)
    return points[place - 1] if place > 0 else None


def _point(seconds, rows):
    known = [row for row in rows if row is not None]
    columns = [[row[column] for row in known if row[column] is not None] for column in range(1, len(known[0]))]
    cpu, memory, read, written, gpu_percent, gpu_bytes = [sum(values) if values else None for values in columns]
    if gpu_percent is not None:
        gpu_percent = round(gpu_percent / len(columns[4]), 2)
    return [seconds, None if cpu is None else round(cpu, 1), memory, read, written, gpu_percent, gpu_bytes]
