"""What a person can put right: bad data, and settings that do not fit it."""

from __future__ import annotations

import os
from typing import Optional, Union

Where = Union[str, "os.PathLike[str]"]


class DataError(Exception):
    """Says what is wrong, in which file or folder, and what to do about it."""

    def __init__(self, what: str, where: Optional[Where] = None, hint: Optional[str] = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = None if where is None else os.fspath(where)
        self.hint = hint

    def __str__(self) -> str:
        lines = [self.what if self.where is None else f"{self.what}: {self.where}"]
        if self.hint is not None:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class Unfinished(Exception):
    """The time was up: the checkpoint is written, and there is more to do."""
