"""Trains a U-Net on prepared X-rays and masks, from the start or from a checkpoint, in one process or in several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Tuple

import torch

from wf_ml import command
from wf_ml.errors import DataError
from wf_ml.log import log
from wf_ml.lung.pairs import load_pairs
from wf_ml.lung.prepare import NORMALISE
from wf_ml.models.saved import Saved, save_model
from wf_ml.models.unet import UNet
from wf_ml.seeds import prepare_torch
from wf_ml.training.loop import Trained, fit
from wf_ml.training.segmentation import Segmentation
from wf_ml.training.settings import Settings
from wf_ml.training.world import World, alone, joined


def train(
    train_folder: Path,
    val_folder: Path,
    out: Path,
    settings: Settings,
    width: int = 8,
    levels: int = 3,
    normalise: str = "equalise",
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
    world: Optional[World] = None,
) -> Tuple[Trained, Dict[str, Any]]:
    """The model of the best epoch goes to `out`, with all that is needed to use it and to tell how it came about;
    the second of these is what is told too. In a world of several processes, the first writes."""
    world = world or alone()
    data, val = load_pairs(train_folder), load_pairs(val_folder)
    build = {"in_channels": 1, "out_channels": 1, "width": width, "levels": levels}
    model = UNet(**build)
    size = data[0].shape[-1]
    if size % model.multiple:
        raise DataError(f"images of {size} pixels do not go with {levels} levels", train_folder, "use a multiple of 8")
    if val[0].shape[-1] != size:
        raise DataError(f"train has images of {size} pixels, val of {val[0].shape[-1]}", val_folder)
    trained = fit(model, Segmentation(), data, val, settings, {"unet": build}, start, checkpoint, world)
    about = {
        "torch": str(torch.__version__),
        "threads": torch.get_num_threads(),
        "processes": world.size,
        "size": size,
        "normalise": normalise,
        "settings": settings.identity(),
        "history": trained.history,
        "best_epoch": trained.best_epoch,
        "is_stopped_early": trained.is_stopped_early,
        "images": len(data[0]),
    }
    if world.is_first:
        save_model(out, Saved("unet", build, model.state_dict(), about))
    return trained, {
        "network": {"name": "U-Net", **build, "weights": sum(w.numel() for w in model.parameters())},
        **about,
    }


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: image, mask")
    parser.add_argument("--val", type=Path, required=True, help="a dataset: image, mask")
    parser.add_argument("--out", type=Path, required=True, help="the model")
    parser.add_argument("--epochs", type=int, default=6, help="in all, with those of the checkpoint")
    parser.add_argument("--horizon", type=int, help="the learning rate falls over so many epochs; default: it stays")
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--width", type=int, default=8, help="channels at full size")
    parser.add_argument("--levels", type=int, default=3, help="how often the image is halved")
    parser.add_argument("--patience", type=int, help="stops after so many epochs without a better score")
    parser.add_argument("--normalise", choices=NORMALISE, default="equalise", help="how the images were prepared")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--summary", type=Path, help="how it was trained, and every epoch, as JSON")
    parser.add_argument("--checkpoint", type=Path, help="kept up to date after every epoch")
    parser.add_argument("--start", type=command.optional_path, help="a checkpoint to go on from")
    given = parser.parse_args(argv)
    prepare_torch(given.seed, given.threads)
    settings = Settings(
        epochs=given.epochs,
        lr=given.lr,
        batch=given.batch,
        seed=given.seed,
        patience=given.patience,
        horizon=given.horizon,
    )
    with joined() as world:
        trained, summary = train(
            given.train,
            given.val,
            given.out,
            settings,
            given.width,
            given.levels,
            given.normalise,
            given.start,
            given.checkpoint,
            world,
        )
    if not world.is_first:
        return
    if given.summary is not None:
        given.summary.write_text(json.dumps(summary), "utf-8")
    log(best_epoch=trained.best_epoch)
    if trained.best is not trained.history[-1]:
        # The model is that of the best epoch, so its figures are the last word.
        log(**{name: value for name, value in trained.best.items() if name != "step"})
    print(f"best: epoch {trained.best_epoch}, dice {trained.best['dice']:.4f}")


if __name__ == "__main__":
    command.run(main)
