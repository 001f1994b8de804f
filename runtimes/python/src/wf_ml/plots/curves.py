"""Lines over steps, such as the loss over epochs."""

from __future__ import annotations

import math
from typing import List, Mapping, Optional, Sequence

from wf_ml.plots.svg import Axis, colour_of, frame, text, ticks, x_axis, y_axis

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 480, 280, 58, 14, 30, 44


def curves(
    title: str,
    series: Mapping[str, Sequence[float]],
    x_label: str = "epoch",
    y_label: str = "",
    x: Optional[Sequence[float]] = None,
    marked: Optional[float] = None,
) -> str:
    """One line a series, over 1, 2, 3 … or over `x`. `marked` is a step to point out."""
    longest = max((len(values) for values in series.values()), default=0)
    steps = list(x) if x is not None else list(range(1, longest + 1))
    known = [value for values in series.values() for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    margin = (high - low or abs(high) or 1.0) * 0.06
    across = Axis(min(steps, default=0), max(steps, default=1), LEFT, WIDTH - RIGHT)
    up = Axis(low - margin, high + margin, HEIGHT - BOTTOM, TOP)
    whole = [value for value in ticks(across.low, across.high, 8) if value == int(value)]
    parts: List[str] = [
        *x_axis(across, TOP, HEIGHT - BOTTOM, x_label, whole or ticks(across.low, across.high)),
        *y_axis(up, LEFT, WIDTH - RIGHT, y_label, ticks(up.low, up.high)),
    ]
    if marked is not None:
        at = across.at(marked)
        parts.append(
            f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="var(--faint, #6b7686)" stroke-dasharray="3 3"/>'
        )
    legend = float(LEFT)
    for index, (name, values) in enumerate(series.items()):
        colour = colour_of(index)
        points = [(across.at(s), up.at(v)) for s, v in zip(steps, values) if math.isfinite(v)]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.5" fill="{colour}"/>' for px, py in points]
        parts.append(f'<rect x="{legend:.1f}" y="9" width="12" height="4" fill="{colour}"/>')
        parts.append(text(legend + 17, 15, name, "start"))
        legend += 34 + 6.6 * len(name)
    return frame(WIDTH, HEIGHT, title, parts)
