from pathlib import Path

import numpy as np
import pytest

from wf_ml.errors import DataError
from wf_ml.images import write_png
from wf_ml.rows import copy_rows, read_rows, write_rows


def make(folder: Path) -> None:
    write_png(folder / "image" / "ä 1.png", np.zeros((4, 4), np.uint8))
    write_rows(folder, [{"image": folder / "image" / "ä 1.png", "label": "left", "size": 3}])


def test_rows_come_back_with_paths_and_values(tmp_path: Path) -> None:
    make(tmp_path / "one")
    rows = read_rows(tmp_path / "one", files=("image",), values=("label",))
    assert rows == [{"image": tmp_path / "one" / "image" / "ä 1.png", "label": "left", "size": 3}]
    copy_rows(tmp_path / "two", rows)
    assert read_rows(tmp_path / "two", files=("image",))[0]["image"].read_bytes() == rows[0]["image"].read_bytes()


def test_what_is_no_dataset_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no rows.jsonl"):
        read_rows(tmp_path)
    make(tmp_path)
    with pytest.raises(DataError, match="has no mask"):
        read_rows(tmp_path, files=("mask",))
    (tmp_path / "image" / "ä 1.png").unlink()
    with pytest.raises(DataError, match="not there"):
        read_rows(tmp_path, files=("image",))
    (tmp_path / "rows.jsonl").write_text("{}\n{\n")
    with pytest.raises(DataError, match="rows.jsonl:2"):
        read_rows(tmp_path)
