"""Standard test functions, each of a setting: {"x0": 0.1, ...} unless it says otherwise. All are minimised."""

from __future__ import annotations

import math
from typing import Any, Mapping

Setting = Mapping[str, Any]


def _vector(setting: Setting) -> list[float]:
    return [setting[f"x{i}"] for i in range(len(setting))]


def branin(setting: Setting) -> list[float]:
    x, y = _vector(setting)
    curve = y - 5.1 / (4 * math.pi**2) * x**2 + 5 / math.pi * x - 6
    return [curve**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10]


_HARTMANN_HEIGHTS = (1.0, 1.2, 3.0, 3.2)
_HARTMANN_WIDTHS = (
    (10, 3, 17, 3.5, 1.7, 8),
    (0.05, 10, 17, 0.1, 8, 14),
    (3, 3.5, 1.7, 10, 17, 8),
    (17, 8, 0.05, 10, 0.1, 14),
)
_HARTMANN_CENTRES = (
    (0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886),
    (0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991),
    (0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650),
    (0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381),
)


def hartmann6(setting: Setting) -> list[float]:
    x = _vector(setting)
    total = 0.0
    for height, widths, centres in zip(_HARTMANN_HEIGHTS, _HARTMANN_WIDTHS, _HARTMANN_CENTRES):
        total += height * math.exp(-sum(w * (v - c) ** 2 for w, v, c in zip(widths, x, centres)))
    return [-total]


def rosenbrock(setting: Setting) -> list[float]:
    x = _vector(setting)
    return [sum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))]


def ackley(setting: Setting) -> list[float]:
    x = _vector(setting)
    radius = math.sqrt(sum(v * v for v in x) / len(x))
    waves = sum(math.cos(2 * math.pi * v) for v in x) / len(x)
    return [-20 * math.exp(-0.2 * radius) - math.exp(waves) + 20 + math.e]


def styblinski_tang(setting: Setting) -> list[float]:
    return [sum(v**4 - 16 * v**2 + 5 * v for v in _vector(setting)) / 2]


def conditional(setting: Setting) -> list[float]:
    """A stand-in for tuning a network: choices, logarithmic and whole numbers, and parameters of one branch only.

    The best step size depends on the depth, and each optimizer has parameters of its own. Its minimum is 0.
    """
    depth = setting["depth"]
    optimizer = setting["optimizer"]
    loss = 0.04 * (depth - 4) ** 2 + {"relu": 0.0, "tanh": 0.15, "sigmoid": 0.5, "gelu": 0.05}[setting["activation"]]
    loss += 0.1 * abs(math.log2(setting["width"]) - 7) ** 1.5
    step = math.log10(setting["lr"])
    if optimizer["name"] == "sgd":
        loss += 0.3 * (step + 1 + 0.25 * (depth - 4)) ** 2 + 3 * (optimizer["momentum"] - 0.9) ** 2
        loss += 0.0 if optimizer["nesterov"] else 0.1
    elif optimizer["name"] == "adam":
        loss += 0.08 + 0.2 * (step + 3 + 0.15 * (depth - 4)) ** 2 + 0.1 * (math.log10(optimizer["epsilon"]) + 7) ** 2 / 4
    else:
        loss += 0.3 + 0.25 * (step + 2) ** 2
    return [loss]


def zdt1(setting: Setting) -> list[float]:
    x = _vector(setting)
    slope = 1 + 9 * sum(x[1:]) / (len(x) - 1)
    return [x[0], slope * (1 - math.sqrt(x[0] / slope))]
