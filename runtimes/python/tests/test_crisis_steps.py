"""The two pipelines and where they meet, as a workflow starts them: with arguments."""

import json
from pathlib import Path
from typing import Dict

import numpy as np
import pytest

from wf_ml.crisis import (
    evaluate,
    fuse,
    generate,
    generate_glove,
    infer_images,
    infer_text,
    preprocess_images,
    preprocess_tweets,
    split,
    train_images,
    train_text,
)
from wf_ml.crisis.fuse import fit_fusion
from wf_ml.crisis.predictions import Predictions, aligned, read_predictions, write_predictions
from wf_ml.errors import DataError
from wf_ml.rows import read_rows, write_rows

PARTS = ("train", "val", "test")


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    at = tmp_path_factory.mktemp("crisis")
    generate.main([f"--out={at / 'raw'}", "--tweets=90", "--seed=2"])
    generate_glove.main([f"--out={at / 'glove.txt'}", "--texts=400", "--dimensions=8"])
    split.main([f"--tweets={at / 'raw'}", *(f"--{part}={at / part}" for part in PARTS)])
    for part in PARTS:
        preprocess_tweets.main([f"--tweets={at / part}", f"--out={at / f't-{part}'}"])
        preprocess_images.main([f"--images={at / part}", f"--out={at / f'i-{part}'}", "--size=32"])
    texts = [f"--train={at / 't-train'}", f"--val={at / 't-val'}", f"--glove={at / 'glove.txt'}"]
    train_text.main([*texts, f"--out={at / 'text.pt'}", "--epochs=3", "--hidden=8", "--lr=0.02"])
    images = [f"--train={at / 'i-train'}", f"--val={at / 'i-val'}"]
    train_images.main([*images, f"--out={at / 'image.pt'}", "--epochs=2", "--width=4"])
    for part in ("val", "test"):
        infer_text.main([f"--model={at / 'text.pt'}", f"--tweets={at / f't-{part}'}", f"--out={at / f't-{part}.csv'}"])
        infer_images.main(
            [f"--model={at / 'image.pt'}", f"--images={at / f'i-{part}'}", f"--out={at / f'i-{part}.csv'}"]
        )
    fuse.main([f"--text={at / 't-val.csv'}", f"--image={at / 'i-val.csv'}", f"--out={at / 'fusion.json'}"])
    return at


def metrics_of(path: Path) -> Dict[str, float]:
    values: Dict[str, float] = {}
    for line in path.read_text().splitlines():
        values.update(json.loads(line))
    return values


def test_both_models_speak_of_the_same_tweets(workplace: Path) -> None:
    text, image = (read_predictions(workplace / f"{kind}-test.csv") for kind in "ti")
    assert sorted(text.ids) == sorted(row["id"] for row in read_rows(workplace / "test", values=["id"]))
    assert aligned(text, image).ids == text.ids
    assert np.allclose(text.probabilities.sum(axis=1), 1, atol=1e-4)


def test_the_page_and_the_scores(workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WF_METRICS", str(tmp_path / "metrics"))
    given = [
        f"--text={workplace / 't-test.csv'}",
        f"--image={workplace / 'i-test.csv'}",
        f"--tweets={workplace / 'test'}",
    ]
    given += [f"--fusion={workplace / 'fusion.json'}", f"--text-model={workplace / 'text.pt'}"]
    given += [f"--image-model={workplace / 'image.pt'}", f"--table={tmp_path / 't.csv'}"]
    evaluate.main([*given, f"--report={tmp_path / 'r.html'}"])
    found = metrics_of(tmp_path / "metrics")
    text = read_predictions(workplace / "t-test.csv")
    assert found["text_accuracy"] == pytest.approx(float((text.truth == text.predicted).mean()))
    assert found["fusion_gain"] == pytest.approx(
        found["fusion_accuracy"] - max(found["text_accuracy"], found["image_accuracy"])
    )
    page = (tmp_path / "r.html").read_text("utf-8")
    assert f"{found['fusion_accuracy']:.3f}" in page and "late fusion" in page
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 1 + len(text.ids)


def witness(seed: int, truth: np.ndarray, reliability: float) -> Predictions:
    """Says what it sees, and how sure it is; what it sees is right with a chance that follows from that."""
    rng = np.random.default_rng(seed)
    sure = rng.uniform(0.5, reliability, size=len(truth))
    says = np.where(rng.random(len(truth)) < sure, truth, 1 - truth)
    shares = np.where(says[:, None] == np.arange(2), sure[:, None], 1 - sure[:, None])
    return Predictions(["no", "yes"], [str(n) for n in range(len(truth))], [["no", "yes"][t] for t in truth], shares)


def test_two_witnesses_know_more_than_one_and_a_fool_is_not_believed() -> None:
    truth = np.random.default_rng(1).integers(0, 2, size=2000)
    half = slice(0, 1000), slice(1000, None)
    learn, check = ([witness(seed, truth[part], 0.99) for seed in (2, 3)] for part in half)
    fusion = fit_fusion(*learn)
    assert fusion.text_weight == pytest.approx(1, abs=0.3)
    together = fusion.apply(*check)
    alone = max(float((one.predicted == one.truth).mean()) for one in check)
    assert float((together.predicted == together.truth).mean()) > alone + 0.04

    fool = witness(4, np.random.default_rng(9).integers(0, 2, size=1000), 0.99)
    liar = Predictions(fool.classes, fool.ids, learn[0].labels, fool.probabilities)
    assert fit_fusion(learn[0], liar).image_weight < 0.25


def test_predictions_of_different_tweets_are_not_fused(tmp_path: Path) -> None:
    one = witness(1, np.array([0, 1, 1]), 0.9)
    other = Predictions(one.classes, ["7", "8", "9"], one.labels, one.probabilities)
    with pytest.raises(DataError, match="different tweets"):
        fit_fusion(one, other)
    write_predictions(tmp_path / "p.csv", one)
    assert read_predictions(tmp_path / "p.csv").labels == one.labels
    (tmp_path / "p.csv").write_text("id,label\n1,x\n")
    with pytest.raises(DataError, match="no table of predictions"):
        read_predictions(tmp_path / "p.csv")


def test_one_class_or_none_is_refused(workplace: Path, tmp_path: Path) -> None:
    rows = read_rows(workplace / "t-train", values=["label"])
    write_rows(tmp_path / "one", [row for row in rows if row["label"] == "informative"])
    write_rows(tmp_path / "none", [])
    rest = [f"--val={workplace / 't-val'}", f"--glove={workplace / 'glove.txt'}", f"--out={tmp_path / 'm.pt'}"]
    with pytest.raises(DataError, match='only one class, "informative".*one'):
        train_text.main([f"--train={tmp_path / 'one'}", *rest])
    with pytest.raises(DataError, match="no example.*none"):
        train_text.main([f"--train={tmp_path / 'none'}", *rest])


def test_a_picture_that_is_broken_is_named(workplace: Path, tmp_path: Path) -> None:
    (tmp_path / "image").mkdir()
    (tmp_path / "image" / "x.jpg").write_bytes(b"\xff\xd8\xff\xe0 no picture")
    write_rows(tmp_path, [{"image": tmp_path / "image" / "x.jpg", "id": "1", "label": "informative"}])
    with pytest.raises(DataError, match="cannot be read.*x.jpg"):
        preprocess_images.main([f"--images={tmp_path}", f"--out={tmp_path / 'out'}"])
