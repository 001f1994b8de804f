"""One thread that waits for files, signals and times, and hands long work to a thread of its own."""

import heapq
import itertools
import os
import select
import time
from _thread import start_new_thread

from . import plain_signal as signal
from .plain_collections import deque

_WAKE = 0


class Loop:
    def __init__(self):
        self._poll = select.poll()
        self._callbacks = {}
        self._timers = []
        self._order = itertools.count()
        self._signals = {}
        self._done = deque()
        self._wake_reader, self._wake_writer = os.pipe()
        os.set_blocking(self._wake_reader, False)
        os.set_blocking(self._wake_writer, False)
        signal.set_wakeup_fd(self._wake_writer)
        self.watch(self._wake_reader, self._woken)

    def watch(self, fd, callback, writing=False):
        self._poll.register(fd, select.POLLIN | (select.POLLOUT if writing else 0))
        self._callbacks[fd] = callback

    def unwatch(self, fd):
        self._poll.unregister(fd)
        del self._callbacks[fd]

    def on_signal(self, number, callback):
        """Signals are dispatched between steps, never in the middle of something."""
        self._signals[int(number)] = callback
        signal.signal(number, lambda *_: None)

    def end_by(self, number):
        """From now on the signal ends this process. One that has come before is dispatched."""
        signal.signal(number, signal.SIG_DFL)
        try:
            self._woken(None)
        except BlockingIOError:
            pass  # none has come

    def after(self, seconds, callback):
        """Returns a handle for `forget`."""
        timer = [time.monotonic() + seconds, next(self._order), callback]
        heapq.heappush(self._timers, timer)
        return timer

    @staticmethod
    def is_due(timer):
        """Still to come."""
        return timer[2] is not None

    @staticmethod
    def forget(timer):
        timer[2] = None

    def in_thread(self, work, done):
        """Runs `work()` aside, then `done(result, error)` here."""
        def body():
            try:
                outcome = (work(), None)
            except Exception as error:  # handed over: the loop's side decides what it means
                outcome = (None, error)
            self._done.append((done, outcome))
            self._wake()

        start_new_thread(body, ())

    def _wake(self):
        try:
            os.write(self._wake_writer, bytes((_WAKE,)))
        except BlockingIOError:
            pass  # full of other wake-ups, which do as well

    def _woken(self, _):
        # SIGTERM goes before SIGCHLD: what ends together with the job is not taken for an end of its own.
        received = sorted(set(os.read(self._wake_reader, 65536)))
        for number in received:
            callback = self._signals.get(number)
            if callback is not None:
                callback()
        while self._done:
            done, outcome = self._done.popleft()
            done(*outcome)

    def _wait_ms(self):
        while self._timers and self._timers[0][2] is None:
            heapq.heappop(self._timers)
        if not self._timers:
            return None
        return max(0, int((self._timers[0][0] - time.monotonic()) * 1000) + 1)

    def step(self):
        """Waits for something to come, and lets it happen."""
        for fd, events in self._poll.poll(self._wait_ms()):
            callback = self._callbacks.get(fd)
            if callback is not None:
                callback(events)
        if self._timers:
            now = time.monotonic()
            while self._timers and self._timers[0][0] <= now:
                timer = heapq.heappop(self._timers)
                callback, timer[2] = timer[2], None
                if callback is not None:
                    callback()
