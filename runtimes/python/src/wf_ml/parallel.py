"""The same work on many items, by several processes, with results in the order of the items."""

from __future__ import annotations

import multiprocessing
from typing import Callable, Iterable, List, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def each(work: Callable[[Item], Result], items: Iterable[Item], workers: int) -> List[Result]:
    """Whatever is random in `work` must hang on its item alone: then the number of workers changes no result."""
    given = list(items)
    if workers <= 1 or len(given) < 2:
        return [work(item) for item in given]
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        return pool.map(work, given, chunksize=max(1, len(given) // (workers * 8)))
