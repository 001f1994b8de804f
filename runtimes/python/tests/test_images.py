from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from wf_ml.errors import DataError
from wf_ml.images import expect_size, list_images, read_gray, read_mask, read_rgb, resize, write_png

GRADIENT = np.arange(64 * 48, dtype=np.uint32).reshape(48, 64).astype(np.uint8)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "in a folder" / 'a "name".png'
    write_png(path, GRADIENT)
    assert np.array_equal(read_gray(path), GRADIENT)
    assert read_rgb(path).shape == (48, 64, 3)
    mask = GRADIENT > 100
    write_png(path, mask)
    assert np.array_equal(read_mask(path), mask)


def test_sixteen_bits_palettes_and_transparency_are_read(tmp_path: Path) -> None:
    wide = GRADIENT.astype(np.uint16) * 257
    Image.fromarray(wide).save(tmp_path / "wide.png")
    assert np.array_equal(read_gray(tmp_path / "wide.png"), GRADIENT)
    assert np.array_equal(read_rgb(tmp_path / "wide.png")[:, :, 1], GRADIENT)
    Image.fromarray(GRADIENT).convert("P").save(tmp_path / "palette.png")
    assert np.array_equal(read_gray(tmp_path / "palette.png"), GRADIENT)
    Image.fromarray(GRADIENT).convert("RGBA").save(tmp_path / "alpha.png")
    assert np.array_equal(read_gray(tmp_path / "alpha.png"), GRADIENT)


def test_a_mask_of_ones_is_a_mask(tmp_path: Path) -> None:
    Image.fromarray((GRADIENT > 100).astype(np.uint8)).save(tmp_path / "ones.png")
    assert np.array_equal(read_mask(tmp_path / "ones.png"), GRADIENT > 100)
    Image.fromarray(np.zeros((4, 4), np.uint8)).save(tmp_path / "none.png")
    assert not read_mask(tmp_path / "none.png").any()


@pytest.mark.parametrize("damage", ["cut", "no image", "empty", "flipped byte"])
def test_a_corrupt_png_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "broken.png"
    write_png(path, np.random.default_rng(1).integers(0, 255, (64, 64)).astype(np.uint8))
    content = path.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0xFF
    path.write_bytes(
        {"cut": content[: len(content) // 2], "no image": b"hello", "empty": b"", "flipped byte": bytes(flipped)}[
            damage
        ]
    )
    with pytest.raises(DataError) as raised:
        read_gray(path)
    assert raised.value.where == str(path) and "cannot be read" in raised.value.what


def test_absent_tiny_and_wrongly_sized_images_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such image"):
        read_gray(tmp_path / "absent.png")
    Image.new("L", (1, 1)).save(tmp_path / "dot.png")
    with pytest.raises(DataError, match="2x2"):
        read_gray(tmp_path / "dot.png")
    with pytest.raises(DataError, match="64x48 pixels instead of 10x20"):
        expect_size(GRADIENT, 20, 10, "x.png")
    write_png(tmp_path / "mask.png", GRADIENT > 9)
    with pytest.raises(DataError, match="64x48 pixels, its image 32x32"):
        read_mask(tmp_path / "mask.png", like=(32, 32))


def test_images_are_listed_in_order_and_none_is_an_error(tmp_path: Path) -> None:
    for name in ("b.png", "a.JPG", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in list_images(tmp_path)] == ["a.JPG", "b.png"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="has no images"):
        list_images(tmp_path / "empty")
    with pytest.raises(DataError, match="no such folder"):
        list_images(tmp_path / "absent")


def test_resizing_keeps_what_a_picture_shows() -> None:
    half = resize(GRADIENT, 24, 32)
    assert half.shape == (24, 32) and abs(float(half.mean()) - float(GRADIENT.mean())) < 2
    square = np.zeros((40, 40), dtype=bool)
    square[10:30, 10:30] = True
    assert resize(square, 20, 20).sum() == 100
