"""What a crisis looks like: water where streets were, fire, rubble, what a storm has thrown over."""

from __future__ import annotations

import math

from wf_ml.crisis.scenes.canvas import Canvas, Colour, varied
from wf_ml.crisis.scenes.parts import car, hills, house, person, ripples, road, sky, street_of_houses, tree


def flood(canvas: Canvas) -> None:
    """Houses, trees and cars that stand in brown water."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["grey", "stormy", "clear"], p=[0.55, 0.3, 0.15])), 0.6)
    level = rng.uniform(0.42, 0.6)
    street_of_houses(canvas, level + 0.06, 0.14, 0.26)
    for _ in range(int(rng.integers(0, 3))):
        tree(canvas, rng.uniform(0, 1), level + 0.05, rng.uniform(0.25, 0.4))
    mud = varied(rng, (128, 108, 78), 12)
    canvas.gradient(level, 1.0, mud, varied(rng, (96, 80, 58), 8))
    canvas.mirror_below(level, mud, rng.uniform(0.15, 0.35))
    canvas.texture(level, 1.0, 0.18, 5.0)
    ripples(canvas, level, 1.0, (165, 148, 118), int(rng.integers(20, 45)))
    for _ in range(int(rng.integers(0, 3))):
        x, y, length = rng.uniform(0, 0.8), rng.uniform(level + 0.08, 0.85), rng.uniform(0.16, 0.28)
        car(canvas, x, y, length)
        canvas.box(x - 0.02, y - 0.16 * length, x + length + 0.02, y + 0.02, mud)
    if rng.random() < 0.4:
        boat(canvas, rng.uniform(0.1, 0.6), rng.uniform(level + 0.15, 0.9))
    if rng.random() < 0.4:
        x, y = rng.uniform(0.1, 0.9), rng.uniform(level + 0.2, 0.98)
        person(canvas, x, y, 0.28)
        canvas.box(x - 0.06, y - 0.12, x + 0.06, y + 0.02, mud)


def boat(canvas: Canvas, x: float, base: float) -> None:
    hull: Colour = varied(canvas.rng, (215, 95, 40))
    for seat in (0.08, 0.16, 0.24):
        person(canvas, x + seat, base, 0.18)
    canvas.polygon([(x, base - 0.07), (x + 0.32, base - 0.07), (x + 0.27, base), (x + 0.05, base)], hull)


def fire(canvas: Canvas) -> None:
    """Flames out of roofs or over a ridge, and the smoke above them."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["night", "dusk", "dusty", "grey"], p=[0.4, 0.25, 0.2, 0.15])))
    base = rng.uniform(0.62, 0.82)
    middle = rng.uniform(0.25, 0.75)
    canvas.glow(middle, base, 0.6, 0.5, (255, 120, 30), 0.65)
    if rng.random() < 0.5:
        hills(canvas, base - 0.08, varied(rng, (35, 28, 24), 6))
        for _ in range(6):
            tree_shadow(canvas, rng.uniform(0, 1), base, rng.uniform(0.15, 0.3))
    else:
        for _ in range(3):
            house(canvas, rng.uniform(-0.05, 0.8), base, rng.uniform(0.18, 0.3), rng.uniform(0.18, 0.3))
    for _ in range(int(rng.integers(9, 20))):
        x = middle + rng.normal(0, 0.22)
        tongue(canvas, x, base + rng.uniform(-0.1, 0.05), rng.uniform(0.12, 0.42), rng.uniform(0.03, 0.09))
    for _ in range(int(rng.integers(5, 10))):
        drift = rng.uniform(-0.3, 0.3)
        smoke: Colour = varied(rng, (60, 54, 52), 12)
        x, y = middle + drift, rng.uniform(0.0, 0.35)
        canvas.glow(x, y, rng.uniform(0.15, 0.35), rng.uniform(0.08, 0.2), smoke, rng.uniform(0.5, 0.85))
    canvas.gradient(base + 0.05, 1.0, varied(rng, (52, 40, 32), 6), varied(rng, (22, 18, 16), 4))
    if rng.random() < 0.4:
        person(canvas, rng.uniform(0.1, 0.9), 0.97, 0.3)


def tree_shadow(canvas: Canvas, x: float, base: float, height: float) -> None:
    canvas.polygon([(x - 0.05, base), (x, base - height), (x + 0.05, base)], (24, 20, 18))


def tongue(canvas: Canvas, x: float, base: float, height: float, width: float) -> None:
    for share, colour in ((1.0, (225, 70, 15)), (0.72, (250, 140, 25)), (0.42, (255, 225, 120))):
        lean = canvas.rng.normal(0, 0.4) * width
        high, wide = height * share, width * share
        curve = [
            (x + wide * math.sin(angle) * math.sin(angle / 2), base - high * (1 - math.cos(angle)) / 2 * 1.0)
            for angle in [step / 8 * math.pi for step in range(9)]
        ]
        left = [(2 * x - px, py) for px, py in reversed(curve)]
        canvas.polygon([*curve, (x + lean, base - high * 1.12), *left], colour)


