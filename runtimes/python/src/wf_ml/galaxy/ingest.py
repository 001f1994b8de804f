"""Makes a dataset out of class folders. Every image is opened, so that a broken one is found now."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from wf_ml import command, rows
from wf_ml.class_folders import read_class_folders
from wf_ml.errors import DataError
from wf_ml.images import read_rgb
from wf_ml.log import log


def ingest(folder: Path, out: Path, least_side: int) -> Dict[str, int]:
    """Images smaller than `least_side` are refused. How many there are of each class."""
    classes = read_class_folders(folder)
    made: List[rows.Row] = []
    for label, paths in classes.items():
        if len(paths) < 3:
            raise DataError(
                f'class "{label}" has {len(paths)} of the 3 images that train, validation and test need',
                folder / label,
                "add images, or remove the folder",
            )
        for path in paths:
            height, width = read_rgb(path).shape[:2]
            if min(height, width) < least_side:
                raise DataError(
                    f"the image has {width}x{height} pixels, and {least_side} along a side are cut out of it",
                    path,
                    "lower the crop, or remove the image",
                )
            own = out / "image" / f"{label}__{path.name}"
            own.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, own)
            made.append({"image": own, "label": label})
    rows.write_rows(out, made)
    return {label: len(paths) for label, paths in classes.items()}


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--images", type=Path, required=True, help="a folder for each class, with its images")
    parser.add_argument("--out", type=Path, required=True, help="the dataset: image, label")
    parser.add_argument("--crop", type=int, default=64, help="pixels that will be cut out of the middle")
    given = parser.parse_args(argv)
    counts = ingest(given.images, given.out, given.crop)
    log(images=sum(counts.values()), classes=len(counts))
    for label, count in counts.items():
        print(f"{count:6d}  {label}")


if __name__ == "__main__":
    command.run(main)
