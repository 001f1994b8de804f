"""What can be had without learning from pixels: five measured numbers an image, and the nearest class.

Nearest is meant in units of the spread inside of the classes (linear discriminant analysis, classes equally likely).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence

import numpy as np

from wf_ml import atomic, command, rows
from wf_ml.errors import DataError
from wf_ml.images import read_rgb
from wf_ml.log import log


def shape_of(pixels: np.ndarray) -> np.ndarray:
    """Axis ratio, size, concentration, asymmetry and colour of the light in the middle."""
    light = pixels.astype(np.float64) / 255.0
    grey = light.mean(axis=2)
    grey = np.clip(grey - np.median(grey) - 0.02, 0.0, None)
    side = grey.shape[0]
    rows_, columns = np.mgrid[0:side, 0:side] - (side - 1) / 2.0
    radius = np.hypot(rows_, columns)
    weight = grey * np.exp(-0.5 * (radius / (0.22 * side)) ** 2)
    total = max(float(weight.sum()), 1e-9)
    xx, yy = float((weight * columns**2).sum()) / total, float((weight * rows_**2).sum()) / total
    xy = float((weight * columns * rows_).sum()) / total
    spread = float(np.sqrt((xx - yy) ** 2 / 4 + xy**2))
    large, small = (xx + yy) / 2 + spread, max((xx + yy) / 2 - spread, 1e-9)
    inner = float(weight[radius < 0.08 * side].sum()) / total
    asymmetry = float(np.abs(weight - weight[::-1, ::-1]).sum()) / (2 * total)
    red, blue = float((light[..., 0] * weight).sum()), float((light[..., 2] * weight).sum())
    return np.array(
        [np.sqrt(small / large), np.sqrt(large) / side, inner, asymmetry, np.log((red + 1e-6) / (blue + 1e-6))]
    )


@dataclass(frozen=True)
class Baseline:
    classes: List[str]
    means: List[List[float]]
    precision: List[List[float]]

    def predict(self, shapes: np.ndarray) -> List[str]:
        away = shapes[:, None, :] - np.array(self.means)[None, :, :]
        distance = np.einsum("ncf,fg,ncg->nc", away, np.array(self.precision), away)
        return [self.classes[int(number)] for number in distance.argmin(axis=1)]


def fit_baseline(images: Path) -> Baseline:
    by_class: Dict[str, List[np.ndarray]] = {}
    for row in rows.read_rows(images, files=["image"], values=["label"]):
        by_class.setdefault(row["label"], []).append(shape_of(read_rgb(row["image"])))
    if len(by_class) < 2:
        raise DataError("there are fewer than two classes", images)
    classes = sorted(by_class)
    means = [np.mean(by_class[label], axis=0) for label in classes]
    within = np.concatenate([np.array(by_class[label]) - mean for label, mean in zip(classes, means)])
    covariance = within.T @ within / len(within) + 1e-6 * np.eye(within.shape[1])
    return Baseline(classes, [mean.tolist() for mean in means], np.linalg.inv(covariance).tolist())


def load_baseline(path: Path) -> Baseline:
    return Baseline(**json.loads(path.read_text("utf-8")))


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: image, label")
    parser.add_argument("--out", type=Path, required=True, help="JSON")
    given = parser.parse_args(argv)
    fitted = fit_baseline(given.train)
    atomic.write_bytes(given.out, json.dumps(vars(fitted)).encode("utf-8"))
    log(classes=len(fitted.classes))


if __name__ == "__main__":
    command.run(main)
