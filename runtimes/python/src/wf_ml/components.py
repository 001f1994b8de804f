"""Connected parts of a mask, with numpy alone. Pixels that share a side are connected."""

from __future__ import annotations

from typing import List, Tuple

import numpy as np


def label(mask: np.ndarray) -> Tuple[np.ndarray, int]:
    """Numbers the parts from 1, in the order of their first pixels; 0 is outside. Also says how many there are."""
    height, width = mask.shape
    starts_of, ends_of = _runs(mask)
    parent: List[int] = list(range(len(starts_of)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    rows = starts_of // width
    first_of_row = np.searchsorted(rows, np.arange(height + 1))
    starts, ends = (starts_of % width).tolist(), ((ends_of - 1) % width + 1).tolist()
    for row in range(1, height):
        above, above_end = int(first_of_row[row - 1]), int(first_of_row[row])
        here, here_end = above_end, int(first_of_row[row + 1])
        while above < above_end and here < here_end:
            if starts[above] < ends[here] and starts[here] < ends[above]:
                a, b = root(above), root(here)
                parent[max(a, b)] = min(a, b)
            if ends[above] < ends[here]:
                above += 1
            else:
                here += 1

    roots = np.array([root(index) for index in range(len(parent))], dtype=np.int64)
    _, numbers = np.unique(roots, return_inverse=True)
    labels = np.zeros(height * width, dtype=np.int32)
    if len(roots):
        lengths = ends_of - starts_of
        offsets = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        labels[np.repeat(starts_of, lengths) + offsets] = np.repeat(numbers + 1, lengths)
    return labels.reshape(height, width), int(numbers.max()) + 1 if len(roots) else 0


def sizes(labels: np.ndarray, count: int) -> np.ndarray:
    """How many pixels each part has; the first is part 1."""
    return np.bincount(labels.ravel(), minlength=count + 1)[1:]


def touching_border(labels: np.ndarray) -> np.ndarray:
    """The numbers of the parts that touch the border of the image."""
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return np.unique(rim[rim > 0])


def fill_holes(mask: np.ndarray) -> np.ndarray:
    """The mask with everything that it encloses."""
    outside, _ = label(~mask)
    return ~np.isin(outside, touching_border(outside)) | mask


def largest(mask: np.ndarray, how_many: int) -> np.ndarray:
    """The largest parts alone."""
    labels, count = label(mask)
    order = np.argsort(-sizes(labels, count), kind="stable")[:how_many]
    return np.isin(labels, order + 1)


def _runs(mask: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Where stretches of true pixels begin and end in the flattened image. None goes on into the next row."""
    height, width = mask.shape
    padded = np.zeros((height, width + 2), dtype=np.int8)
    padded[:, 1:-1] = mask
    steps = np.diff(padded, axis=1)
    begin_row, begin = np.nonzero(steps == 1)
    end_row, end = np.nonzero(steps == -1)
    return begin_row * width + begin, end_row * width + end
