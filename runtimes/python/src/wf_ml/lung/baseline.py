"""What needs no learning: Otsu's threshold, the two largest dark parts inside of the body, with their holes filled."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from wf_ml.components import fill_holes, label, largest, sizes, touching_border
from wf_ml.otsu import otsu


def otsu_lungs(image: np.ndarray) -> np.ndarray:
    """A mask of the lungs.

    The threshold may part the body from the air around it, instead of the lungs from the body. So it is taken three
    times: of the whole image, of what is left without the air, and of its bright side; and what gives two lungs,
    that is, the largest second part, is kept. This is as strong as the rule can honestly be made.
    """
    return fill_holes(largest(max(_candidates(image), key=_second_largest), 2))


def _candidates(image: np.ndarray) -> Iterator[np.ndarray]:
    level = otsu(image)
    dark = image <= level
    yield _inside(dark)
    labels, _ = label(dark)
    around = np.isin(labels, touching_border(labels))
    for rest in (image[~around], image[~dark]):
        if rest.size:
            dark = image <= otsu(rest)
            yield _inside(dark)
            yield _inside(dark & ~around)


def _inside(dark: np.ndarray) -> np.ndarray:
    """Without the parts at the border of the image: they are air around the body."""
    labels, _ = label(dark)
    return dark & ~np.isin(labels, touching_border(labels))


def _second_largest(mask: np.ndarray) -> int:
    labels, count = label(mask)
    return int(np.sort(sizes(labels, count))[-2]) if count > 1 else 0
