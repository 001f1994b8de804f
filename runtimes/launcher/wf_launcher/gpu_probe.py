"""Asks the vendor's tool for the state of all GPUs, beside the loop, one question at a time."""

import os

from . import environment, gpu
from . import plain_signal as signal
from .spawn import spawn

_TIMEOUT_SECONDS = 10


class GpuProbe:
    """`figures` holds the latest answer: {gpu id: (percent, bytes)}; empty until there is one."""

    def __init__(self, loop, ignore_child, search_path):
        self._loop = loop
        self._ignore_child = ignore_child
        self._query = None
        self._parse = None
        for query, parse in ((gpu.NVIDIA_QUERY, gpu.parse_nvidia), (gpu.ROCM_QUERY, gpu.parse_rocm)):
            program = environment.first_executable(query[0], search_path, "/")
            if program is not None:
                self._query, self._parse, self._program = query, parse, program
                break
        self._pid = None  # of the question that is being answered
        self.figures = {}

    def ask(self):
        if self._query is None or self._pid is not None:
            return
        reader, writer = os.pipe()
        null = os.open("/dev/null", os.O_WRONLY)
        try:
            self._pid = spawn(self._program, self._query, dict(os.environ), "/", writer, null)
        except OSError:
            self._query = None
            os.close(reader)
            return
        finally:
            os.close(writer)
            os.close(null)
        self._ignore_child(self._pid)
        parts = []
        timer = self._loop.after(_TIMEOUT_SECONDS, self.give_up)
        self._loop.watch(reader, lambda _: self._receive(reader, timer, parts))

    def _receive(self, reader, timer, parts):
        chunk = os.read(reader, 65536)
        if chunk:
            parts.append(chunk)
            return
        self._loop.unwatch(reader)
        self._loop.forget(timer)
        os.close(reader)
        self._pid = None
        self.figures = self._parse(b"".join(parts).decode("utf-8", "replace"))

    def give_up(self):
        """Ends a tool that hangs, with whatever it has started."""
        if self._pid is not None:
            try:
                os.killpg(self._pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
