"""The classes of a training."""

from __future__ import annotations

from pathlib import Path
from typing import List, Sequence

from wf_ml.errors import DataError
from wf_ml.rows import Row


def classes_of(train: Sequence[Row], val: Sequence[Row], train_path: Path, val_path: Path) -> List[str]:
    """Sorted. Nothing to learn from, or a single class, is an error."""
    for part, path in ((train, train_path), (val, val_path)):
        if not part:
            raise DataError("there is no example", path)
    classes = sorted({row["label"] for row in train})
    if len(classes) < 2:
        raise DataError(f'there is only one class, "{classes[0]}"', train_path)
    return classes
