"""How a point of light and a galaxy look through the atmosphere, drawn onto an image."""

import math

_BETA = 3.0  # of Moffat's profile: the wings that air gives to a star
_FAINTEST = 0.2  # counts a pixel below which nothing is drawn


def moffat(seeing):
    """The brightness of a star of one count at a squared distance; `seeing` is its full width at half maximum."""
    scale = (seeing / (2 * math.sqrt(2 ** (1 / _BETA) - 1))) ** 2
    peak = (_BETA - 1) / (math.pi * scale)
    return lambda squared: peak * (1 + squared / scale) ** -_BETA


def blurred_peak(seeing, weights):
    """Of a star of one count: how bright its peak is in an image that was blurred with these weights."""
    profile = moffat(seeing)
    reach = range(-len(weights) + 1, len(weights))
    return sum(weights[abs(u)] * weights[abs(v)] * profile(u * u + v * v) for v in reach for u in reach)


def add_star(rows, x, y, flux, seeing):
    profile = moffat(seeing)
    reach = _reach(lambda radius: profile(radius * radius), flux)
    _add(rows, x, y, flux, reach, lambda dx, dy: profile(dx * dx + dy * dy))


def add_galaxy(rows, x, y, flux, seeing, shape):
    """An exponential disc, seen at an angle, with two arms where it is large."""
    size, flat, angle, arms = shape["size"], shape["flat"], shape["angle"], shape["arms"]
    cos, sin = math.cos(angle), math.sin(angle)
    core = (0.45 * seeing) ** 2

    def disc(dx, dy):
        along, across = dx * cos + dy * sin, (dy * cos - dx * sin) / flat
        radius = math.sqrt(along * along + across * across + core)
        light = math.exp(-radius / size)
        if arms:
            light *= 1 + arms * math.cos(2 * math.atan2(across, along) - 5.5 * math.log(1 + radius / size))
        return light

    peak = 1 / (2 * math.pi * size * size * flat)
    _add(rows, x, y, flux, _reach(lambda radius: peak * math.exp(-radius / size), flux), disc)


def _reach(profile, flux):
    radius = 3
    while radius < 60 and flux * profile(radius) > _FAINTEST:
        radius += 2
    return radius


def _add(rows, x, y, flux, reach, profile):
    """Adds `flux` counts in all, spread as the profile says."""
    across = range(round(x) - reach, round(x) + reach + 1)
    down = range(round(y) - reach, round(y) + reach + 1)
    spots = [(j, i, profile(i - x, j - y)) for j in down for i in across]
    scale = flux / sum(light for _, _, light in spots)
    height, width = len(rows), len(rows[0])
    for j, i, light in spots:
        if 0 <= j < height and 0 <= i < width:
            rows[j][i] += scale * light
