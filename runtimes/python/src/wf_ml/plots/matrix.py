"""A confusion matrix: rows are true classes, columns predicted ones, shaded by the share of the row."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from wf_ml.plots.svg import INK, colour_of, frame, text

CELL, LEFT, TOP, BOTTOM = 64, 130, 96, 34


def confusion(title: str, matrix: np.ndarray, classes: Sequence[str]) -> str:
    width, height = LEFT + CELL * len(classes) + 14, TOP + CELL * len(classes) + BOTTOM
    parts = [text(LEFT + CELL * len(classes) / 2, height - 10, "predicted class; rows are true classes")]
    totals = matrix.sum(axis=1)
    for row, name in enumerate(classes):
        parts.append(text(LEFT - 8, TOP + CELL * (row + 0.5) + 4, name, "end", INK))
        x, y = LEFT + CELL * (row + 0.5), TOP - 8.0
        parts.append(text(x, y, name, "start", INK, f' transform="rotate(-35 {x:.1f} {y:.1f})"'))
        for column in range(len(classes)):
            share = float(matrix[row, column] / totals[row]) if totals[row] else 0.0
            left, top = LEFT + CELL * column, TOP + CELL * row
            fill = colour_of(0 if row == column else 1)
            parts.append(
                f'<rect x="{left}" y="{top}" width="{CELL - 2}" height="{CELL - 2}" rx="3" fill="{fill}" '
                f'fill-opacity="{0.06 + 0.6 * share:.3f}"/>'
            )
            parts.append(text(left + CELL / 2, top + CELL / 2, str(int(matrix[row, column])), fill=INK))
            parts.append(text(left + CELL / 2, top + CELL / 2 + 16, f"{share:.0%}"))
    return frame(width, height, title, parts)
