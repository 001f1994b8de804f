"""Trains a VGG-like network on images and labels. Its body and its head have learning rates of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import List, Optional, Sequence

from wf_ml import command, rows
from wf_ml.errors import DataError
from wf_ml.log import log
from wf_ml.models.saved import Saved, save_model
from wf_ml.models.vgg import Vgg
from wf_ml.rgb_tensors import rgb_tensor
from wf_ml.seeds import prepare_torch
from wf_ml.training.classification import Classification, class_numbers, turned
from wf_ml.training.loop import Trained, fit
from wf_ml.training.settings import Settings


def train(
    train_images: Path,
    val_images: Path,
    out: Path,
    settings: Settings,
    width: int,
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
) -> Trained:
    given = rows.read_rows(train_images, files=["image"], values=["label"])
    held = rows.read_rows(val_images, files=["image"], values=["label"])
    if not given or not held:
        raise DataError("there is no image", train_images if not given else val_images)
    classes: List[str] = sorted({row["label"] for row in given})
    if len(classes) < 2:
        raise DataError(f'there is only one class, "{classes[0]}"', train_images)
    build = {"classes": len(classes), "width": width, "stages": 5}
    model = Vgg(**build)
    data = rgb_tensor(given), class_numbers([row["label"] for row in given], classes)
    val = rgb_tensor(held), class_numbers([row["label"] for row in held], classes)
    objective = Classification(len(classes), augment=turned, smoothing=0.05, watch="likelihood")
    trained = fit(model, objective, data, val, settings, {"vgg": build}, start, checkpoint)
    about = {
        "classes": classes,
        "size": int(data[0].shape[2]),
        "history": trained.history,
        "best_epoch": trained.best_epoch,
        "settings": settings.identity(),
        "images": len(given),
    }
    save_model(out, Saved("vgg", build, model.state_dict(), about))
    log(**{name: trained.best[name] for name in ("accuracy", "macro_accuracy", "likelihood")})
    return trained


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: image, label")
    parser.add_argument("--val", type=Path, required=True, help="a dataset: image, label")
    parser.add_argument("--out", type=Path, required=True, help="the model")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--horizon", type=int, help="epochs over which the learning rates fall; default: --epochs")
    parser.add_argument("--body-lr", type=float, default=1e-3)
    parser.add_argument("--head-lr", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--width", type=int, default=8, help="channels of the first stage")
    parser.add_argument("--patience", type=int, help="epochs without a better score; default: no end before the last")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, help="written after every epoch")
    parser.add_argument("--start", type=command.optional_path, help="a checkpoint to go on from")
    given = parser.parse_args(argv)
    prepare_torch(given.seed, given.threads)
    settings = Settings(
        epochs=given.epochs,
        lr=given.body_lr,
        head_lr=given.head_lr,
        batch=given.batch,
        weight_decay=1e-4,
        seed=given.seed,
        patience=given.patience,
        horizon=given.horizon or given.epochs,
    )
    trained = train(given.train, given.val, given.out, settings, given.width, given.start, given.checkpoint)
    print(json.dumps({"best_epoch": trained.best_epoch, **trained.best}))


if __name__ == "__main__":
    command.run(main)
