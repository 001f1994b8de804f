from typing import Set, Tuple

import numpy as np
import pytest

from wf_ml.components import fill_holes, label, largest, sizes, touching_border


def flood(mask: np.ndarray, start: Tuple[int, int]) -> Set[Tuple[int, int]]:
    """The slow and obvious way."""
    seen, todo = set(), [start]
    while todo:
        row, column = todo.pop()
        inside = 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]
        if not inside or not mask[row, column] or (row, column) in seen:
            continue
        seen.add((row, column))
        todo += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return seen


@pytest.mark.parametrize("seed", range(20))
def test_parts_are_those_of_a_flood_fill(seed: int) -> None:
    random = np.random.default_rng(seed)
    mask = random.random((random.integers(1, 24), random.integers(1, 24))) < random.uniform(0.3, 0.8)
    labels, count = label(mask)
    assert np.array_equal(labels > 0, mask)
    assert set(np.unique(labels[mask])) == set(range(1, count + 1))
    for number in range(1, count + 1):
        pixels = list(zip(*np.nonzero(labels == number)))
        assert flood(mask, pixels[0]) == set(pixels)
    assert sizes(labels, count).sum() == mask.sum()


def test_holes_are_filled_bays_are_not_and_the_largest_stay() -> None:
    mask = np.zeros((12, 12), dtype=bool)
    mask[1:6, 1:6] = True
    mask[3, 3] = False
    mask[8:11, 1:4] = True
    mask[8:11, 8] = True
    mask[2:4, 5] = False
    filled = fill_holes(mask)
    assert filled[3, 3] and not filled[2, 5]
    assert largest(mask, 2).sum() == mask.sum() - 3
    labels, _ = label(~mask)
    assert labels[0, 0] in touching_border(labels) and labels[3, 3] not in touching_border(labels)
