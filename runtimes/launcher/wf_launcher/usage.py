"""What the processes of an attempt used, summed as each of them is reaped."""


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


def nothing_used():
    """Of an attempt that had no process."""
    unknown = dict.fromkeys(
        "userSeconds systemSeconds cpuPercent peakMemoryBytes readBytes writtenBytes diskReadBytes diskWrittenBytes "
        "voluntarySwitches involuntarySwitches majorFaults minorFaults gpuPercent peakGpuMemoryBytes".split()
    )
    unknown["wallSeconds"] = 0
    return unknown


def _max_rss_unit():
    import sys

    return 1 if sys.platform == "darwin" else 1024


MAX_RSS_UNIT = _max_rss_unit()
