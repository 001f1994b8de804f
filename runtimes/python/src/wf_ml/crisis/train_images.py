"""Trains a small residual network on the pictures of tweets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.crisis.labels import classes_of
from wf_ml.log import log
from wf_ml.models.resnet import ResNet
from wf_ml.models.saved import Saved, save_model
from wf_ml.rgb_tensors import rgb_tensor
from wf_ml.seeds import prepare_torch
from wf_ml.training.classification import Classification, class_numbers, flipped
from wf_ml.training.loop import Trained, fit
from wf_ml.training.settings import Settings


def train_images(
    train: Path,
    val: Path,
    out: Path,
    settings: Settings,
    width: int,
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
) -> Trained:
    given = rows.read_rows(train, files=["image"], values=["label"])
    held = rows.read_rows(val, files=["image"], values=["label"])
    classes = classes_of(given, held, train, val)
    build = {"classes": len(classes), "width": width, "stages": 4}
    model = ResNet(**build, dropout=0.3)
    data, check = ((rgb_tensor(part), class_numbers([row["label"] for row in part], classes)) for part in (given, held))
    objective = Classification(len(classes), augment=flipped, watch="likelihood")
    trained = fit(model, objective, data, check, settings, {"resnet": build}, start, checkpoint)
    about = {
        "classes": classes,
        "size": int(data[0].shape[2]),
        "history": trained.history,
        "best_epoch": trained.best_epoch,
        "settings": settings.identity(),
        "examples": len(given),
    }
    save_model(out, Saved("resnet", build, model.state_dict(), about))
    log(**{name: trained.best[name] for name in ("accuracy", "macro_accuracy", "likelihood")})
    return trained


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: image, label")
    parser.add_argument("--val", type=Path, required=True, help="a dataset: image, label")
    parser.add_argument("--out", type=Path, required=True, help="the model")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--horizon", type=int, help="epochs over which the learning rate falls; default: --epochs")
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--width", type=int, default=16, help="channels of the first stage")
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
        weight_decay=1e-3,
        seed=given.seed,
        patience=given.patience,
        horizon=given.horizon or given.epochs,
    )
    trained = train_images(given.train, given.val, given.out, settings, given.width, given.start, given.checkpoint)
    print(json.dumps({"best_epoch": trained.best_epoch, **trained.best}))


if __name__ == "__main__":
    command.run(main)
