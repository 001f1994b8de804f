"""Things that stand in more than one scene."""

from __future__ import annotations

import math

from wf_ml.crisis.scenes.canvas import Canvas, Colour, ragged, varied

WALLS: list[Colour] = [(196, 178, 150), (170, 120, 100), (205, 205, 200), (140, 150, 160), (180, 160, 120)]
ROOFS: list[Colour] = [(120, 60, 50), (80, 75, 75), (140, 90, 60), (70, 80, 95)]


def sky(canvas: Canvas, mood: str, down_to: float = 1.0) -> None:
    upper, lower = {
        "clear": ((90, 150, 220), (190, 215, 240)),
        "grey": ((130, 138, 148), (185, 188, 190)),
        "stormy": ((70, 76, 88), (135, 140, 145)),
        "dusty": ((165, 150, 130), (205, 192, 170)),
        "dusk": ((70, 60, 110), (240, 150, 80)),
        "night": ((10, 12, 28), (38, 34, 52)),
    }[mood]
    rng = canvas.rng
    canvas.gradient(0.0, down_to, varied(rng, upper, 8), varied(rng, lower, 8))
    if mood in ("clear", "grey", "stormy"):
        for _ in range(int(rng.integers(1, 5))):
            white: Colour = (250, 250, 250) if mood == "clear" else (150, 152, 156)
            x, y = rng.uniform(0, 1), rng.uniform(0, 0.35)
            canvas.glow(x, y, rng.uniform(0.1, 0.3), rng.uniform(0.03, 0.08), white, 0.6)


def house(canvas: Canvas, x: float, base: float, width: float, height: float, has_roof: bool = True) -> None:
    rng = canvas.rng
    wall = varied(rng, WALLS[int(rng.integers(len(WALLS)))])
    canvas.box(x, base - height, x + width, base, wall)
    if has_roof:
        roof = varied(rng, ROOFS[int(rng.integers(len(ROOFS)))])
        peak = base - height - width * rng.uniform(0.3, 0.6)
        points = [(x - 0.1 * width, base - height), (x + width / 2, peak), (x + 1.1 * width, base - height)]
        canvas.polygon(points, roof)
    windows(canvas, x, base - height, width, height, (60, 70, 85), columns=max(1, round(width / 0.08)))


def windows(
    canvas: Canvas, x: float, top: float, width: float, height: float, glass: Colour, columns: int, lit: float = 0.0
) -> None:
    rng = canvas.rng
    rows = max(1, round(height / 0.1))
    cell_x, cell_y = width / columns, height / rows
    for row in range(rows):
        for column in range(columns):
            colour = varied(rng, (250, 225, 140)) if rng.random() < lit else varied(rng, glass, 8)
            left, upper = x + (column + 0.25) * cell_x, top + (row + 0.25) * cell_y
            canvas.box(left, upper, left + 0.5 * cell_x, upper + 0.5 * cell_y, colour)


def street_of_houses(canvas: Canvas, base: float, least: float = 0.16, most: float = 0.3) -> None:
    rng = canvas.rng
    x = rng.uniform(-0.1, 0.05)
    while x < 1.0:
        width = rng.uniform(0.14, 0.26)
        house(canvas, x, base, width, rng.uniform(least, most))
        x += width + rng.uniform(0.0, 0.12)


def tree(canvas: Canvas, x: float, base: float, height: float) -> None:
    rng = canvas.rng
    canvas.box(x - 0.012, base - 0.5 * height, x + 0.012, base, varied(rng, (85, 60, 40)))
    leaf = varied(rng, (60, 100, 50))
    for _ in range(7):
        dx, dy = rng.normal(0, 0.16 * height), rng.normal(0, 0.14 * height)
        canvas.oval(x + dx, base - 0.75 * height + dy, 0.2 * height, 0.18 * height, varied(rng, leaf, 8))


def car(canvas: Canvas, x: float, base: float, length: float) -> None:
    rng = canvas.rng
    paint = varied(rng, [(170, 40, 40), (40, 60, 120), (210, 210, 210), (50, 50, 55), (190, 160, 40)][rng.integers(5)])
    canvas.box(x, base - 0.32 * length, x + length, base - 0.08 * length, paint)
    cabin = [(x + 0.2 * length, base - 0.32 * length), (x + 0.3 * length, base - 0.55 * length)]
    cabin += [(x + 0.7 * length, base - 0.55 * length), (x + 0.82 * length, base - 0.32 * length)]
    canvas.polygon(cabin, (55, 65, 75))
    for wheel in (0.22, 0.78):
        canvas.oval(x + wheel * length, base - 0.06 * length, 0.08 * length, 0.1 * length, (25, 25, 25))


def person(canvas: Canvas, x: float, base: float, height: float) -> None:
    rng = canvas.rng
    skin = varied(rng, [(225, 180, 150), (150, 100, 70), (95, 65, 50)][rng.integers(3)])
    clothes = varied(rng, [(180, 50, 50), (50, 80, 150), (70, 70, 70), (230, 200, 60), (90, 130, 80)][rng.integers(5)])
    canvas.box(x - 0.09 * height, base - 0.5 * height, x + 0.09 * height, base, (45, 45, 60))
    canvas.oval(x, base - 0.58 * height, 0.13 * height, 0.27 * height, clothes)
    canvas.oval(x, base - 0.9 * height, 0.08 * height, 0.1 * height, skin)


def hills(canvas: Canvas, height: float, colour: Colour, roughness: float = 0.03) -> None:
    edge = ragged(canvas.rng, 0.0, 1.0, height, roughness)
    canvas.polygon([*edge, (1.0, 1.0), (0.0, 1.0)], colour)


def ripples(canvas: Canvas, top: float, bottom: float, colour: Colour, count: int) -> None:
    rng = canvas.rng
    for _ in range(count):
        y = top + (bottom - top) * rng.random() ** 0.7
        length = 0.03 + 0.18 * (y - top) / max(bottom - top, 1e-6)
        x = rng.uniform(-0.1, 1.0)
        bend = 0.006 * math.sin(rng.uniform(0, 6.28))
        canvas.line([(x, y), (x + length / 2, y + bend), (x + length, y)], varied(rng, colour, 8), 0.006)


def road(canvas: Canvas, horizon: float, colour: Colour = (95, 95, 98)) -> None:
    canvas.gradient(horizon, 1.0, (120, 122, 112), (98, 100, 92))
    canvas.polygon([(0.42, horizon), (0.58, horizon), (1.05, 1.0), (-0.05, 1.0)], varied(canvas.rng, colour, 8))
    for step in range(4):
        y = horizon + (1 - horizon) * (0.12 + 0.25 * step)
        canvas.box(0.49, y, 0.51, y + 0.04 + 0.02 * step, (225, 220, 200))
