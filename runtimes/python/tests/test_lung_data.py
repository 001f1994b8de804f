"""People's own folders, good and bad."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from wf_ml.errors import DataError
from wf_ml.images import read_gray, write_png
from wf_ml.lung import ingest as ingesting
from wf_ml.lung import split as splitting
from wf_ml.lung.folder import find_xrays
from wf_ml.lung.ingest import ingest
from wf_ml.lung.split import split
from wf_ml.rows import read_rows


def picture(path: Path, shade: int = 90, side: int = 20) -> None:
    pixels = np.full((side, side), 255 - shade, np.uint8)
    pixels[5:15, 5:15] = shade
    write_png(path, pixels)


def folder(root: Path, names: str = "abcd") -> Path:
    for name in names:
        picture(root / "images" / f"{name}.png")
        picture(root / "masks" / f"{name}.png", shade=255)
    return root


def test_masks_are_found_under_every_name(tmp_path: Path) -> None:
    folder(tmp_path, "a")
    for name, mask in (("b", "masks/b_mask.png"), ("c", "masks/c-mask.png"), ("d", "images/d_mask.png")):
        picture(tmp_path / "images" / f"{name}.png")
        picture(tmp_path / mask)
    found = find_xrays(tmp_path)
    assert [xray.name for xray in found] == ["a", "b", "c", "d"]
    assert all(xray.mask is not None for xray in found)


def test_all_in_one_folder_and_jpeg(tmp_path: Path) -> None:
    picture(tmp_path / "1-mask.png", shade=255)
    Image.fromarray(np.full((20, 20), 99, np.uint8)).save(tmp_path / "1.jpg")
    rows = ingest(tmp_path, tmp_path / "out")
    assert rows[0]["image"].name == "1.png" and abs(int(read_gray(rows[0]["image"])[0, 0]) - 99) < 3


def test_patients_come_from_the_table(tmp_path: Path) -> None:
    folder(tmp_path)
    table = tmp_path / "patients.csv"
    table.write_text("patient,image\nanna,a.png\nanna,b\nbo,c.png\nbo,d.png\n")
    ingest(tmp_path, tmp_path / "out", workers=2)
    assert [row["patient"] for row in read_rows(tmp_path / "out")] == ["anna", "anna", "bo", "bo"]
    table.write_text("image,patient\na.png,anna\n")
    with pytest.raises(DataError, match="whose image b.png is"):
        find_xrays(tmp_path)
    table.write_text("image,patient\nzz.png,anna\n")
    with pytest.raises(DataError, match='"zz.png"'):
        find_xrays(tmp_path)
    table.write_text("file,who\n")
    with pytest.raises(DataError, match="not image,patient"):
        find_xrays(tmp_path)


@pytest.mark.parametrize("workers", [1, 2])
def test_bad_folders_are_told_with_the_file(tmp_path: Path, workers: int) -> None:
    def refused(match: str, where: str) -> None:
        with pytest.raises(DataError, match=match) as raised:
            ingest(tmp_path / "data", tmp_path / "out", workers)
        assert str(raised.value.where).endswith(where)

    refused("no such folder", "data")
    (tmp_path / "data" / "images").mkdir(parents=True)
    refused("has no images", "images")
    data = folder(tmp_path / "data")
    (data / "masks" / "b.png").unlink()
    (data / "masks" / "c.png").unlink()
    refused("has no mask, nor have 1 others", "b.png")
    folder(data)
    (data / "images" / "c.png").write_bytes((data / "images" / "c.png").read_bytes()[:60])
    refused("cannot be read", "images/c.png")
    folder(data)
    picture(data / "masks" / "d.png", side=24)
    refused("24x24 pixels, its image 20x20", "masks/d.png")
    folder(data)
    picture(data / "masks" / "e.png")
    refused("the mask has no image", "e.png")
    (data / "masks" / "e.png").unlink()
    picture(data / "images" / "a.jpg.png")
    (data / "images" / "a.jpg.png").rename(data / "images" / "a.jpeg")
    refused("two files are called a", "images")


def test_what_teaches_nothing_is_left_out_before_the_split(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", "abcdefgh")
    write_png(data / "images" / "c.png", np.full((20, 20), 7, np.uint8))
    write_png(data / "masks" / "e.png", np.zeros((20, 20), bool))
    ingesting.main(["--folder", str(data), "--out", str(tmp_path / "all")])
    parts = [tmp_path / part for part in ("train", "val", "test")]
    summary = split(tmp_path / "all", parts, (0.5, 0.25, 0.25), seed=4, least_lung=0.02)
    assert summary["rejected"] == {"c.png": "the image is flat", "e.png": "the mask covers 0.0% of the image"}
    kept = [row["image"].name for part in parts for row in read_rows(part, files=("image", "mask"))]
    assert sorted(kept) == [f"{name}.png" for name in "abdfgh"]
    assert [summary[part.name]["images"] for part in parts] == [3, 2, 1]


def test_patients_never_straddle_the_parts(lungs: Path, tmp_path: Path) -> None:
    for seed in range(5):
        outs = {part: tmp_path / str(seed) / part for part in ("train", "val", "test")}
        argv = [f"--{part}={out}" for part, out in outs.items()]
        summary = tmp_path / str(seed) / "summary.json"
        (tmp_path / str(seed)).mkdir()
        splitting.main([f"--xrays={lungs}", *argv, f"--summary={summary}", f"--seed={seed}"])
        patients = [{row["patient"] for row in read_rows(out, files=("image", "mask"))} for out in outs.values()]
        assert sum(map(len, patients)) == len(set().union(*patients)) == 14
        assert json.loads(summary.read_text())["train"]["patients"] == len(patients[0])
