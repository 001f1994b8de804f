import json
from pathlib import Path

import numpy as np
import pytest

from wf_ml.log import log, log_image, log_summary


def test_a_line_a_call_in_the_file_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "metrics.jsonl"
    monkeypatch.setenv("WF_METRICS", str(path))
    log(step=1, loss=0.5)
    log(step=2, loss=0.25)
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"step": 1, "loss": 0.5},
        {"step": 2, "loss": 0.25},
    ]


def test_pictures_lie_where_the_line_says_and_a_summary_is_any_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WF_METRICS", str(tmp_path / "metrics.jsonl"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path)
    log_image("worst", np.zeros((4, 4), np.uint8))
    log_image("epoch", np.zeros((4, 4), np.uint8), step=3)
    log_summary(classes=["a", "b"])
    assert [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()] == [
        {"image": "worst", "path": "tmp/worst.png"},
        {"image": "epoch", "path": "tmp/epoch-3.png", "step": 3},
        {"summary": {"classes": ["a", "b"]}},
    ]
    assert (tmp_path / "tmp" / "epoch-3.png").is_file()


def test_numbers_of_numpy_and_none_at_all_harm_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WF_METRICS", str(tmp_path / "metrics.jsonl"))
    log(loss=float("nan"), dice=np.float32(0.5), step=np.int64(3))
    assert (tmp_path / "metrics.jsonl").read_text() == '{"loss": NaN, "dice": 0.5, "step": 3.0}\n'


def test_where_nobody_listens_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log(step=1, loss=0.5)
    log_image("worst", np.zeros((4, 4), np.uint8))
    log_summary(best=1)
    assert list(tmp_path.iterdir()) == []
