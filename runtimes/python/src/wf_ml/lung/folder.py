"""X-rays as people keep them.

Either ``images/NAME.png`` with ``masks/NAME.png``, or all in one folder. A mask may also be called ``NAME_mask.png``
or ``NAME-mask.png``. A file ``patients.csv`` with the columns ``image,patient`` says whose images they are.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

from wf_ml.errors import DataError
from wf_ml.images import list_images

MASK_ENDINGS = ("_mask", "-mask")


@dataclass(frozen=True)
class Found:
    name: str
    image: Path
    mask: Optional[Path]
    patient: str
    """The image's own name where nothing is known."""


def find_xrays(folder: Path) -> List[Found]:
    """All images of a folder in the order of their names, with their masks where there are any."""
    if not folder.is_dir():
        raise DataError("there is no such folder", folder, "name a folder with images/ and masks/ in it")
    is_parted = (folder / "images").is_dir()
    listed = list_images(folder / "images" if is_parted else folder)
    images = _by_stem([path for path in listed if not path.stem.endswith(MASK_ENDINGS)])
    masks = _by_stem([path for path in listed if path.stem.endswith(MASK_ENDINGS)])
    if is_parted and (folder / "masks").is_dir():
        masks.update(_by_stem(list_images(folder / "masks")))
    if not images:
        raise DataError("the folder has masks, and no images", folder)
    patients = _patients(folder / "patients.csv", images)
    found = []
    for stem, image in sorted(images.items()):
        mask = next((masks.pop(name) for name in _mask_names(stem) if name in masks), None)
        found.append(Found(stem, image, mask, patients.get(stem, stem)))
    if masks:
        raise DataError("the mask has no image", next(iter(masks.values())), "add its image, or remove it")
    return found


def _mask_names(stem: str) -> List[str]:
    return [stem, *(stem + ending for ending in MASK_ENDINGS)]


def _by_stem(paths: List[Path]) -> Dict[str, Path]:
    named: Dict[str, Path] = {}
    for path in paths:
        if path.stem in named:
            raise DataError(f"two files are called {path.stem}: {named[path.stem].name} and {path.name}", path.parent)
        named[path.stem] = path
    return named


def _patients(path: Path, images: Dict[str, Path]) -> Dict[str, str]:
    if not path.exists():
        return {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file)
        if not {"image", "patient"} <= set(table.fieldnames or ()):
            raise DataError("the columns are not image,patient", path, "write them into the first line")
        patients = {}
        for line in table:
            stem = line["image"] if line["image"] in images else Path(line["image"] or "").stem
            if stem not in images or not line["patient"]:
                raise DataError(f'line {table.line_num} names no image and patient: "{line["image"]}"', path)
            patients[stem] = line["patient"]
    missing = sorted(set(images) - set(patients))
    if missing:
        raise DataError(f"it does not say whose image {images[missing[0]].name} is", path, "add a line for every image")
    return patients
