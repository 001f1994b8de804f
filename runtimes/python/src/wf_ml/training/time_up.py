"""What a training hears of its time: SIGUSR2 says that it is nearly up, SIGTERM that it is.

Both are only noted, so that the training can come to a point at which it can be left.
"""

from __future__ import annotations

import signal
import threading
from types import TracebackType
from typing import Any, Dict, Optional, Type


class TimeUp:
    """Listens while it is entered. Only the main thread can; elsewhere nothing is ever heard."""

    def __init__(self) -> None:
        self.is_heard = False
        self._before: Dict[int, Any] = {}

    def __enter__(self) -> "TimeUp":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGUSR2, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, _number: int, _frame: Any) -> None:
        self.is_heard = True
