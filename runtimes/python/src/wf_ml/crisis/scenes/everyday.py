"""What people post at any time: streets, pets, food, jokes, faces."""

from __future__ import annotations

import math

from wf_ml.crisis.scenes.canvas import Canvas, Colour, varied
from wf_ml.crisis.scenes.parts import car, person, road, sky, tree, windows

BRIGHT: list[Colour] = [
    (230, 80, 80),
    (80, 140, 220),
    (250, 210, 70),
    (110, 190, 110),
    (200, 110, 200),
    (240, 240, 240),
]


def city(canvas: Canvas) -> None:
    """A skyline with its windows, a street, people, parked cars."""
    rng = canvas.rng
    mood = str(rng.choice(["clear", "dusk", "night", "grey"], p=[0.5, 0.15, 0.2, 0.15]))
    sky(canvas, mood)
    lit = {"night": 0.6, "dusk": 0.35}.get(mood, 0.05)
    horizon = rng.uniform(0.6, 0.72)
    x = -0.05
    while x < 1.0:
        width, height = rng.uniform(0.1, 0.22), rng.uniform(0.2, 0.58)
        wall = varied(rng, (70, 72, 84) if mood == "night" else (150, 155, 165), 20)
        canvas.box(x, horizon - height, x + width, horizon, wall)
        windows(canvas, x, horizon - height, width, height, (52, 60, 78), columns=max(2, round(width / 0.05)), lit=lit)
        x += width + rng.uniform(0.0, 0.02)
    road(canvas, horizon)
    for _ in range(int(rng.integers(1, 4))):
        car(canvas, rng.uniform(0, 0.8), rng.uniform(horizon + 0.1, 0.92), rng.uniform(0.14, 0.24))
    for _ in range(int(rng.integers(0, 4))):
        person(canvas, rng.uniform(0, 1), rng.uniform(0.85, 0.98), 0.24)
    if rng.random() < 0.5:
        tree(canvas, rng.uniform(0, 1), horizon + 0.1, 0.34)


def cat(canvas: Canvas) -> None:
    rng = canvas.rng
    room = varied(rng, [(200, 185, 165), (120, 140, 160), (170, 120, 110), (150, 165, 130)][rng.integers(4)], 15)
    canvas.gradient(0, 1, room, varied(rng, room, 20))
    canvas.box(0, rng.uniform(0.65, 0.8), 1, 1, varied(rng, (140, 90, 80), 25))
    fur = varied(rng, [(205, 140, 70), (90, 85, 85), (225, 220, 210), (45, 42, 45), (160, 140, 115)][rng.integers(5)])
    dark = varied(rng, (int(fur[0] * 0.75), int(fur[1] * 0.75), int(fur[2] * 0.75)), 5)
    x, y, size = rng.uniform(0.35, 0.65), rng.uniform(0.38, 0.52), rng.uniform(0.17, 0.25)
    canvas.oval(x + rng.normal(0, 0.04), y + 2.0 * size, 1.25 * size, 1.6 * size, fur)
    for side in (-1, 1):
        tip = (x + side * 0.95 * size, y - 1.5 * size)
        canvas.polygon([(x + side * 0.95 * size, y - 0.2 * size), tip, (x + side * 0.2 * size, y - 0.85 * size)], fur)
        inner = (x + side * 0.82 * size, y - 1.15 * size)
        canvas.polygon(
            [(x + side * 0.75 * size, y - 0.4 * size), inner, (x + side * 0.4 * size, y - 0.75 * size)], (225, 160, 155)
        )
    canvas.oval(x, y, size, 0.95 * size, fur)
    for stripe in (-0.3, 0.0, 0.3):
        canvas.line([(x + stripe * size, y - 0.85 * size), (x + 0.7 * stripe * size, y - 0.45 * size)], dark, 0.015)
    eye = varied(rng, [(120, 180, 70), (230, 190, 60), (110, 170, 210)][rng.integers(3)], 8)
    for side in (-1, 1):
        canvas.oval(x + side * 0.42 * size, y - 0.08 * size, 0.22 * size, 0.2 * size, eye)
        canvas.oval(x + side * 0.42 * size, y - 0.08 * size, 0.07 * size, 0.18 * size, (15, 15, 15))
        for whisker in (-0.1, 0.05, 0.2):
            start, end = (x + side * 0.25 * size, y + 0.42 * size), (x + side * 1.3 * size, y + (0.35 + whisker) * size)
            canvas.line([start, end], (240, 240, 240), 0.006)
    canvas.polygon(
        [(x - 0.1 * size, y + 0.25 * size), (x + 0.1 * size, y + 0.25 * size), (x, y + 0.38 * size)], (215, 130, 130)
    )


def meme(canvas: Canvas) -> None:
    """A plain picture with thick white capitals above and below."""
    rng = canvas.rng
    colour = varied(rng, BRIGHT[int(rng.integers(len(BRIGHT) - 1))], 20)
    canvas.gradient(0, 1, colour, varied(rng, colour, 30))
    if rng.random() < 0.5:
        for spoke in range(0, 16, 2):
            a, b = spoke / 16 * 2 * math.pi, (spoke + 1) / 16 * 2 * math.pi
            points = [(0.5, 0.5), (0.5 + math.cos(a), 0.5 + math.sin(a)), (0.5 + math.cos(b), 0.5 + math.sin(b))]
            canvas.polygon(
                points, varied(rng, (max(colour[0] - 40, 0), max(colour[1] - 40, 0), max(colour[2] - 40, 0)), 3)
            )
    face(canvas, 0.5 + rng.normal(0, 0.06), 0.52, rng.uniform(0.16, 0.24))
    capitals(canvas, rng.uniform(0.05, 0.1))
    capitals(canvas, rng.uniform(0.78, 0.84))


