"""What a step tells wf: one JSON object a line, in the file that ``WF_METRICS`` names. Where nobody listens: nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import numpy as np


def log(**values: float) -> None:
    """Numbers: ``log(step=3, loss=0.2, dice=0.91)``. The last value of a name counts."""
    _tell(values)


def log_image(name: str, pixels: "np.ndarray", step: Optional[int] = None) -> None:
    """A picture, which stays with the record of the task."""
    if not os.environ.get("WF_METRICS"):
        return
    from wf_ml.images import write_png

    path = Path(os.environ.get("TMPDIR", ".")) / (f"{name}.png" if step is None else f"{name}-{step}.png")
    write_png(path, pixels)
    _tell({"image": name, "path": os.path.relpath(path), **({} if step is None else {"step": step})})


def log_summary(**values: Any) -> None:
    """What there is to say in the end, as any JSON: ``log_summary(best_epoch=7)``."""
    _tell({"summary": values})


def _tell(line: Any) -> None:
    path = os.environ.get("WF_METRICS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            # NaN and infinities pass: wf shows them as such, and a line must not end a training.
            file.write(json.dumps(line, default=float) + "\n")
