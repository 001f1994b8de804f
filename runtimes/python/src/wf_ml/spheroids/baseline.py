"""What needs no learning: the parts that are darker than Otsu's threshold and neither a ring nor cut off by the image.

This is as strong as the rule can honestly be made. Reflections at the border of a droplet are as dark as spheroids, and
so they are among what it finds.
"""

from __future__ import annotations

import numpy as np

from wf_ml.components import label, touching_border
from wf_ml.otsu import otsu
from wf_ml.spheroids.segment import Found, measured

LARGEST_SIDE = 0.45
"""Of the image's side. What is longer is the border of the droplet."""


def otsu_spheroids(image: np.ndarray) -> Found:
    labels, count = label(image <= otsu(image))
    rows, columns = np.nonzero(labels)
    parts = labels[rows, columns]
    longest = np.zeros(count + 1)
    for at in (rows, columns):
        first, last = np.full(count + 1, max(image.shape)), np.zeros(count + 1)
        np.minimum.at(first, parts, at)
        np.maximum.at(last, parts, at)
        longest = np.maximum(longest, last - first + 1)
    kept = np.flatnonzero(longest <= LARGEST_SIDE * min(image.shape))
    kept = np.setdiff1d(kept[kept > 0], touching_border(labels))
    return measured(np.isin(labels, kept))
