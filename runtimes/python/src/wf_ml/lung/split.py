"""Divides X-rays into train, validation and test by patient. What cannot teach anything is left out before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Tuple

from wf_ml import command, rows
from wf_ml.images import read_gray, read_mask
from wf_ml.log import log
from wf_ml.split import PARTS, Item, divide


def why_rejected(row: rows.Row, least_lung: float) -> Optional[str]:
    """A flat image shows nothing, and a mask with hardly any lung is a mistake."""
    image = read_gray(row["image"])
    if int(image.max()) - int(image.min()) < 8:
        return "the image is flat"
    share = float(read_mask(row["mask"], like=image.shape).mean())
    return f"the mask covers {share:.1%} of the image" if share < least_lung or share > 0.9 else None


def split(
    xrays: Path, outs: Sequence[Path], ratios: Tuple[float, float, float], seed: int, least_lung: float
) -> Dict[str, Any]:
    given = {row["image"].name: row for row in rows.read_rows(xrays, files=("image", "mask"), values=("patient",))}
    items = [Item(key, row["patient"], reject=why_rejected(row, least_lung)) for key, row in given.items()]
    division = divide(items, ratios, seed)
    for out, keys in zip(outs, division.parts().values()):
        rows.copy_rows(out, [given[key] for key in keys])
    return {
        **{
            part: {"images": len(keys), "patients": len({given[key]["patient"] for key in keys})}
            for part, keys in division.parts().items()
        },
        "rejected": division.rejected,
    }


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--xrays", type=Path, required=True, help="the dataset: image, mask, patient")
    for part in PARTS:
        parser.add_argument(f"--{part}", type=Path, required=True, help=f"the {part} part of it")
    parser.add_argument("--summary", type=Path, required=True, help="how many there are, and what was left out")
    parser.add_argument("--ratios", type=float, nargs=3, default=(0.7, 0.2, 0.1))
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--least-lung", type=float, default=0.02, help="a mask that covers less is left out")
    given = parser.parse_args(argv)
    outs = [given.train, given.val, given.test]
    summary = split(given.xrays, outs, tuple(given.ratios), given.seed, given.least_lung)
    given.summary.write_text(json.dumps(summary), "utf-8")
    log(**{part: summary[part]["images"] for part in PARTS}, rejected=len(summary["rejected"]))
    for part in PARTS:
        print(f"{part:5s} {summary[part]['images']} images of {summary[part]['patients']} patients")
    for name, reason in sorted(summary["rejected"].items()):
        print(f"left out {name}: {reason}")


if __name__ == "__main__":
    command.run(main)
