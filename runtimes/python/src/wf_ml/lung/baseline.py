"""What needs no learning: Otsu's threshold, the two largest dark parts inside of the body, with their holes filled."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from wf_ml.components import fill_holes, label, largest, sizes, touching_border


def otsu(pixels: np.ndarray) -> int:
    """The level that parts the brightnesses into two classes with the least spread within. Dark is at most it."""
    counts = np.bincount(pixels.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)
    above = below[-1] - below
    sum_below = np.cumsum(counts * np.arange(256))
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = sum_below / below - (sum_below[-1] - sum_below) / above
        between = np.where((below > 0) & (above > 0), below * above * apart**2, -1.0)
    return int(np.argmax(between))


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
