from pathlib import Path
from typing import List

import numpy as np
import pytest

from wf_ml.components import label, sizes
from wf_ml.errors import DataError
from wf_ml.lung.baseline import otsu_lungs
from wf_ml.lung.generate import generate, radiograph, shots_of
from wf_ml.metrics.segmentation import dice
from wf_ml.otsu import otsu
from wf_ml.rows import read_rows


def content(folder: Path) -> List[bytes]:
    return [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]


def test_the_seed_decides_and_the_number_of_workers_does_not(tmp_path: Path) -> None:
    generate(tmp_path / "one", patients=3, seed=4, size=64)
    generate(tmp_path / "two", patients=3, seed=4, size=64, workers=2)
    generate(tmp_path / "other", patients=3, seed=5, size=64)
    assert content(tmp_path / "one") == content(tmp_path / "two")
    assert content(tmp_path / "one")[0] != content(tmp_path / "other")[0]


def test_more_patients_do_not_change_the_first_ones() -> None:
    assert np.array_equal(radiograph(4, 7, 1)[0], radiograph(4, 7, 1)[0])
    assert not np.array_equal(radiograph(4, 7, 1)[0], radiograph(4, 7, 2)[0])
    assert {shots_of(4, patient) for patient in range(40)} == {1, 2, 3}


def test_images_look_like_chests_with_two_lungs(lungs: Path) -> None:
    rows = read_rows(lungs, files=("image", "mask"), values=("patient",))
    assert len({row["patient"] for row in rows}) == 14 < len(rows)
    for patient in range(30):
        image, mask = radiograph(4, patient, 0)
        assert 0.08 < mask.mean() < 0.45
        assert image[mask].mean() < image[~mask].mean() + 40
        labels, count = label(mask)
        assert np.sort(sizes(labels, count))[-2:].sum() > 0.98 * mask.sum() and count >= 2


@pytest.mark.parametrize("seed", [4, 5, 6, 7])
def test_a_threshold_is_not_enough(seed: int) -> None:
    chosen = []
    for patient in range(25):
        image, mask = radiograph(seed, patient, 0)
        chosen.append(dice(otsu_lungs(image), mask))
    assert np.mean(chosen) < 0.65


def test_the_baseline_is_no_straw_man() -> None:
    """On a clean chest it finds both lungs, though the air around is darker, and fills what lies in them."""
    image = np.full((96, 96), 20, np.uint8)
    image[8:, 10:86] = 180
    truth = np.zeros((96, 96), bool)
    truth[24:70, 22:42] = truth[24:70, 54:74] = True
    image[truth] = 90
    image[40:44, 28:32] = 200
    assert otsu(np.array([10, 10, 12, 200, 201], np.uint8)) in range(12, 200)
    assert dice(otsu_lungs(image), truth) > 0.98


def test_nothing_to_make_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError):
        generate(tmp_path, patients=0, seed=4)
