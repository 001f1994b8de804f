"""Blurs an image with a round Gaussian: the best filter for faint points of light in even noise."""

import math

_REACH = 4


def kernel(seeing):
    """One side of it, from the middle outwards; the whole sums up to 1."""
    sigma = seeing / 2.3548
    side = [math.exp(-0.5 * (step / sigma) ** 2) for step in range(_REACH + 1)]
    total = side[0] + 2 * sum(side[1:])
    return [weight / total for weight in side]


def smooth(rows, weights):
    """Along the rows and then along the columns, which is the same as both at once."""
    along = [_blur(row, weights) for row in rows]
    return [list(row) for row in zip(*[_blur(column, weights) for column in zip(*along)])]


def _blur(line, weights):
    """Beyond its ends the line goes on with its last value."""
    k0, k1, k2, k3, k4 = weights
    padded = [line[0]] * _REACH + list(line) + [line[-1]] * _REACH
    return [
        k0 * e + k1 * (d + f) + k2 * (c + g) + k3 * (b + h) + k4 * (a + i)
        for a, b, c, d, e, f, g, h, i in zip(
            padded, padded[1:], padded[2:], padded[3:], padded[4:], padded[5:], padded[6:], padded[7:], padded[8:]
        )
    ]


def noise_gain(weights):
    """How much of the noise of a pixel is left in a blurred one."""
    return weights[0] ** 2 + 2 * sum(weight**2 for weight in weights[1:])
