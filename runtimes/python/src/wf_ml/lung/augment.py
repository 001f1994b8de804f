"""Of every X-ray three: as it is, flipped, and turned by 8 degrees to a side that the seed chooses."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows, seeds
from wf_ml.images import read_gray, read_mask, write_png
from wf_ml.log import log
from wf_ml.lung.transform import flip, rotate


def augment(xrays: Path, out: Path, degrees: float, seed: int) -> int:
    made = []
    for row in rows.read_rows(xrays, files=("image", "mask"), values=("patient",)):
        image = read_gray(row["image"])
        mask = read_mask(row["mask"], like=image.shape)
        name = row["image"].stem
        turn = degrees if seeds.rng(seed, "turn", name).random() < 0.5 else -degrees
        for suffix, picture, its_mask in (
            ("", image, mask),
            ("~flipped", flip(image), flip(mask)),
            ("~turned", rotate(image, turn), rotate(mask, turn)),
        ):
            own = {part: out / part / f"{name}{suffix}.png" for part in ("image", "mask")}
            write_png(own["image"], picture)
            write_png(own["mask"], its_mask)
            made.append({**row, **own})
    rows.write_rows(out, made)
    return len(made)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--xrays", type=Path, required=True, help="a dataset: image, mask, patient")
    parser.add_argument("--out", type=Path, required=True, help="three times as many rows")
    parser.add_argument("--degrees", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args(argv)
    log(images=augment(given.xrays, given.out, given.degrees, given.seed))


if __name__ == "__main__":
    command.run(main)
