"""The telescope: tiles of a made-up sky, some of them lost to clouds, and the list of what was put into it."""

import json
import math
import os
import random
import sys

from files import report, write_json
from light import add_galaxy, add_star
from pixels import write_pgm

_NOISE = 12.0
_FAINTEST_FLUX, _BRIGHTEST_FLUX = 420.0, 120_000.0
_STEEPNESS = 0.85  # of the number of sources against their flux
_PIXELS_A_SOURCE = 950
_PIXELS_A_COSMIC_RAY = 9_000
_CLOUDY = 0.12
_MARGIN = 10


def main(sky, truth, tiles, size, seed):
    tiles, size, seed = int(tiles), int(size), int(seed)
    columns = math.ceil(math.sqrt(tiles))
    weather = random.Random(seed)
    clear = [number for number in range(tiles) if weather.random() >= _CLOUDY] or [0]
    injected, rows = [], []
    for number in clear:
        name = "r{}c{}".format(number // columns + 1, number % columns + 1)
        chance = random.Random(seed * 100_003 + number)
        seeing = round(chance.uniform(2.3, 3.1), 2)
        image, sources = _expose(size, seeing, chance)
        write_pgm(os.path.join(sky, "image", name + ".pgm"), image)
        rows.append({"image": "image/{}.pgm".format(name), "name": name, "seeing": seeing})
        injected += [dict(source, tile=name) for source in sources]
    with open(os.path.join(sky, "rows.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    write_json(truth, injected)
    report(tiles=len(clear), lost=tiles - len(clear), sources=len(injected))
    print("{} of {} tiles exposed, {} sources in them".format(len(clear), tiles, len(injected)))


def _expose(size, seeing, chance):
    image = _glow(size, chance)
    sources = [_source(size, chance) for _ in range(size * size // _PIXELS_A_SOURCE)]
    for source in sources:
        if source["kind"] == "star":
            add_star(image, source["x"], source["y"], source["flux"], seeing)
        else:
            add_galaxy(image, source["x"], source["y"], source["flux"], seeing, _shape(source["flux"], chance))
    for row in image:
        row[:] = [value + chance.gauss(0, _NOISE) for value in row]
    for _ in range(max(1, size * size // _PIXELS_A_COSMIC_RAY)):
        _cosmic_ray(image, size, chance)
    return image, sources


def _source(size, chance):
    rarest = (_BRIGHTEST_FLUX / _FAINTEST_FLUX) ** -_STEEPNESS
    flux = _FAINTEST_FLUX * (1 - chance.random() * (1 - rarest)) ** (-1 / _STEEPNESS)
    place = lambda: round(chance.uniform(_MARGIN, size - 1 - _MARGIN), 2)
    return {"x": place(), "y": place(), "flux": round(flux, 1), "kind": "star" if chance.random() < 0.6 else "galaxy"}


def _shape(flux, chance):
    """Bright galaxies are near ones, so they are large; the largest show their arms."""
    size = 1.7 + 0.6 * math.log10(flux / _FAINTEST_FLUX) ** 2 * chance.uniform(0.7, 1.3)
    return {
        "size": size,
        "flat": chance.uniform(0.35, 0.95),
        "angle": chance.uniform(0, math.pi),
        "arms": 0.55 if size > 3 else 0.0,
    }


def _glow(size, chance):
    """The moon, the town, and the telescope's own stray light: a slope and a slow wave."""
    slope_x, slope_y = chance.uniform(-90, 90), chance.uniform(-90, 90)
    wave, phase = chance.uniform(15, 40), chance.uniform(0, 2 * math.pi)
    level = chance.uniform(350, 550)
    return [
        [
            level + slope_x * x / size + slope_y * y / size + wave * math.sin(phase + 3 * (x + 0.6 * y) / size)
            for x in range(size)
        ]
        for y in range(size)
    ]


def _cosmic_ray(image, size, chance):
    """A short, sharp track: no air has spread it."""
    x, y = chance.randrange(2, size - 6), chance.randrange(2, size - 6)
    step = chance.choice([(1, 0), (0, 1), (1, 1)])
    for n in range(chance.randrange(1, 4)):
        image[y + n * step[1]][x + n * step[0]] += chance.uniform(250, 1500)


if __name__ == "__main__":
    main(*sys.argv[1:])
