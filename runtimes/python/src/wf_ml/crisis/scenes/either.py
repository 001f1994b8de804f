"""Pictures that say little by themselves: they go with news as well as with small talk."""

from __future__ import annotations

from wf_ml.crisis.scenes.canvas import Canvas, ragged, varied
from wf_ml.crisis.scenes.damage import slab
from wf_ml.crisis.scenes.everyday import capitals
from wf_ml.crisis.scenes.parts import car, hills, person, ripples, road, sky, street_of_houses, tree


def lake(canvas: Canvas) -> None:
    """High water, or a walk by the river."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["clear", "grey", "stormy"])), 0.6)
    level = rng.uniform(0.42, 0.58)
    hills(canvas, level - rng.uniform(0.04, 0.14), varied(rng, (80, 105, 75), 12))
    for _ in range(int(rng.integers(1, 5))):
        tree(canvas, rng.uniform(0, 1), level + 0.03, rng.uniform(0.15, 0.3))
    water = varied(rng, (108, 116, 112), 16)
    canvas.gradient(level, 1.0, water, varied(rng, (78, 86, 84), 12))
    canvas.mirror_below(level, water, rng.uniform(0.2, 0.45))
    ripples(canvas, level, 1.0, (150, 158, 156), int(rng.integers(12, 36)))


def sunset(canvas: Canvas) -> None:
    """A red sky over a ridge: the sun, or more than that."""
    rng = canvas.rng
    sky(canvas, "dusk")
    x, y = rng.uniform(0.25, 0.75), rng.uniform(0.5, 0.66)
    canvas.glow(x, y, 0.55, 0.36, (255, 140, 50), 0.7)
    if rng.random() < 0.5:
        canvas.glow(x, y, 0.07, 0.09, (255, 235, 170), 0.95)
    for _ in range(int(rng.integers(1, 5))):
        canvas.glow(rng.uniform(0, 1), rng.uniform(0.1, 0.4), 0.3, 0.05, (110, 70, 80), 0.6)
    hills(canvas, rng.uniform(0.64, 0.76), varied(rng, (42, 34, 36), 8))


def building_site(canvas: Canvas) -> None:
    """Heaps of stone and a crane: torn down, or being built."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["clear", "grey", "dusty"])))
    ground = rng.uniform(0.6, 0.7)
    x = rng.uniform(0.2, 0.8)
    canvas.line([(x, ground), (x, 0.12)], (205, 165, 45), 0.02)
    canvas.line([(x - 0.3, 0.16), (x + 0.2, 0.16)], (205, 165, 45), 0.015)
    for step in range(3):
        left = rng.uniform(0, 0.6)
        canvas.box(left, ground - 0.14 - 0.1 * step, left + 0.3, ground - 0.06, varied(rng, (165, 160, 155)))
    canvas.gradient(ground, 1, varied(rng, (160, 142, 112), 10), varied(rng, (130, 112, 86), 10))
    for _ in range(int(rng.integers(15, 45))):
        slab(canvas, rng.uniform(0, 1), rng.uniform(ground, 1), rng.uniform(0.02, 0.08))
    canvas.texture(ground, 1, 0.2)


def rainy_street(canvas: Canvas) -> None:
    rng = canvas.rng
    sky(canvas, str(rng.choice(["stormy", "grey"])), 0.6)
    horizon = rng.uniform(0.52, 0.62)
    street_of_houses(canvas, horizon + 0.02, 0.16, 0.3)
    road(canvas, horizon, (72, 76, 84))
    canvas.mirror_below(horizon, (92, 96, 104), rng.uniform(0.15, 0.4))
    car(canvas, rng.uniform(0, 0.75), rng.uniform(horizon + 0.12, 0.9), 0.22)
    for _ in range(60):
        x, y = rng.uniform(0, 1), rng.uniform(0, 1)
        canvas.line([(x, y), (x - 0.01, y + 0.05)], (175, 180, 190), 0.004)


def crowd(canvas: Canvas) -> None:
    """Many people: helpers, or a concert."""
    rng = canvas.rng
    sky(canvas, str(rng.choice(["clear", "grey", "dusk"])), 0.6)
    street_of_houses(canvas, 0.55, 0.14, 0.26)
    canvas.gradient(0.5, 1, (132, 128, 120), (104, 100, 94))
    for step in range(int(rng.integers(14, 28))):
        base = 0.62 + 0.38 * step / 28
        person(canvas, rng.uniform(0, 1), base, 0.2 + 0.2 * (base - 0.6))


def screenshot(canvas: Canvas) -> None:
    """Lines of text or a map on a phone."""
    rng = canvas.rng
    paper = varied(rng, [(245, 245, 245), (28, 34, 46), (232, 238, 228)][rng.integers(3)], 6)
    ink = (30, 30, 35) if sum(paper) > 380 else (225, 228, 232)
    canvas.gradient(0, 1, paper, paper)
    if rng.random() < 0.5:
        for row in range(int(rng.integers(6, 10))):
            canvas.box(0.08, 0.12 + 0.085 * row, rng.uniform(0.4, 0.92), 0.15 + 0.085 * row, ink)
        canvas.oval(0.12, 0.06, 0.03, 0.04, varied(rng, (70, 130, 210)))
    else:
        for _ in range(7):
            canvas.line(ragged(rng, -0.05, 1.05, rng.uniform(0, 1), 0.05), (250, 205, 120), 0.018)
            canvas.line([(b, a) for a, b in ragged(rng, -0.05, 1.05, rng.uniform(0, 1), 0.05)], (200, 205, 215), 0.014)
        canvas.glow(rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7), 0.2, 0.2, (230, 70, 60), 0.45)
    if rng.random() < 0.3:
        capitals(canvas, 0.84, (220, 40, 40), 0.08)


EITHER = {
    "lake": lake,
    "sunset": sunset,
    "building-site": building_site,
    "rainy-street": rainy_street,
    "crowd": crowd,
    "screenshot": screenshot,
}
