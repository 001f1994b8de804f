"""The steps, one after the other, as a workflow starts them: with arguments."""

import json
import os
from pathlib import Path
from typing import Dict

import numpy as np
import pytest

from wf_ml.errors import DataError
from wf_ml.images import read_gray, read_mask, write_png
from wf_ml.lung import apply, augment, evaluate, infer, preprocess, split, train
from wf_ml.lung.prepare import equalise, prepare
from wf_ml.lung.transform import flip, rotate
from wf_ml.metrics.segmentation import dice
from wf_ml.rows import read_rows, write_rows


def prepared(lungs: Path, at: Path) -> None:
    parts = [f"--{part}={at / part}" for part in ("train", "val", "test")]
    split.main([f"--xrays={lungs}", *parts, f"--summary={at / 'split.json'}", "--ratios", "0.5", "0.25", "0.25"])
    for part in ("train", "val", "test"):
        preprocess.main([f"--xrays={at / part}", f"--out={at / f'p-{part}'}", "--size=32"])
    augment.main([f"--xrays={at / 'p-train'}", f"--out={at / 'a-train'}"])


def trained(at: Path, name: str, *extra: str) -> None:
    train.main(
        [
            f"--train={at / 'a-train'}",
            f"--val={at / 'p-val'}",
            f"--out={at / f'{name}.pt'}",
            f"--checkpoint={at / f'{name}.checkpoint.pt'}",
            f"--summary={at / f'{name}.json'}",
            "--width=4",
            "--levels=2",
            "--lr=0.02",
            *extra,
        ]
    )


