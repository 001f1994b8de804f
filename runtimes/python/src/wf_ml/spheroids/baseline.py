"""What needs no learning: everything darker than Otsu's threshold is taken for spheroids."""

from __future__ import annotations

import numpy as np

from wf_ml.lung.baseline import otsu
from wf_ml.spheroids.segment import Found, measured


def otsu_spheroids(image: np.ndarray) -> Found:
    """The border of the droplet and the reflections at it are as dark as spheroids, and so they are among them."""
    return measured(image <= otsu(image))
