"""One bright source: its cut-out, and how its light falls off from the middle outwards."""

import json
import math
import sys

from colours import STYLES, Palette
from files import report, write_json
from pixels import read_pgm, stamp
from png import write_png

_HALF = 26
_SUBDIVISIONS = 4  # of a pixel, each way: rings are narrow and pixels are square
_ZOOM = 4


def main(image, picture, profile, source):
    source = json.loads(source)
    x, y = round(source["x"]), round(source["y"])
    cut = stamp(read_pgm(image), x, y, _HALF)
    centre = (_HALF + source["x"] - x, _HALF + source["y"] - y)
    rings = _rings(cut, *centre)
    growth = _growth(rings)
    total = max(growth)
    half_light = round(_radius_of(growth, total / 2), 2)
    write_png(picture, _enlarged(cut))
    write_json(
        profile,
        {
            "source": source,
            "brightness": [round(light / max(area, 1e-9), 3) for light, area in rings],
            "growth": [round(light / total, 4) for light in growth],
            "halfLight": half_light,
            "flux": round(total, 1),
        },
    )
    report(halfLight=half_light, flux=round(total, 1))


def _rings(cut, x, y):
    """(light, area) of rings one pixel wide. Pixels are split, so that each piece falls into the ring it lies in."""
    rings = [[0.0, 0.0] for _ in range(_HALF)]
    share = 1 / _SUBDIVISIONS**2
    offsets = [(n + 0.5) / _SUBDIVISIONS - 0.5 for n in range(_SUBDIVISIONS)]
    for v, row in enumerate(cut):
        for u, value in enumerate(row):
            for dy in offsets:
                for dx in offsets:
                    radius = int(math.hypot(u + dx - x, v + dy - y))
                    if radius < _HALF:
                        rings[radius][0] += value * share
                        rings[radius][1] += share
    return rings


def _growth(rings):
    growth, total = [], 0.0
    for light, _ in rings:
        total += light
        growth.append(total)
    return growth


def _radius_of(growth, light):
    """Where the growing circle holds that much, between two rings."""
    before = 0.0
    for radius, within in enumerate(growth):
        if within >= light:
            return radius + (light - before) / (within - before)
        before = within
    return float(len(growth))


def _enlarged(cut):
    palette = Palette(STYLES["night"]["sky"])
    out = []
    for row in cut:
        line = palette.row(row)
        wide = b"".join(bytes(line[start : start + 3]) * _ZOOM for start in range(0, len(line), 3))
        out += [wide] * _ZOOM
    return out


if __name__ == "__main__":
    main(*sys.argv[1:])
