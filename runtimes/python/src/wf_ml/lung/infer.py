"""Predicts the masks of prepared X-rays, in the size of the originals."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.images import expect_size, read_gray, write_png
from wf_ml.log import log
from wf_ml.lung.predict import load_unet, predict
from wf_ml.seeds import prepare_torch


def infer(model: Path, xrays: Path, out: Path) -> int:
    saved = load_unet(model)
    given = rows.read_rows(xrays, files=("image",), values=("height", "width"))
    images = []
    for row in given:
        image = read_gray(row["image"])
        expect_size(image, saved.about["size"], saved.about["size"], row["image"])
        images.append(image)
    masks = predict(saved.model(), images, [(row["height"], row["width"]) for row in given])
    made = []
    for row, mask in zip(given, masks):
        own = out / "mask" / row["image"].name
        write_png(own, mask)
        made.append({"mask": own, "name": row["image"].stem})
    rows.write_rows(out, made)
    return len(made)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--xrays", type=Path, required=True, help="a dataset: image, height, width")
    parser.add_argument("--out", type=Path, required=True, help="the dataset: mask, name")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    log(images=infer(given.model, given.xrays, given.out))


if __name__ == "__main__":
    command.run(main)
