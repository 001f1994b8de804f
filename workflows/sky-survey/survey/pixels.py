"""Images as lists of rows, and the 16-bit PGM files that hold them."""

import array
import sys

ZERO = 1000  # counts that stand for no light at all: noise goes below zero, and a pixel of a file cannot
_WHITE = 65535


def read_pgm(path):
    """Rows of floats, with `ZERO` taken off."""
    with open(path, "rb") as file:
        magic, size, white = file.readline().split(), file.readline().split(), file.readline().split()
        if magic != [b"P5"] or white != [b"%d" % _WHITE]:
            raise ValueError("{} is not a 16-bit PGM file".format(path))
        samples = array.array("H", file.read())
    if sys.byteorder == "little":
        samples.byteswap()
    width = int(size[0])
    return [[value - ZERO for value in samples[start : start + width]] for start in range(0, len(samples), width)]


def write_pgm(path, rows):
    samples = array.array("H", (min(_WHITE, max(0, round(value + ZERO))) for row in rows for value in row))
    if sys.byteorder == "little":
        samples.byteswap()
    with open(path, "wb") as file:
        file.write(b"P5\n%d %d\n%d\n" % (len(rows[0]), len(rows), _WHITE))
        file.write(samples.tobytes())


def stamp(rows, x, y, half):
    """A square cut-out around a pixel; what lies outside of the image is 0."""
    height, width = len(rows), len(rows[0])
    return [
        [rows[v][u] if 0 <= v < height and 0 <= u < width else 0.0 for u in range(x - half, x + half + 1)]
        for v in range(y - half, y + half + 1)
    ]
