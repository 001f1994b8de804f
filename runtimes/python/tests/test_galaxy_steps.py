"""The steps, one after the other, as a workflow starts them: with arguments."""

import csv
import json
import shutil
from pathlib import Path
from typing import Dict

import numpy as np
import pytest

from wf_ml.errors import DataError
from wf_ml.galaxy import augment, baseline, evaluate, ingest, preprocess, split, train
from wf_ml.galaxy.generate import generate
from wf_ml.images import read_rgb, write_png
from wf_ml.rows import copy_rows, read_rows, write_rows

CIGAR = "2-cigar-shaped-smooth"
PARTS = ("train", "val", "test")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("galaxy")
    generate(at / "folders", 110, seed=2, size=48)
    ingest.main([f"--images={at / 'folders'}", f"--out={at / 'all'}", "--crop=40"])
    split.main([f"--images={at / 'all'}", *(f"--{part}={at / part}" for part in PARTS), "--seed=3"])
    for part in PARTS:
        preprocess.main([f"--images={at / part}", f"--out={at / f'p-{part}'}", "--crop=40", "--size=32"])
    augment.main([f"--images={at / 'p-train'}", f"--out={at / 'more'}", f"--label={CIGAR}", "--number=20"])
    both = [*read_rows(at / "p-train", files=["image"]), *read_rows(at / "more", files=["image"])]
    copy_rows(at / "balanced", both)
    trained(at, "model", "--epochs=2")
    baseline.main([f"--train={at / 'balanced'}", f"--out={at / 'baseline.json'}"])
    return at


def trained(at: Path, name: str, *extra: str) -> None:
    arguments = [f"--train={at / 'balanced'}", f"--val={at / 'p-val'}", f"--out={at / f'{name}.pt'}", "--width=4"]
    train.main([*arguments, f"--checkpoint={at / f'{name}.checkpoint.pt'}", *extra])


def metrics_of(path: Path) -> Dict[str, float]:
    values: Dict[str, float] = {}
    for line in path.read_text().splitlines():
        values.update(json.loads(line))
    return values


def test_every_class_is_in_every_part_and_no_image_in_two(workplace: Path) -> None:
    parts = {part: read_rows(workplace / part, files=["image"], values=["label"]) for part in PARTS}
    assert len({row["image"].name for rows in parts.values() for row in rows}) == sum(map(len, parts.values()))
    for rows in parts.values():
        assert len({row["label"] for row in rows}) == 5


def test_the_middle_is_cut_out() -> None:
    pixels = np.zeros((10, 12, 3), np.uint8)
    pixels[4:6, 5:7] = 200
    assert preprocess.centre_crop(pixels, 2, Path("a.png")).tolist() == [[[200] * 3] * 2] * 2
    with pytest.raises(DataError, match="12x10 pixels.*a.png"):
        preprocess.centre_crop(pixels, 11, Path("a.png"))


def test_a_rare_class_grows_to_the_number_and_to_no_more(workplace: Path, tmp_path: Path) -> None:
    had = [row for row in read_rows(workplace / "p-train", values=["label"]) if row["label"] == CIGAR]
    more = read_rows(workplace / "more", files=["image"], values=["label"])
    assert len(had) + len(more) == 20 and {row["label"] for row in more} == {CIGAR}
    assert read_rgb(more[0]["image"]).shape == (32, 32, 3)
    augment.main([f"--images={workplace / 'p-train'}", f"--out={tmp_path}", f"--label={CIGAR}", "--number=1"])
    assert read_rows(tmp_path, files=["image"]) == []
    with pytest.raises(DataError, match='(?s)class "banana".*0-round-smooth'):
        augment.main([f"--images={workplace / 'p-train'}", f"--out={tmp_path}", "--label=banana", "--number=9"])


