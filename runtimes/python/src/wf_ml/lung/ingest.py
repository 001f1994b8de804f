"""Makes a dataset out of a folder of X-rays and masks. Every file is opened, so that a broken one is found now."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import List, Optional, Sequence

from wf_ml import command, parallel, rows
from wf_ml.errors import DataError
from wf_ml.images import read_gray, read_mask, write_png
from wf_ml.log import log
from wf_ml.lung.folder import Found, find_xrays


def ingest(folder: Path, out: Path, workers: int = 1) -> List[rows.Row]:
    found = find_xrays(folder)
    lonely = [xray for xray in found if xray.mask is None]
    if lonely:
        name = lonely[0].name
        more = "" if len(lonely) == 1 else f", nor have {len(lonely) - 1} others"
        raise DataError(
            f"the image has no mask{more}",
            lonely[0].image,
            f"add masks/{name}.png, {name}_mask.png or {name}-mask.png, or remove the image",
        )
    made = parallel.each(partial(_bring, out), found, workers)
    rows.write_rows(out, made)
    return made


def _bring(out: Path, xray: Found) -> rows.Row:
    assert xray.mask is not None
    image = read_gray(xray.image)
    row = {"image": out / "image" / f"{xray.name}.png", "mask": out / "mask" / f"{xray.name}.png"}
    write_png(row["image"], image)
    write_png(row["mask"], read_mask(xray.mask, like=image.shape))
    return {**row, "patient": xray.patient}


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--folder", type=Path, required=True, help="images/NAME.png, masks/NAME.png, patients.csv")
    parser.add_argument("--out", type=Path, required=True, help="the dataset: image, mask, patient")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(argv)
    made = ingest(given.folder, given.out, given.workers)
    patients = len({row["patient"] for row in made})
    log(images=len(made), patients=patients)
    print(f"{len(made)} images of {patients} patients")


if __name__ == "__main__":
    command.run(main)
