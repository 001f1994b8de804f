"""A confusion matrix: rows are true classes, columns predicted ones, shaded by the share of the row."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from wf_ml.plots.svg import INK, colour_of, frame, text

CELL, BOTTOM, LETTER = 64, 34, 6.8
CAPTION = "predicted class; rows are true classes"


def confusion(title: str, matrix: np.ndarray, classes: Sequence[str]) -> str:
    longest = max((len(name) for name in classes), default=0) * LETTER
    left_edge, top_edge = 18 + longest, 20 + longest * 0.6
    right_edge = left_edge + CELL * len(classes)
    width = max(right_edge + 8, right_edge - CELL / 2 + longest * 0.85 + 8, len(CAPTION) * LETTER + 20)
    height = top_edge + CELL * len(classes) + BOTTOM
    parts = [text(width / 2, height - 10, CAPTION)]
    totals = matrix.sum(axis=1)
    for row, name in enumerate(classes):
        parts.append(text(left_edge - 8, top_edge + CELL * (row + 0.5) + 4, name, "end", INK))
        x, y = left_edge + CELL * (row + 0.5), top_edge - 8.0
        parts.append(text(x, y, name, "start", INK, f' transform="rotate(-35 {x:.1f} {y:.1f})"'))
        for column in range(len(classes)):
            share = float(matrix[row, column] / totals[row]) if totals[row] else 0.0
            left, top = left_edge + CELL * column, top_edge + CELL * row
            fill = colour_of(0 if row == column else 1)
            parts.append(
                f'<rect x="{left}" y="{top}" width="{CELL - 2}" height="{CELL - 2}" rx="3" fill="{fill}" '
                f'fill-opacity="{0.06 + 0.6 * share:.3f}"/>'
            )
            parts.append(text(left + CELL / 2, top + CELL / 2, str(int(matrix[row, column])), fill=INK))
            parts.append(text(left + CELL / 2, top + CELL / 2 + 16, f"{share:.0%}", fill=INK))
    return frame(width, height, title, parts)
