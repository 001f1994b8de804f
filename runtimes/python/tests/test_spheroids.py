"""Droplets with spheroids: made, learned, applied to many."""

import csv
import json
from pathlib import Path
from typing import Dict, List

import numpy as np
import pytest

from wf_ml import seeds
from wf_ml.components import label
from wf_ml.errors import DataError
from wf_ml.images import read_mask, write_png
from wf_ml.metrics.segmentation import dice
from wf_ml.models.saved import Saved, save_model
from wf_ml.models.unet import UNet
from wf_ml.rows import read_rows, write_rows
from wf_ml.spheroids import apply, evaluate, gallery, generate, split, train
from wf_ml.spheroids.baseline import otsu_spheroids
from wf_ml.spheroids.examples import Examples
from wf_ml.spheroids.scene import scene
from wf_ml.spheroids.segment import Found, load_spheroid_model, masks_of, measured

PARTS = ("train", "val", "test")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("spheroids")
    generate.main([f"--out={at / 'all'}", "--images=40", "--size=64"])
    split.main([f"--images={at / 'all'}", *(f"--{part}={at / part}" for part in PARTS)])
    pairs = [f"--train={at / 'train'}", f"--val={at / 'val'}"]
    train.main([*pairs, f"--out={at / 'model.pt'}", "--epochs=25", "--width=6", "--levels=2", "--lr=0.02", "--batch=4"])
    return at


def metrics_of(path: Path) -> Dict[str, float]:
    values: Dict[str, float] = {}
    for line in path.read_text().splitlines():
        values.update(json.loads(line))
    return values


