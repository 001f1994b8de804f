"""Small charts as SVG, which need no program and no network to be seen."""

_WIDTH, _HEIGHT = 640, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 150, 14, 26


def rounds_chart(rounds):
    """Completeness and purity over the rounds; the lower end is what is worth seeing."""
    lowest = min(0.5, min(min(one["completeness"], one["purity"]) for one in rounds))
    across = lambda n: _LEFT + (_WIDTH - _LEFT - _RIGHT) * (n / max(1, len(rounds) - 1))
    up = lambda value: _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (value - lowest) / (1 - lowest)
    parts = []
    for share in (lowest, (1 + lowest) / 2, 1):
        parts.append('<path class="grid" d="M{} {:.1f}H{}"/>'.format(_LEFT, up(share), _WIDTH - _RIGHT))
        parts.append('<text class="tick" x="{}" y="{:.1f}">{:.0%}</text>'.format(_LEFT - 6, up(share) + 4, share))
    for n in range(len(rounds)):
        label = "published" if n == len(rounds) - 1 else "round {}".format(n + 1)
        parts.append('<text class="step" x="{:.1f}" y="{}">{}</text>'.format(across(n), _HEIGHT - 8, label))
    ends = _apart([(up(rounds[-1][name]), name) for name in ("completeness", "purity")])
    for y, name in ends:
        points = [(across(n), up(one[name])) for n, one in enumerate(rounds)]
        parts.append(_line(name, points))
        parts += ['<circle class="{}" cx="{:.1f}" cy="{:.1f}" r="3.5"/>'.format(name, *point) for point in points]
        label = '<text class="name {0}" x="{1}" y="{2:.1f}">{0} {3:.1%}</text>'
        parts.append(label.format(name, _WIDTH - _RIGHT + 10, y + 4, rounds[-1][name]))
    return _svg(_WIDTH, _HEIGHT, parts)


def _apart(ends):
    """Labels that would lie on each other move away."""
    (low, first), (high, second) = sorted(ends)
    gap = max(0.0, 14 - (high - low)) / 2
    return [(low - gap, first), (high + gap, second)]


def growth_chart(profile):
    """The share of the light within a radius, and where half of it is."""
    width, height = 116, 44
    growth = [0.0] + profile["growth"]
    last = len(growth) - 1
    points = [(width * n / last, height - 4 - (height - 8) * value) for n, value in enumerate(growth)]
    half = width * profile["halfLight"] / last
    middle = '<path class="half" d="M{:.1f} 2V{}"/>'.format(half, height - 2)
    return _svg(width, height, [middle, _line("growth", points)])


def _line(name, points):
    return '<path class="line {}" d="M{}"/>'.format(name, "L".join("{:.1f} {:.1f}".format(*point) for point in points))


def _svg(width, height, parts):
    return '<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}">{2}</svg>'.format(width, height, "".join(parts))
