"""Finds sources in a flat tile, measures them, and tells stars from galaxies."""

import math
import sys

from files import report, write_json
from light import blurred_peak
from pixels import read_pgm
from segments import segments
from smooth import kernel, smooth

_WIDER_THAN_A_STAR = 1.25


def main(image, sources, tile, seeing, level):
    rows, seeing, level = read_pgm(image), float(seeing), float(level)
    weights = kernel(seeing)
    blurred = smooth(rows, weights)
    star_share = blurred_peak(seeing, weights)
    found = [_measure(rows, blurred, spots, seeing, star_share) for spots in segments(blurred, level)]
    found = [dict(source, tile=tile) for source in found if source["flux"] > 0]
    write_json(sources, found)
    report(sources=len(found), galaxies=sum(source["kind"] == "galaxy" for source in found))


def _measure(rows, blurred, spots, seeing, star_share):
    total = sum(blurred[y][x] for x, y in spots)
    mean_x = sum(x * blurred[y][x] for x, y in spots) / total
    mean_y = sum(y * blurred[y][x] for x, y in spots) / total
    peak_x, peak_y = spots[0]
    peak = blurred[peak_y][peak_x]
    aperture = min(24.0, 1.1 * math.sqrt(len(spots) / math.pi) + 0.8 * seeing)
    flux = _within(rows, mean_x, mean_y, aperture)
    width = flux * star_share / peak
    return {
        "x": round(mean_x, 2),
        "y": round(mean_y, 2),
        "flux": round(flux, 1),
        "peak": round(peak, 2),
        "area": len(spots),
        "width": round(width, 3),
        "kind": "galaxy" if width > _WIDER_THAN_A_STAR else "star",
    }


def _within(rows, x, y, radius):
    """The light in a circle; pixels at its edge count in part."""
    total = 0.0
    for v in range(max(0, int(y - radius - 1)), min(len(rows), int(y + radius + 2))):
        for u in range(max(0, int(x - radius - 1)), min(len(rows[0]), int(x + radius + 2))):
            inside = radius + 0.5 - math.hypot(u - x, v - y)
            if inside > 0:
                total += rows[v][u] * min(1.0, inside)
    return total


if __name__ == "__main__":
    main(*sys.argv[1:])