def face(canvas: Canvas, x: float, y: float, size: float) -> None:
    rng = canvas.rng
    skin = varied(rng, [(250, 215, 60), (235, 190, 160), (150, 105, 75), (120, 190, 90)][rng.integers(4)], 8)
    canvas.oval(x, y, size, 1.15 * size, skin)
    for side in (-1, 1):
        canvas.oval(x + side * 0.4 * size, y - 0.2 * size, 0.14 * size, 0.18 * size, (25, 25, 30))
    bend = rng.choice([-1, 1]) * rng.uniform(0.1, 0.35) * size
    mouth = [(x - 0.45 * size, y + 0.5 * size), (x, y + 0.5 * size + bend), (x + 0.45 * size, y + 0.5 * size)]
    canvas.line(mouth, (60, 20, 25), 0.03)


def capitals(canvas: Canvas, top: float, colour: Colour = (255, 255, 255), height: float = 0.12) -> None:
    rng = canvas.rng
    x = rng.uniform(0.06, 0.16)
    while x < 0.88:
        width = rng.uniform(0.035, 0.06)
        if rng.random() < 0.85:
            canvas.box(x - 0.008, top - 0.01, x + width + 0.008, top + height + 0.01, (15, 15, 15))
            canvas.box(x, top, x + width, top + height, colour)
            if rng.random() < 0.6:
                cut = top + height * rng.uniform(0.3, 0.5)
                canvas.box(x + 0.35 * width, cut, x + 0.65 * width, cut + 0.25 * height, (15, 15, 15))
        x += width + 0.022


def food(canvas: Canvas) -> None:
    rng = canvas.rng
    table = varied(rng, [(140, 95, 60), (220, 215, 205), (70, 60, 60)][rng.integers(3)], 12)
    canvas.gradient(0, 1, table, varied(rng, table, 15))
    canvas.texture(0, 1, 0.12, 6.0)
    x, y = 0.5 + rng.normal(0, 0.05), 0.52 + rng.normal(0, 0.04)
    canvas.oval(x, y + 0.02, 0.36, 0.4, (90, 85, 80))
    canvas.oval(x, y, 0.36, 0.4, (242, 240, 236))
    canvas.oval(x, y, 0.28, 0.31, (228, 226, 222))
    for _ in range(int(rng.integers(18, 40))):
        angle, reach = rng.uniform(0, 6.28), 0.22 * rng.random() ** 0.5
        colour = [(190, 60, 40), (90, 140, 50), (235, 195, 90), (160, 100, 50), (245, 225, 180)][rng.integers(5)]
        rx, ry = rng.uniform(0.02, 0.07), rng.uniform(0.02, 0.06)
        canvas.oval(x + reach * math.cos(angle), y + reach * math.sin(angle), rx, ry, varied(rng, colour))
    canvas.line([(x + 0.44, 0.2), (x + 0.44, 0.85)], (190, 190, 195), 0.03)


def selfie(canvas: Canvas) -> None:
    rng = canvas.rng
    if rng.random() < 0.5:
        sky(canvas, "clear")
        tree(canvas, rng.uniform(0, 1), 0.9, 0.6)
    else:
        wall = varied(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 30)
        canvas.gradient(0, 1, wall, varied(rng, wall, 15))
    for offset in [0.0] if rng.random() < 0.55 else [-0.2, 0.2]:
        x, y, size = 0.5 + offset + rng.normal(0, 0.04), rng.uniform(0.42, 0.52), rng.uniform(0.17, 0.23)
        skin = varied(rng, [(232, 188, 160), (160, 112, 82), (105, 72, 55)][rng.integers(3)], 8)
        hair = varied(rng, [(50, 35, 28), (190, 150, 90), (25, 22, 22), (130, 70, 40)][rng.integers(4)], 8)
        canvas.oval(x, y - 0.35 * size, 1.25 * size, 1.35 * size, hair)
        canvas.oval(x, y + 2.6 * size, 1.9 * size, 1.4 * size, varied(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 20))
        canvas.box(x - 0.3 * size, y + 0.8 * size, x + 0.3 * size, y + 1.5 * size, skin)
        canvas.oval(x, y, 0.9 * size, 1.2 * size, skin)
        for side in (-1, 1):
            canvas.oval(x + side * 0.36 * size, y - 0.15 * size, 0.13 * size, 0.1 * size, (250, 250, 250))
            canvas.oval(x + side * 0.36 * size, y - 0.15 * size, 0.06 * size, 0.1 * size, (40, 30, 30))
        canvas.line(
            [(x - 0.3 * size, y + 0.5 * size), (x, y + 0.65 * size), (x + 0.3 * size, y + 0.5 * size)],
            (170, 60, 60),
            0.025,
        )


EVERYDAY = {"city": city, "cat": cat, "meme": meme, "food": food, "selfie": selfie}
