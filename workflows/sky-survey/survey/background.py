"""Takes the glow of the sky off a tile, and says how much noise is left."""

import sys

from files import report, write_json
from pixels import read_pgm, write_pgm
from smooth import kernel, noise_gain

_CELL = 32  # pixels: larger than any source, smaller than the waves of the glow
_ROUNDS = 4
_CLIP = 2.5


def main(image, flat, noise, seeing):
    """`noise` is that of the tile once it is blurred, which is how sources are looked for."""
    rows = read_pgm(image)
    cells = _mesh(rows)
    levels = [[level for level, _ in row] for row in cells]
    write_pgm(flat, [_minus(row, _row_of(levels, y)) for y, row in enumerate(rows)])
    sigma = _median([spread for row in cells for _, spread in row])
    write_json(noise, round(sigma * noise_gain(kernel(float(seeing))), 4))
    report(noise=round(sigma, 4), glow=round(_median([level for row in levels for level in row]), 2))


def _mesh(rows):
    """(level, noise) of each cell."""
    starts = range(0, len(rows), _CELL)
    return [[_clipped(_cell(rows, x, y)) for x in starts] for y in starts]


def _cell(rows, x, y):
    return [value for row in rows[y : y + _CELL] for value in row[x : x + _CELL]]


def _clipped(values):
    """Median and noise of what is left when bright and odd pixels have been put aside, round by round. The noise is
    that of the fainter half, which no source has touched."""
    values = sorted(values)
    for _ in range(_ROUNDS):
        middle = values[len(values) // 2]
        below = values[int(len(values) * 0.1587)]
        spread = max(middle - below, 1e-6)
        kept = [value for value in values if abs(value - middle) < _CLIP * spread]
        if len(kept) == len(values):
            break
        values = kept
    middle = values[len(values) // 2]
    # What is left was cut at 2.5 sigma, which narrows it a little.
    return middle, 1.04 * (middle - values[int(len(values) * 0.1587)])


def _row_of(levels, y):
    """The glow along one row, at the centres of the cells."""
    first, share = _between(y, len(levels))
    return [low + share * (high - low) for low, high in zip(levels[first], levels[first + 1])]


def _minus(row, levels):
    out = []
    for x, value in enumerate(row):
        first, share = _between(x, len(levels))
        out.append(value - levels[first] - share * (levels[first + 1] - levels[first]))
    return out


def _between(position, count):
    """The cell whose centre lies before a pixel, and how far the pixel is on the way to the next centre. Beyond the
    outermost centres the glow goes on as it was."""
    place = (position + 0.5) / _CELL - 0.5
    first = min(max(int(place), 0), count - 2)
    return first, place - first


def _median(values):
    return sorted(values)[len(values) // 2]


if __name__ == "__main__":
    main(*sys.argv[1:])