def test_going_on_from_a_checkpoint_gives_the_same_bytes(workplace: Path) -> None:
    trained(workplace, "first", "--epochs=1", "--horizon=2")
    trained(workplace, "second", "--epochs=2", "--horizon=2", f"--start={workplace / 'first.checkpoint.pt'}")
    assert (workplace / "second.pt").read_bytes() == (workplace / "model.pt").read_bytes()
    with pytest.raises(DataError, match="head_lr"):
        trained(workplace, "third", "--horizon=2", "--head-lr=0.5", f"--start={workplace / 'first.checkpoint.pt'}")


def test_the_page_and_the_table_say_what_was_found(
    workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WF_METRICS", str(tmp_path / "metrics"))
    given = [f"--model={workplace / 'model.pt'}", f"--test={workplace / 'p-test'}"]
    given += [f"--baseline={workplace / 'baseline.json'}", f"--table={tmp_path / 't.csv'}"]
    evaluate.main([*given, f"--report={tmp_path / 'r.html'}"])
    with open(tmp_path / "t.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    right = sum(line["label"] == line["predicted"] for line in lines)
    found = metrics_of(tmp_path / "metrics")
    assert found["accuracy"] == pytest.approx(right / len(lines))
    assert 0 < found["baseline_macro_accuracy"] < 0.95
    page = (tmp_path / "r.html").read_text("utf-8")
    assert f"{found['macro_accuracy']:.3f}" in page and CIGAR in page


def test_a_learning_rate_without_measure_is_named(workplace: Path) -> None:
    with pytest.raises(DataError, match="(?s)loss is (nan|inf).*learning rate"):
        trained(workplace, "wild", "--epochs=3", "--body-lr=1e37", "--head-lr=1e37")


def folders(root: Path) -> Path:
    for label in ("spiral", "round"):
        for number in range(3):
            write_png(root / label / f"{number}.png", np.full((40, 40, 3), 10 * number, np.uint8))
    return root


def refusal(folder: Path, out: Path) -> str:
    with pytest.raises(DataError) as error:
        ingest.ingest(folder, out, least_side=32)
    return str(error.value)


def test_bad_folders_are_named(tmp_path: Path) -> None:
    assert "no class folders" in refusal(tmp_path, tmp_path / "out")
    good = folders(tmp_path / "good")
    assert ingest.ingest(good, tmp_path / "ok", least_side=32) == {"round": 3, "spiral": 3}

    bad = Path(shutil.copytree(good, tmp_path / "corrupt"))
    (bad / "round" / "1.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    assert "round/1.png" in refusal(bad, tmp_path / "out")

    bad = Path(shutil.copytree(good, tmp_path / "one"))
    for number in (1, 2):
        (bad / "spiral" / f"{number}.png").unlink()
    assert 'class "spiral" has 1 of the 3 images' in refusal(bad, tmp_path / "out")
    (bad / "spiral" / "0.png").unlink()
    assert "no images" in refusal(bad, tmp_path / "out") and "spiral" in refusal(bad, tmp_path / "out")

    bad = Path(shutil.copytree(good, tmp_path / "small"))
    write_png(bad / "round" / "0.png", np.zeros((20, 40, 3), np.uint8))
    assert "40x20 pixels" in refusal(bad, tmp_path / "out")

    bad = Path(shutil.copytree(good, tmp_path / "loose"))
    write_png(bad / "stray.png", np.zeros((40, 40, 3), np.uint8))
    assert "stray.png" in refusal(bad, tmp_path / "out")

    shutil.rmtree(tmp_path / "loose" / "spiral")
    (bad / "stray.png").unlink()
    assert 'only one class, "round"' in refusal(bad, tmp_path / "out")


def test_training_without_images_is_refused(workplace: Path, tmp_path: Path) -> None:
    write_rows(tmp_path / "empty", [])
    with pytest.raises(DataError, match="no image.*empty"):
        train.main([f"--train={tmp_path / 'empty'}", f"--val={workplace / 'p-val'}", f"--out={tmp_path / 'm.pt'}"])
