"""What charts share: colours, ticks, axes, and a frame that scales with the page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import List, Sequence

INK = "var(--ink, #1d2430)"
FAINT = "var(--faint, #6b7686)"
GRID = "var(--grid, #dfe4ea)"
SERIES = (
    "var(--series-1, #2166c0)",
    "var(--series-2, #c8541d)",
    "var(--series-3, #2b8a57)",
    "var(--series-4, #8450b8)",
    "var(--series-5, #a07800)",
)


def colour_of(index: int) -> str:
    return SERIES[index % len(SERIES)]


@dataclass(frozen=True)
class Axis:
    """Values from `low` to `high` lie at pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = self.high - self.low or 1.0
        return self.start + (value - self.low) / span * (self.end - self.start)


def ticks(low: float, high: float, about: int = 5) -> List[float]:
    """Round numbers between `low` and `high`."""
    if not high > low:
        return [low]
    rough = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((factor * power for factor in (1, 2, 2.5, 5, 10)), key=lambda s: abs(s - rough))
    first = math.ceil(low / step - 1e-9)
    return [index * step for index in range(first, int(math.floor(high / step + 1e-9)) + 1)]


def number(value: float) -> str:
    return f"{value:.10g}" if abs(value) < 1e6 else f"{value:.2e}"


def text(x: float, y: float, words: str, anchor: str = "middle", fill: str = FAINT, extra: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{extra}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = GRID, width: float = 1) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" stroke-width="{width:g}"/>'


def frame(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    """The whole SVG. It grows with the page to a limit. The title is what a screen reader says."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'style="max-width:{1.3 * width:g}px" role="img" '
        f'aria-label="{escape(title, quote=True)}" font-family="system-ui, sans-serif" font-size="12">'
        f"{''.join(parts)}</svg>"
    )


def x_axis(axis: Axis, y_top: float, y_bottom: float, label: str, at: Sequence[float]) -> List[str]:
    parts = []
    for value in at:
        x = axis.at(value)
        parts.append(line(x, y_top, x, y_bottom))
        parts.append(text(x, y_bottom + 16, number(value)))
    parts.append(text((axis.start + axis.end) / 2, y_bottom + 34, label))
    return parts


def y_axis(axis: Axis, x_left: float, x_right: float, label: str, at: Sequence[float]) -> List[str]:
    parts = []
    for value in at:
        y = axis.at(value)
        parts.append(line(x_left, y, x_right, y))
        parts.append(text(x_left - 6, y + 4, number(value), "end"))
    middle = (axis.start + axis.end) / 2
    parts.append(text(12, middle, label, extra=f' transform="rotate(-90 12 {middle:.1f})"'))
    return parts
