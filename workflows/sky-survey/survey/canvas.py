"""Rings and numbers on top of a picture."""

import math

# Five rows of three dots, as in 0b111 for a full row.
_DIGITS = {
    "0": (7, 5, 5, 5, 7),
    "1": (2, 6, 2, 2, 7),
    "2": (7, 1, 7, 4, 7),
    "3": (7, 1, 7, 1, 7),
    "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7),
    "6": (7, 4, 7, 5, 7),
    "7": (7, 1, 2, 2, 2),
    "8": (7, 5, 7, 5, 7),
    "9": (7, 5, 7, 1, 7),
}


class Canvas:
    def __init__(self, width, height, colour):
        self.rows = [bytearray(bytes(colour) * width) for _ in range(height)]

    def paste(self, x, y, rows):
        for offset, row in enumerate(rows):
            self.rows[y + offset][3 * x : 3 * x + len(row)] = row

    def ring(self, x, y, radius, colour, thickness, strength):
        """A circle with soft edges; `strength` is how much of what lies below it covers."""
        reach = int(radius + thickness + 2)
        for v in range(int(y) - reach, int(y) + reach + 1):
            for u in range(int(x) - reach, int(x) + reach + 1):
                cover = thickness / 2 + 0.5 - abs(math.hypot(u - x, v - y) - radius)
                if cover > 0:
                    self._blend(u, v, colour, strength * min(1.0, cover))

    def number(self, x, y, number, colour, scale=2):
        for place, digit in enumerate(str(number)):
            for j, dots in enumerate(_DIGITS[digit]):
                for i in range(3):
                    if dots >> (2 - i) & 1:
                        self._square(round(x) + (place * 4 + i) * scale, round(y) + j * scale, scale, colour)

    def _square(self, x, y, side, colour):
        for v in range(y, y + side):
            for u in range(x, x + side):
                self._blend(u, v, colour, 0.95)

    def _blend(self, x, y, colour, share):
        if 0 <= y < len(self.rows) and 0 <= 3 * x < len(self.rows[0]):
            row = self.rows[y]
            for n, value in enumerate(colour):
                row[3 * x + n] = round(row[3 * x + n] + share * (value - row[3 * x + n]))
