"""Trains a small U-Net on images of droplets and masks of the spheroids in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import List, Optional, Sequence, Tuple

import numpy as np
import torch

from wf_ml import command, rows
from wf_ml.errors import DataError
from wf_ml.images import expect_size, read_gray, read_mask
from wf_ml.log import log
from wf_ml.models.saved import Saved, save_model
from wf_ml.models.unet import UNet
from wf_ml.seeds import prepare_torch
from wf_ml.spheroids.segment import normalised
from wf_ml.training.classification import turned
from wf_ml.training.loop import Trained, fit
from wf_ml.training.segmentation import Segmentation
from wf_ml.training.settings import Settings


def load_pairs(folder: Path, multiple: int) -> Tuple[torch.Tensor, torch.Tensor]:
    images: List[np.ndarray] = []
    masks: List[np.ndarray] = []
    for row in rows.read_rows(folder, files=["image", "mask"]):
        image = read_gray(row["image"])
        if images:
            expect_size(image, images[0].shape[0], images[0].shape[1], row["image"])
        elif image.shape[0] != image.shape[1] or image.shape[0] % multiple:
            words = f"the image has {image.shape[1]}x{image.shape[0]} pixels"
            raise DataError(words, row["image"], f"training images are squares with a side that {multiple} divides")
        images.append(image)
        masks.append(read_mask(row["mask"], like=image.shape))
    if not images:
        raise DataError("the dataset has no rows", folder)
    return normalised(np.stack(images)), torch.from_numpy(np.stack(masks)).unsqueeze(1).float()


def train(
    train_folder: Path,
    val_folder: Path,
    out: Path,
    settings: Settings,
    width: int,
    levels: int,
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
) -> Trained:
    build = {"in_channels": 1, "out_channels": 1, "width": width, "levels": levels}
    model = UNet(**build)
    data, val = load_pairs(train_folder, model.multiple), load_pairs(val_folder, model.multiple)
    trained = fit(model, Segmentation(augment=turned), data, val, settings, {"unet": build}, start, checkpoint)
    about = {
        "kind": "spheroids",
        "multiple": model.multiple,
        "history": trained.history,
        "best_epoch": trained.best_epoch,
        "settings": settings.identity(),
        "images": len(data[0]),
    }
    save_model(out, Saved("unet", build, model.state_dict(), about))
    log(**{name: trained.best[name] for name in ("val_loss", "dice")}, best_epoch=trained.best_epoch)
    return trained


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: image, mask")
    parser.add_argument("--val", type=Path, required=True, help="a dataset: image, mask")
    parser.add_argument("--out", type=Path, required=True, help="the model")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--horizon", type=int, help="epochs over which the learning rate falls; default: --epochs")
    parser.add_argument("--lr", type=float, default=4e-3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--width", type=int, default=8, help="channels at full size")
    parser.add_argument("--levels", type=int, default=3, help="how often the image is halved")
    parser.add_argument("--patience", type=int, help="epochs without a better score; default: no end before the last")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, help="written after every epoch")
    parser.add_argument("--start", type=command.optional_path, help="a checkpoint to go on from")
    given = parser.parse_args(argv)
    prepare_torch(given.seed, given.threads)
    settings = Settings(
        epochs=given.epochs,
        lr=given.lr,
        batch=given.batch,
        seed=given.seed,
        patience=given.patience,
        horizon=given.horizon or given.epochs,
    )
    trained = train(
        given.train, given.val, given.out, settings, given.width, given.levels, given.start, given.checkpoint
    )
    print(json.dumps({"best_epoch": trained.best_epoch, **trained.best}))


if __name__ == "__main__":
    command.run(main)
