"""What an attempt uses over time: one point a second at first, fewer later, about five hundred at most."""

from . import proc

FIRST_SECONDS = 1.0
_SLOWEST_SECONDS = 10.0
_GROWS_AFTER_SECONDS = 60.0
_POINTS = 500


class Series:
    def __init__(self):
        self.points = []  # rows of the record's series columns
        self.peak_memory_bytes = 0
        self._every = 1  # keeps each n-th sample
        self._seen = 0
        self._last_seconds = 0.0
        self._last_cpu_seconds = 0.0
        self._gpu_percents = _Mean()
        self._gpu_peak_bytes = None

    def next_delay(self, elapsed):
        return min(_SLOWEST_SECONDS, max(FIRST_SECONDS, elapsed / _GROWS_AFTER_SECONDS))

    def sample(self, seconds, pids, totals, gpu):
        """`totals`: of processes that were reaped already. `gpu`: (percent, bytes), either of them None."""
        used = _of_tree(pids)
        if used is None:
            return
        ticks, memory_bytes, read, written = used
        cpu_seconds = totals.user + totals.system + ticks / proc.TICKS_A_SECOND
        passed = seconds - self._last_seconds
        percent = max(0.0, 100 * (cpu_seconds - self._last_cpu_seconds) / passed) if passed > 0 else None
        self._last_seconds, self._last_cpu_seconds = seconds, cpu_seconds
        self.peak_memory_bytes = max(self.peak_memory_bytes, memory_bytes)
        gpu_percent, gpu_bytes = gpu
        self._gpu_percents.add(gpu_percent)
        if gpu_bytes is not None:
            self._gpu_peak_bytes = max(self._gpu_peak_bytes or 0, gpu_bytes)
        self._keep(
            [
                round(seconds, 3),
                None if percent is None else round(percent, 1),
                memory_bytes,
                None if read is None else read + totals.read,
                None if written is None else written + totals.written,
                gpu_percent,
                gpu_bytes,
            ]
        )

    def _keep(self, point):
        self._seen += 1
        if self._seen % self._every == 0:
            self.points.append(point)
        if len(self.points) >= _POINTS:
            self.points = self.points[1::2]
            self._every *= 2

    @property
    def gpu_percent(self):
        return self._gpu_percents.value

    @property
    def gpu_peak_bytes(self):
        return self._gpu_peak_bytes


class _Mean:
    def __init__(self):
        self._sum = 0.0
        self._count = 0

    def add(self, value):
        if value is not None:
            self._sum += value
            self._count += 1

    @property
    def value(self):
        return round(self._sum / self._count, 2) if self._count else None


def _of_tree(pids):
    """(cpu ticks, resident bytes, read, written) summed; None when no process could be seen."""
    ticks = memory_bytes = read = written = 0
    seen = has_io = False
    for pid in pids:
        stat = proc.stat_of(pid)
        if stat is None:
            continue
        seen = True
        ticks += stat.cpu_ticks
        memory_bytes += stat.resident_bytes
        io = proc.io_of(pid)
        if io is not None:
            has_io = True
            read += io[0]
            written += io[1]
    if not seen:
        return None
    return ticks, memory_bytes, read if has_io else None, written if has_io else None
