"""From counts to colours: faint and bright light in one picture, in the colours of a style."""

import math

_STEPS = 1024
_WHITE_AT = 1800.0  # counts
_BLACK_AT = -14.0
_SOFT = 22.0  # below it brightness is shown as it is, above it ever more packed

STYLES = {
    "night": {
        "sky": [
            (0, (7, 9, 20)),
            (0.22, (24, 28, 58)),
            (0.5, (112, 92, 130)),
            (0.78, (247, 205, 158)),
            (1, (255, 253, 246)),
        ],
        "paper": (5, 6, 13),
        "cloud": (17, 19, 33),
        "star": (92, 200, 255),
        "galaxy": (255, 176, 66),
        "label": (255, 255, 255),
    },
    "print": {
        "sky": [(0, (255, 255, 255)), (0.25, (226, 229, 234)), (0.6, (128, 134, 148)), (1, (12, 14, 20))],
        "paper": (255, 255, 255),
        "cloud": (238, 240, 244),
        "star": (0, 104, 190),
        "galaxy": (205, 84, 0),
        "label": (0, 0, 0),
    },
}


class Palette:
    def __init__(self, stops):
        self._table = [_mixed(stops, n / (_STEPS - 1)) for n in range(_STEPS)]
        self._scale = (_STEPS - 1) / math.asinh((_WHITE_AT - _BLACK_AT) / _SOFT)

    def row(self, values):
        """The bytes of a row of counts."""
        table, scale, last, asinh = self._table, self._scale, _STEPS - 1, math.asinh
        out = bytearray()
        for value in values:
            place = scale * asinh((value - _BLACK_AT) / _SOFT)
            out += table[0 if place < 0 else last if place > last else int(place)]
        return out


def _mixed(stops, place):
    for (start, low), (end, high) in zip(stops, stops[1:]):
        if place <= end:
            share = (place - start) / (end - start)
            return bytes(round(a + share * (b - a)) for a, b in zip(low, high))
    return bytes(stops[-1][1])
