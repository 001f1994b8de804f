"""A contact sheet of made-up tweets: the picture, the text below it, and whether it is informative."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Optional, Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from wf_ml import command, seeds
from wf_ml.crisis.posts import LABELS, painted, post
from wf_ml.images import write_png
from wf_ml.plots.sheet import contact_sheet

WIDTH, PICTURE, LINES = 160, 120, 6
COLOURS = dict(zip(LABELS, ((24, 120, 70), (150, 70, 40))))


def card(seed: int, number: int) -> np.ndarray:
    made = post(seeds.rng(seed, "post", number))
    picture = Image.fromarray(painted(seeds.rng(seed, "picture", number), made.scene, made.size))
    sheet = Image.new("RGB", (WIDTH, PICTURE + 14 * (LINES + 1) + 6), (255, 255, 255))
    picture.thumbnail((WIDTH, PICTURE), Image.BICUBIC)
    sheet.paste(picture, ((WIDTH - picture.width) // 2, (PICTURE - picture.height) // 2))
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default()
    pen.text((4, PICTURE + 3), made.label.replace("_", " "), fill=COLOURS[made.label], font=font)
    readable = made.text.replace("…", "...").encode("latin-1", "ignore").decode("latin-1")
    for line, words in enumerate(textwrap.wrap(readable, 25)[:LINES], start=1):
        pen.text((4, PICTURE + 3 + 14 * line), words, fill=(40, 40, 40), font=font)
    return np.asarray(sheet)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="a PNG")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--columns", type=int, default=6)
    parser.add_argument("--rows", type=int, default=3)
    given = parser.parse_args(argv)
    cards = [card(given.seed, number) for number in range(given.rows * given.columns)]
    rows = [cards[start : start + given.columns] for start in range(0, len(cards), given.columns)]
    write_png(given.out, contact_sheet(rows, levels=24), effort=9)


if __name__ == "__main__":
    command.run(main)