@pytest.fixture(scope="module")
def workplace(lungs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("steps")
    prepared(lungs, at)
    trained(at, "model", "--epochs=9", "--start=")
    return at


def metrics_of(path: Path) -> Dict[str, float]:
    values: Dict[str, float] = {}
    for line in path.read_text().splitlines():
        values.update(json.loads(line))
    return values


def test_of_every_image_there_are_three_and_masks_go_along(workplace: Path) -> None:
    before = read_rows(workplace / "p-train", files=("image", "mask"), values=("height", "width"))
    after = read_rows(workplace / "a-train", files=("image", "mask"), values=("patient",))
    assert len(after) == 3 * len(before) and before[0]["height"] == 64
    first, flipped, turned = after[:3]
    assert np.array_equal(flip(read_gray(first["image"])), read_gray(flipped["image"]))
    assert np.array_equal(flip(read_mask(first["mask"])), read_mask(flipped["mask"]))
    assert 0.5 < dice(read_mask(first["mask"]), read_mask(turned["mask"])) < 0.99


def test_turning_goes_both_ways_and_exposure_does_not_matter() -> None:
    image = np.zeros((33, 33), np.uint8)
    image[10:14, 6:28] = 200
    back = rotate(rotate(image, 8), -8)
    assert np.abs(back.astype(int) - image)[8:25, 8:25].mean() < 20
    random = np.random.default_rng(1).integers(0, 200, (40, 40)).astype(np.uint8)
    darker = (random * 0.5).astype(np.uint8) * 2
    assert np.abs(equalise(darker).astype(int) - equalise((darker // 2) + 100).astype(int)).max() == 0
    assert prepare(random, 16, "stretch").shape == (16, 16)


def test_the_same_seed_gives_the_same_bytes_another_one_does_not(workplace: Path) -> None:
    trained(workplace, "again", "--epochs=9")
    trained(workplace, "other", "--epochs=1", "--seed=9")
    assert (workplace / "again.pt").read_bytes() == (workplace / "model.pt").read_bytes()
    own, other = (json.loads((workplace / f"{n}.json").read_text())["history"][0] for n in ("model", "other"))
    assert own != other


def test_a_rung_goes_on_from_the_checkpoint_of_the_one_before(workplace: Path) -> None:
    trained(workplace, "rung-1", "--epochs=4")
    trained(workplace, "rung-2", "--epochs=9", f"--start={workplace / 'rung-1.checkpoint.pt'}")
    assert (workplace / "rung-2.pt").read_bytes() == (workplace / "model.pt").read_bytes()


def test_masks_are_predicted_compared_and_reported(
    workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WF_METRICS", str(tmp_path / "metrics.jsonl"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    infer.main([f"--model={workplace / 'model.pt'}", f"--xrays={workplace / 'p-test'}", f"--out={tmp_path / 'masks'}"])
    assert read_mask(read_rows(tmp_path / "masks", files=("mask",))[0]["mask"]).shape == (64, 64)
    trials = [
        {
            "index": 0,
            "setting": {"lr": 0.0123, "batch": 8},
            "state": "complete",
            "rungs": [{"budget": 3, "value": 0.9}],
        },
        {"index": 1, "setting": {"lr": 0.1}, "state": "failed", "rungs": []},
    ]
    study = {"trials": trials}
    (tmp_path / "study.json").write_text(json.dumps(study))
    evaluate.main(
        [
            f"--predicted={tmp_path / 'masks'}",
            f"--truth={workplace / 'test'}",
            f"--trained={workplace / 'model.json'}",
            f"--split={workplace / 'split.json'}",
            f"--study={tmp_path / 'study.json'}",
            f"--page={tmp_path / 'report.html'}",
            f"--scores={tmp_path / 'scores.csv'}",
        ]
    )
    found = metrics_of(tmp_path / "metrics.jsonl")
    assert found["test_dice"] > 0.6 and 0 <= found["test_iou"] < found["test_dice"] and "baseline_dice" in found
    page = (tmp_path / "report.html").read_text()
    for words in (
        "Predictions beside the truth",
        "baseline",
        "learning rate",
        "0.0123",
        "failed",
        "Provenance",
        f"{found['test_dice']:.3f}",
    ):
        assert words in page
    lines = (tmp_path / "scores.csv").read_text().splitlines()
    assert lines[0] == "image,patient,dice,iou,baseline_dice"
    assert len(lines) - 1 == len(read_rows(workplace / "test"))


def test_images_of_another_size_and_nonsense_models_are_refused(workplace: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="64x64 pixels instead of 32x32"):
        write_rows(tmp_path, [])
        write_png(tmp_path / "image" / "a.png", np.zeros((64, 64), np.uint8))
        write_rows(tmp_path, [{"image": tmp_path / "image" / "a.png", "height": 64, "width": 64}])
        infer.infer(workplace / "model.pt", tmp_path, tmp_path / "out")
    with pytest.raises(DataError, match="not a model"):
        infer.infer(workplace / "model.checkpoint.pt", tmp_path, tmp_path / "out")
    with pytest.raises(DataError, match="the dataset has no rows"):
        write_rows(tmp_path / "none", [])
        train.main([f"--train={tmp_path / 'none'}", f"--val={workplace / 'p-val'}", f"--out={tmp_path / 'm.pt'}"])


def test_a_model_is_applied_to_any_folder(workplace: Path, tmp_path: Path) -> None:
    write_png(tmp_path / "in" / "chest.png", np.random.default_rng(1).integers(0, 255, (50, 70)).astype(np.uint8))
    results = apply.apply(workplace / "model.pt", tmp_path / "in", tmp_path / "out")
    assert [result["name"] for result in results] == ["chest"] and "dice" not in results[0]
    assert read_mask(tmp_path / "out" / "masks" / "chest.png").shape == (50, 70)
    assert json.loads((tmp_path / "out" / "results.json").read_text()) == results


@pytest.mark.skipif("WF_TEST_DATA" not in os.environ, reason="WF_TEST_DATA does not name a folder with real X-rays")
def test_real_xrays_go_through_the_model(workplace: Path, tmp_path: Path) -> None:
    folder = Path(os.environ["WF_TEST_DATA"]) / "lung-demo" / "Demo" / "Data"
    results = apply.apply(workplace / "model.pt", folder, tmp_path / "out")
    assert [result["name"] for result in results] == ["1", "2", "3", "4"]
    assert np.mean([result["dice"] for result in results]) > 0.5
