"""What the tests share: one thread, since the numbers hang on it, and lungs that are made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import wf_ml  # noqa: F401  before torch: it says how threads wait
from wf_ml.lung.generate import generate
from wf_ml.seeds import prepare_torch


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WF_METRICS", raising=False)
    prepare_torch(1, threads=1)


@pytest.fixture(scope="session")
def lungs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of made-up X-rays; tests only read it."""
    out = tmp_path_factory.mktemp("lungs") / "xrays"
    generate(out, patients=14, seed=4, size=64)
    return out
