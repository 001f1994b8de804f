"""Images in class folders: ``FOLDER/CLASS/IMAGE.png``."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, List

from wf_ml.errors import DataError
from wf_ml.images import ENDINGS, list_images

LAYOUT = "one folder for each class, with its images in it: FOLDER/spiral/a.png"


def read_class_folders(folder: Path) -> Dict[str, List[Path]]:
    """The images of each class, sorted. A file beside the folders, or a folder without images, is an error."""
    if not folder.is_dir():
        raise DataError("there is no such folder", folder, LAYOUT)
    classes: Dict[str, List[Path]] = {}
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and not entry.name.startswith("."):
            classes[entry.name] = list_images(entry)
        elif entry.suffix.lower() in ENDINGS:
            raise DataError("an image lies beside the class folders, so its class is unknown", entry, LAYOUT)
    if not classes:
        raise DataError("the folder has no class folders", folder, LAYOUT)
    if len(classes) == 1:
        raise DataError(f'there is only one class, "{next(iter(classes))}"', folder, LAYOUT)
    return classes