def rubble(canvas: Canvas) -> None:
    """Broken slabs, bent steel, and walls with holes in the dust."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["dusty", "grey", "clear"], p=[0.5, 0.3, 0.2])))
    ground = rng.uniform(0.5, 0.65)
    for _ in range(int(rng.integers(1, 4))):
        broken_wall(canvas, rng.uniform(-0.05, 0.75), ground + 0.12, rng.uniform(0.2, 0.36), rng.uniform(0.3, 0.6))
    canvas.gradient(ground + 0.1, 1.0, varied(rng, (168, 158, 142), 8), varied(rng, (128, 118, 104), 8))
    for step in range(int(rng.integers(60, 110))):
        y = ground + (1 - ground) * (step / 100) + rng.normal(0, 0.03)
        slab(canvas, rng.uniform(-0.05, 1.05), y, rng.uniform(0.04, 0.06 + 0.16 * max(y - ground, 0)))
    for _ in range(int(rng.integers(4, 12))):
        x, y = rng.uniform(0, 1), rng.uniform(ground, 0.95)
        bend = [(x, y), (x + rng.normal(0, 0.05), y - 0.1), (x + rng.normal(0, 0.12), y - rng.uniform(0.1, 0.22))]
        canvas.line(bend, varied(rng, (95, 62, 48), 10), 0.008)
    canvas.texture(ground, 1.0, 0.25)
    for _ in range(int(rng.integers(0, 4))):
        person(canvas, rng.uniform(0.1, 0.9), rng.uniform(0.75, 0.98), 0.24)


def slab(canvas: Canvas, x: float, y: float, size: float) -> None:
    rng = canvas.rng
    angle, shade = rng.uniform(0, math.pi), varied(rng, (172, 162, 148), 24)
    corners = []
    for turn in (0.0, 1.1, math.pi, math.pi + 1.1):
        reach = size * rng.uniform(0.6, 1.1)
        corners.append((x + reach * math.cos(angle + turn), y + 0.7 * reach * math.sin(angle + turn)))
    below = [(px, py + 0.25 * size) for px, py in corners]
    canvas.polygon(below, (88, 80, 70))
    canvas.polygon(corners, shade)


def broken_wall(canvas: Canvas, x: float, base: float, width: float, height: float) -> None:
    rng = canvas.rng
    steps = 7
    top = [(x + width * step / steps, base - height * rng.uniform(0.5, 1.0)) for step in range(steps + 1)]
    wall = varied(rng, [(150, 128, 108), (128, 122, 116), (168, 148, 118)][rng.integers(3)], 10)
    canvas.polygon([(x, base), *top, (x + width, base)], wall)
    floors = max(1, round(height / 0.12))
    for floor in range(floors):
        for column in range(3):
            left, upper = x + width * (0.1 + 0.3 * column), base - height * (floor + 0.75) / floors
            if upper > base - 0.62 * height and rng.random() < 0.8:
                canvas.box(left, upper, left + 0.18 * width, upper + 0.06, (44, 38, 34))
        y = base - height * floor / floors
        canvas.line([(x, y), (x + width, y + rng.normal(0, 0.01))], (96, 86, 76), 0.008)


def storm(canvas: Canvas) -> None:
    """Roofs that are gone, and trees that lie across the road."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["stormy", "grey", "clear"], p=[0.5, 0.35, 0.15])), 0.62)
    horizon = rng.uniform(0.5, 0.6)
    road(canvas, horizon)
    for side in (rng.uniform(-0.1, 0.1), rng.uniform(0.6, 0.75)):
        house(canvas, side, horizon + 0.12, 0.3, 0.22, has_roof=rng.random() < 0.3)
        for beam in range(4):
            foot = side + 0.06 + 0.06 * beam
            tip = (foot + rng.normal(0, 0.05), horizon - 0.1 - rng.uniform(0.04, 0.12))
            canvas.line([(foot, horizon - 0.1), tip], (120, 90, 60), 0.012)
    y = rng.uniform(0.7, 0.85)
    canvas.line([(rng.uniform(-0.1, 0.2), y + 0.05), (rng.uniform(0.7, 1.0), y - 0.08)], (82, 58, 40), 0.05)
    for _ in range(26):
        x = rng.uniform(0.4, 1.0)
        canvas.oval(x, y - 0.05 + rng.normal(0, 0.05), 0.05, 0.05, varied(rng, (62, 92, 48)))
    for _ in range(int(rng.integers(18, 40))):
        x, y = rng.uniform(0, 1), rng.uniform(horizon + 0.1, 1)
        slab(canvas, x, y, rng.uniform(0.01, 0.04))
    if rng.random() < 0.5:
        pole = rng.uniform(0.3, 0.7)
        canvas.line([(pole, horizon + 0.1), (pole + 0.25, horizon - 0.3)], (70, 55, 45), 0.015)


DAMAGE = {"flood": flood, "fire": fire, "rubble": rubble, "storm": storm}