def applied(at: Path, out: Path, images: Path, *extra: str) -> List[Dict[str, str]]:
    given = [f"--model={at / 'model.pt'}", f"--images={images}", f"--masks={out / 'masks'}"]
    apply.main([*given, f"--table={out / 'table.csv'}", f"--examples={out / 'examples'}", *extra])
    with open(out / "table.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_the_seed_decides_and_the_number_of_workers_does_not(tmp_path: Path) -> None:
    for name, seed, workers in (("one", 4, 1), ("two", 4, 2), ("other", 5, 1)):
        generate.generate(tmp_path / name, 6, seed, workers=workers)
    one, two, other = (
        [path.read_bytes() for path in sorted((tmp_path / name).rglob("*")) if path.is_file()]
        for name in ("one", "two", "other")
    )
    assert one == two and one != other


def test_masks_have_as_many_parts_as_there_are_spheroids() -> None:
    counts = []
    for number in range(80):
        _, mask, count = scene(seeds.rng(1, number))
        assert label(mask)[1] == count and measured(mask).count == count
        counts.append(count)
    assert {0, 1, 2, 3} <= set(counts)


def test_a_threshold_is_not_enough() -> None:
    wrong = there = 0
    overlaps = []
    for number in range(60):
        image, mask, count = scene(seeds.rng(2, number))
        found = otsu_spheroids(image)
        wrong += abs(found.count - count)
        there += count
        overlaps.append(dice(found.mask, mask))
    assert wrong / there > 0.3 and float(np.mean(overlaps)) < 0.8


def test_training_learns_and_the_page_says_so(workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WF_METRICS", str(tmp_path / "metrics"))
    evaluate.main(
        [f"--model={workplace / 'model.pt'}", f"--test={workplace / 'test'}", f"--report={tmp_path / 'r.html'}"]
    )
    found = metrics_of(tmp_path / "metrics")
    assert found["dice"] > 0.5 and 0 <= found["count_error"] < 2
    assert f"{found['dice']:.3f}" in (tmp_path / "r.html").read_text("utf-8")
    history = load_spheroid_model(workplace / "model.pt").about["history"]
    assert history[-1]["loss"] < 0.8 * history[0]["loss"]


def test_pieces_give_what_the_whole_gives(workplace: Path, tmp_path: Path) -> None:
    whole = applied(workplace, tmp_path / "whole", workplace / "all", "--batch=32")
    again = applied(workplace, tmp_path / "again", workplace / "all", "--batch=7")
    assert whole == again and len(whole) == 40
    for line, row in zip(whole, read_rows(tmp_path / "whole" / "masks", files=["mask"])):
        areas = [int(area) for area in line["areas"].split()]
        assert int(line["count"]) == len(areas) and int(line["total_area"]) == sum(areas)
        assert int(read_mask(row["mask"]).sum()) == sum(areas) if areas else True
    gallery.main(
        [
            f"--examples={tmp_path / 'whole' / 'examples'}",
            f"--table={tmp_path / 'all.csv'}",
            f"--page={tmp_path / 'page.html'}",
            "--pixel=2.5",
            str(tmp_path / "whole" / "table.csv"),
        ]
    )
    assert (tmp_path / "all.csv").read_text() == (tmp_path / "whole" / "table.csv").read_text()
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "µm" in page and "most spheroids" in page
    twice = [str(tmp_path / "whole" / "table.csv")] * 2
    with pytest.raises(DataError, match='two images have the name "d00000"'):
        gallery.main(
            [f"--examples={tmp_path / 'whole' / 'examples'}", f"--table={tmp_path / 'x.csv'}", "--page=p", *twice]
        )


def test_images_may_have_any_size(workplace: Path, tmp_path: Path) -> None:
    saved = load_spheroid_model(workplace / "model.pt")
    odd = np.random.default_rng(1).integers(100, 180, (2, 51, 77)).astype(np.uint8)
    assert masks_of(saved.model(), odd, saved.about["multiple"]).shape == (2, 51, 77)
    for number, shape in enumerate([(64, 64), (51, 77), (51, 77)]):
        write_png(tmp_path / "image" / f"{number}.png", np.full(shape, 150, np.uint8))
    write_rows(tmp_path, [{"image": tmp_path / "image" / f"{number}.png"} for number in range(3)])
    assert [line["image"] for line in applied(workplace, tmp_path / "out", tmp_path)] == ["0", "1", "2"]


def test_dust_is_no_spheroid_and_holes_are_part_of_it() -> None:
    mask = np.zeros((30, 30), bool)
    mask[2:12, 2:12] = True
    mask[5:8, 5:8] = False
    mask[20:22, 20:22] = True
    found = measured(mask, least_area=20)
    assert found.areas == [100] and int(found.mask.sum()) == 100
    assert measured(np.zeros((9, 9), bool)).areas == []
    assert measured(mask[18:24, 18:24], least_area=20).count == 0
    assert not measured(mask[18:24, 18:24], least_area=20).mask.any()


def test_examples_are_few_and_each_is_shown_once() -> None:
    chosen = Examples()
    for number in range(100):
        areas = [number] * (number % 4)
        chosen.consider(f"d{number}", Found(np.zeros((2, 2), bool), areas), np.zeros((2, 2), np.uint8))
    kept = {name: why for name, why, _, _ in chosen.kept()}
    assert kept == {"d0": "first, none", "d3": "most spheroids", "d99": "largest"}


def test_bad_data_are_named(workplace: Path, tmp_path: Path) -> None:
    write_rows(tmp_path / "none", [])
    with pytest.raises(DataError, match="no image.*none"):
        applied(workplace, tmp_path / "out", tmp_path / "none")
    broken = tmp_path / "broken" / "image" / "x.png"
    write_png(broken, np.zeros((8, 8), np.uint8))
    broken.write_bytes(broken.read_bytes()[:40])
    write_rows(tmp_path / "broken", [{"image": broken}])
    with pytest.raises(DataError, match="cannot be read.*x.png"):
        applied(workplace, tmp_path / "out", tmp_path / "broken")
    build = {"in_channels": 1, "out_channels": 1, "width": 2, "levels": 1}
    save_model(tmp_path / "lung.pt", Saved("unet", build, UNet(**build).state_dict(), {}))
    with pytest.raises(DataError, match="does not segment spheroids.*lung.pt"):
        load_spheroid_model(tmp_path / "lung.pt")
    write_png(tmp_path / "pair" / "image" / "a.png", np.zeros((16, 16), np.uint8))
    write_png(tmp_path / "pair" / "mask" / "a.png", np.zeros((16, 24), bool))
    row = {name: tmp_path / "pair" / name / "a.png" for name in ("image", "mask")}
    write_rows(tmp_path / "pair", [row])
    with pytest.raises(DataError, match="24x16.*mask/a.png"):
        split.split(tmp_path / "pair", [tmp_path / part for part in PARTS], (0.6, 0.2, 0.2), seed=1)
