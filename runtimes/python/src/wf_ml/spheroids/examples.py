"""A few images of very many, for a person to look at."""

from __future__ import annotations

from typing import Callable, Dict, Iterator, List, Mapping, Tuple

import numpy as np

from wf_ml.spheroids.segment import Found

#: For what an image is kept, and its rank for that. Of equal ones the first stays; what has rank 0 is not kept.
REASONS: Mapping[str, Callable[[Found], int]] = {
    "first": lambda found: 1,
    "most spheroids": lambda found: found.count,
    "largest": lambda found: max(found.areas, default=0),
    "none": lambda found: int(found.count == 0),
}


class Examples:
    """Holds as many images as there are reasons, however many it is shown."""

    def __init__(self) -> None:
        self._kept: Dict[str, Tuple[int, str, Found, np.ndarray]] = {}

    def consider(self, name: str, found: Found, image: np.ndarray) -> None:
        for why, rank_of in REASONS.items():
            rank = rank_of(found)
            if rank > (self._kept[why][0] if why in self._kept else 0):
                self._kept[why] = (rank, name, found, image.copy())

    def kept(self) -> Iterator[Tuple[str, str, Found, np.ndarray]]:
        """Each image once: its name, all that it was kept for, what was found, and its pixels."""
        reasons: Dict[str, List[str]] = {}
        for why, (_, name, _, _) in self._kept.items():
            reasons.setdefault(name, []).append(why)
        for name, whys in reasons.items():
            _, _, found, image = self._kept[whys[0]]
            yield name, ", ".join(whys), found, image
