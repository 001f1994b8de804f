"""Puts aside what is sharper than the air allows: cosmic rays hit a pixel or two, a star never does."""

import sys

from files import read_json, report, write_json
from light import blurred_peak, moffat
from pixels import read_pgm
from smooth import kernel

_SHARPER = 1.5
_SIGMAS = 4


def main(image, sources, vetted, seeing):
    rows, seeing, found = read_pgm(image), float(seeing), read_json(sources)
    # Of a star: how much its sharp peak stands above the blurred one, at most.
    steepest = moffat(seeing)(0) / blurred_peak(seeing, kernel(seeing))
    noise = _noise(rows)
    kept = [one for one in found if _peak(rows, one) < _SHARPER * steepest * one["peak"] + _SIGMAS * noise]
    write_json(vetted, kept)
    report(kept=len(kept), rejected=len(found) - len(kept))


def _peak(rows, source):
    """The brightest pixel near a place."""
    x, y = round(source["x"]), round(source["y"])
    return max(
        rows[v][u]
        for v in range(max(0, y - 1), min(len(rows), y + 2))
        for u in range(max(0, x - 1), min(len(rows[0]), x + 2))
    )


def _noise(rows):
    """Half of all pixels lie within two thirds of it."""
    sizes = sorted(abs(value) for row in rows for value in row)
    return sizes[len(sizes) // 2] / 0.6745


if __name__ == "__main__":
    main(*sys.argv[1:])
