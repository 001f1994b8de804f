from pathlib import Path
from typing import List

import numpy as np
import pytest

from wf_ml import seeds
from wf_ml.errors import DataError
from wf_ml.galaxy.baseline import shape_of
from wf_ml.galaxy.generate import REAL_COUNTS, counts_of, generate
from wf_ml.galaxy.scene import photograph
from wf_ml.galaxy.shapes import PAINTERS


def content(folder: Path) -> List[bytes]:
    return [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]


def test_the_seed_decides_and_the_number_of_workers_does_not(tmp_path: Path) -> None:
    generate(tmp_path / "one", 40, seed=4, size=48)
    generate(tmp_path / "two", 40, seed=4, size=48, workers=2)
    generate(tmp_path / "other", 40, seed=5, size=48)
    assert content(tmp_path / "one") == content(tmp_path / "two")
    assert content(tmp_path / "one")[0] != content(tmp_path / "other")[0]


def test_classes_are_as_unbalanced_as_the_real_ones(tmp_path: Path) -> None:
    counts = counts_of(2879)
    assert sum(REAL_COUNTS.values()) == 28793
    assert [round(count / 10) for count in REAL_COUNTS.values()] == list(counts.values())
    assert min(counts, key=lambda label: counts[label]).startswith("2-cigar")
    made = generate(tmp_path, 30, seed=1, size=48)
    assert {folder.name: len(list(folder.iterdir())) for folder in tmp_path.iterdir()} == made


def test_shapes_are_what_their_names_say() -> None:
    """The axis ratio falls from round to cigar; spirals are less even than what is smooth."""

    def typical(label: str) -> np.ndarray:
        pictures = [photograph(seeds.rng(3, label, number), label, 96)[16:80, 16:80] for number in range(12)]
        return np.median([shape_of(picture) for picture in pictures], axis=0)

    ratios = {label: typical(label) for label in PAINTERS}
    round_, between, cigar, edge, spiral = ratios.values()
    assert round_[0] > between[0] > cigar[0] and edge[0] < 0.6
    assert spiral[3] > round_[3]


def test_nothing_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="0 images"):
        generate(tmp_path, 0, seed=1)
