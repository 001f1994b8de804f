"""What the processes of an attempt used, summed as each of them is reaped. Whoever adds a figure adds it here, in
every way in which it is written or summed, and to packages/protocol."""

# Of a distributed task these are the sums of what its ranks used.
SUMMED = (
    "userSeconds systemSeconds peakMemoryBytes readBytes writtenBytes diskReadBytes diskWrittenBytes voluntarySwitches "
    "involuntarySwitches majorFaults minorFaults peakGpuMemoryBytes"
).split()
_FIGURES = ["wallSeconds", "cpuPercent", "gpuPercent"] + SUMMED

# As `document` gives them to an encoder, for `plain_figures`.
PLAIN_TEMPLATE = (
    '{"wallSeconds":%.6f,"userSeconds":%.6f,"systemSeconds":%.6f,"cpuPercent":%.2f,"peakMemoryBytes":%d,"readBytes":%d,'
    '"writtenBytes":%d,"diskReadBytes":%d,"diskWrittenBytes":%d,"voluntarySwitches":%d,"involuntarySwitches":%d,'
    '"majorFaults":%d,"minorFaults":%d,"gpuPercent":null,"peakGpuMemoryBytes":null}'
)


class Totals:
    """Law: every process of the attempt is added once, either by itself or by the parent that reaped it."""

    __slots__ = (
        "user",
        "system",
        "max_rss_bytes",
        "voluntary",
        "involuntary",
        "major",
        "minor",
        "read",
        "written",
        "disk_read",
        "disk_written",
        "has_io",
    )

    def __init__(self):
        self.user = self.system = 0.0
        self.max_rss_bytes = self.voluntary = self.involuntary = self.major = self.minor = 0
        self.read = self.written = self.disk_read = self.disk_written = 0
        self.has_io = False

    def add(self, rusage, io):
        self.user += rusage.ru_utime
        self.system += rusage.ru_stime
        rss_bytes = rusage.ru_maxrss * MAX_RSS_UNIT
        if rss_bytes > self.max_rss_bytes:
            self.max_rss_bytes = rss_bytes
        self.voluntary += rusage.ru_nvcsw
        self.involuntary += rusage.ru_nivcsw
        self.major += rusage.ru_majflt
        self.minor += rusage.ru_minflt
        if io is not None:
            self.has_io = True
            self.read += io[0]
            self.written += io[1]
            self.disk_read += io[2]
            self.disk_written += io[3]

    def document(self, wall, sampled_peak_bytes, gpu_percent, gpu_peak_bytes):
        cpu = self.user + self.system
        io = self.has_io
        return {
            "wallSeconds": round(wall, 6),
            "userSeconds": round(self.user, 6),
            "systemSeconds": round(self.system, 6),
            "cpuPercent": round(100 * cpu / wall, 2) if wall > 0 else None,
            "peakMemoryBytes": max(self.max_rss_bytes, sampled_peak_bytes),
            "readBytes": self.read if io else None,
            "writtenBytes": self.written if io else None,
            "diskReadBytes": self.disk_read if io else None,
            "diskWrittenBytes": self.disk_written if io else None,
            "voluntarySwitches": self.voluntary,
            "involuntarySwitches": self.involuntary,
            "majorFaults": self.major,
            "minorFaults": self.minor,
            "gpuPercent": gpu_percent,
            "peakGpuMemoryBytes": gpu_peak_bytes,
        }

    def plain_figures(self, wall):
        """Where nothing was sampled and bytes are known."""
        return (
            wall,
            self.user,
            self.system,
            100 * (self.user + self.system) / wall,
            self.max_rss_bytes,
            self.read,
            self.written,
            self.disk_read,
            self.disk_written,
            self.voluntary,
            self.involuntary,
            self.major,
            self.minor,
        )


def nothing_used():
    """Of an attempt that had no process."""
    return dict(dict.fromkeys(_FIGURES), wallSeconds=0)


def _max_rss_unit():
    import sys

    return 1 if sys.platform == "darwin" else 1024


MAX_RSS_UNIT = _max_rss_unit()
