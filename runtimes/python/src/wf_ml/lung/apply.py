"""Sends X-rays of any folder through a trained model. Where a mask lies beside an image, it is compared with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from wf_ml import command
from wf_ml.images import read_gray, read_mask, resize, write_png
from wf_ml.log import log
from wf_ml.lung.folder import find_xrays
from wf_ml.lung.outline import PREDICTED, TRUTH
from wf_ml.lung.predict import load_unet, predict
from wf_ml.lung.prepare import prepare
from wf_ml.metrics.segmentation import dice
from wf_ml.plots.inline import with_outline
from wf_ml.seeds import prepare_torch

SIDE = 256


def apply(model: Path, folder: Path, out: Path) -> List[Dict[str, Any]]:
    """Writes ``masks/NAME.png``, ``pictures/NAME.png`` with the outlines, and ``results.json``."""
    saved = load_unet(model)
    found = find_xrays(folder)
    images = [read_gray(xray.image) for xray in found]
    prepared = [prepare(image, saved.about["size"], saved.about["normalise"]) for image in images]
    masks = predict(saved.model(), prepared, [image.shape for image in images])
    results = []
    for xray, image, mask in zip(found, images, masks):
        result: Dict[str, Any] = {"name": xray.name, "lung_share": float(mask.mean())}
        picture = resize(image, SIDE, SIDE)
        if xray.mask is not None:
            truth = read_mask(xray.mask, like=image.shape)
            result["dice"] = dice(mask, truth)
            picture = with_outline(picture, resize(truth, SIDE, SIDE), TRUTH)
        write_png(out / "masks" / f"{xray.name}.png", mask)
        write_png(out / "pictures" / f"{xray.name}.png", with_outline(picture, resize(mask, SIDE, SIDE), PREDICTED))
        results.append(result)
    (out / "results.json").write_text(json.dumps(results, indent=1), "utf-8")
    return results


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="X-rays, with or without masks")
    parser.add_argument("--out", type=Path, required=True, help="masks/, pictures/, results.json")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(argv)
    prepare_torch(0, given.threads)
    results = apply(given.model, given.folder, given.out)
    for result in results:
        compared = f"  dice {result['dice']:.3f}" if "dice" in result else ""
        print(f"{result['name']}  lungs cover {result['lung_share']:.1%}{compared}")
    known = [result["dice"] for result in results if "dice" in result]
    log(images=len(results), **({"dice": float(np.mean(known))} if known else {}))


if __name__ == "__main__":
    command.run(main)
