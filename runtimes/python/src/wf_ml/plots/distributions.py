"""How values are spread: every one as a dot, with a box from quartile to quartile over them; or counted in bins."""

from __future__ import annotations

from typing import List, Mapping, Optional, Sequence, Tuple

import numpy as np

from wf_ml.plots.svg import FAINT, INK, Axis, colour_of, frame, line, text, ticks, x_axis, y_axis

WIDTH, LEFT, RIGHT, TOP, BOTTOM, ROW = 480, 96, 16, 12, 44, 58


def boxes(
    title: str, groups: Mapping[str, Sequence[float]], label: str, limits: Optional[Tuple[float, float]] = None
) -> str:
    """A row a group: its values as dots, the quartiles as a box, the median as a bar."""
    values = [np.asarray(group, dtype=np.float64) for group in groups.values()]
    known = np.concatenate([v[np.isfinite(v)] for v in values]) if values else np.zeros(0)
    low, high = limits or ((float(known.min()), float(known.max())) if known.size else (0.0, 1.0))
    margin = 0.0 if limits else (high - low or 1.0) * 0.04
    across = Axis(low - margin, high + margin, LEFT, WIDTH - RIGHT)
    height = TOP + ROW * max(len(groups), 1) + BOTTOM
    parts = x_axis(across, TOP, height - BOTTOM, label, ticks(across.low, across.high, 6))
    for index, (name, group) in enumerate(zip(groups, values)):
        middle, colour = TOP + ROW * (index + 0.5), colour_of(index)
        parts.append(text(LEFT - 10, middle + 4, name, "end", INK))
        for order, value in enumerate(np.sort(group[np.isfinite(group)])):
            # Neighbours in value lie apart in height; a golden step spreads them without chance.
            lift = ((order * 0.618034) % 1.0 - 0.5) * ROW * 0.62
            at = across.at(min(max(float(value), across.low), across.high))
            parts.append(f'<circle cx="{at:.1f}" cy="{middle + lift:.1f}" r="2.2" fill="{colour}" opacity="0.55"/>')
        parts += _box(across, group[np.isfinite(group)], middle, colour)
    return frame(WIDTH, height, title, parts)


def histogram(title: str, values: Sequence[float], label: str, bins: int = 20) -> str:
    """How many values fall into each of equally wide bins."""
    counts, edges = np.histogram(np.asarray(values, dtype=np.float64), bins=bins)
    height, left = 260, 52
    across = Axis(float(edges[0]), float(edges[-1]), left, WIDTH - RIGHT)
    up = Axis(0.0, float(max(counts.max(), 1)), height - BOTTOM, TOP)
    parts = [
        *y_axis(up, left, WIDTH - RIGHT, "count", [t for t in ticks(0, up.high) if t == int(t)]),
        *x_axis(across, height - BOTTOM, height - BOTTOM, label, ticks(across.low, across.high, 6)),
    ]
    for count, start, end in zip(counts, edges, edges[1:]):
        x, y = across.at(start), up.at(float(count))
        parts.append(
            f'<rect x="{x + 0.5:.1f}" y="{y:.1f}" width="{max(across.at(end) - x - 1, 0.5):.1f}" '
            f'height="{height - BOTTOM - y:.1f}" fill="{colour_of(0)}"/>'
        )
    return frame(WIDTH, height, title, parts)


def _box(across: Axis, values: np.ndarray, middle: float, colour: str) -> List[str]:
    if values.size == 0:
        return [text((across.start + across.end) / 2, middle + 4, "no values", fill=FAINT)]
    lower, median, upper = (across.at(float(q)) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    tall = ROW * 0.5
    return [
        f'<rect x="{lower:.1f}" y="{middle - tall / 2:.1f}" width="{max(upper - lower, 1):.1f}" height="{tall:.1f}" '
        f'fill="{colour}" fill-opacity="0.15" stroke="{colour}"/>',
        line(median, middle - tall / 2, median, middle + tall / 2, colour, 3),
    ]
