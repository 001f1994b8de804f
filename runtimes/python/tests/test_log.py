import json
from pathlib import Path

import pytest

from wf_ml.log import log


def test_a_line_a_call_in_the_file_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "metrics.jsonl"
    monkeypatch.setenv("WF_METRICS", str(path))
    log(step=1, loss=0.5)
    log(step=2, loss=0.25)
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"step": 1, "loss": 0.5},
        {"step": 2, "loss": 0.25},
    ]


def test_where_nobody_listens_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log(step=1, loss=0.5)
    assert list(tmp_path.iterdir()) == []
