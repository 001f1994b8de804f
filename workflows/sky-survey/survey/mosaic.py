"""All tiles in one picture, with a ring around every source and a number at the brightest."""

import json
import math
import os
import re
import sys

from canvas import Canvas
from colours import STYLES, Palette
from files import read_json
from pixels import read_pgm
from png import write_png

_GAP = 4


def main(sky, catalogue, bright, picture, style):
    with open(os.path.join(sky, "rows.jsonl"), encoding="utf-8") as file:
        tiles = {row["name"]: os.path.join(sky, row["image"]) for row in map(json.loads, file)}
    places = {name: tuple(int(number) - 1 for number in re.findall(r"\d+", name)) for name in tiles}
    images = {name: read_pgm(path) for name, path in tiles.items()}
    size = len(next(iter(images.values())))
    side = 1 + max(max(place) for place in places.values())
    step = size + _GAP
    look = STYLES[style]
    canvas = Canvas(side * step + _GAP, side * step + _GAP, look["paper"])
    lost = [bytes(look["cloud"]) * size] * size
    palette = Palette(look["sky"])
    corner = lambda row, column: (_GAP + column * step, _GAP + row * step)
    for row in range(side):
        for column in range(side):
            canvas.paste(*corner(row, column), lost)
    for name, image in images.items():
        canvas.paste(*corner(*places[name]), [palette.row(values) for values in image])

    def place_of(source):
        x, y = corner(*places[source["tile"]])
        return x + source["x"], y + source["y"], min(22.0, 2.5 + 1.15 * math.sqrt(source["area"] / math.pi))

    for source in read_json(catalogue):
        x, y, radius = place_of(source)
        canvas.ring(x, y, radius, look[source["kind"]], 1.1, 0.75)
    for number, source in enumerate((one for tile in read_json(bright) for one in tile), 1):
        x, y, radius = place_of(source)
        canvas.ring(x, y, radius + 4, look["label"], 1.4, 0.9)
        canvas.number(x + 0.75 * radius + 3, y - radius - 10, number, look["label"])
    write_png(picture, canvas.rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
