"""Images in and out, with errors that name the file."""

from __future__ import annotations

from pathlib import Path
from typing import List, Optional, Tuple

import numpy as np
from PIL import Image, UnidentifiedImageError

from wf_ml.errors import DataError, Where

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff")

# Beyond this an image is taken for a mistake rather than decoded: 16 bytes of header can ask for gigabytes.
LARGEST_SIDE = 20_000


def list_images(folder: Path) -> List[Path]:
    """The images in a folder, sorted by name. None at all is an error."""
    if not folder.is_dir():
        raise DataError("there is no such folder", folder)
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())
    if not found:
        raise DataError("the folder has no images", folder, f"put images into it ({', '.join(ENDINGS)})")
    return found


def read_gray(path: Path) -> np.ndarray:
    """An image as one channel of bytes, height x width. Sixteen bits are scaled down to eight."""
    image = _open(path)
    if image.mode.startswith("I") or image.mode == "F":
        wide = np.asarray(image, dtype=np.float64)
        top = 65535.0 if image.mode.startswith("I") else max(float(wide.max()), 1e-12)
        return np.clip(wide / top * 255.0 + 0.5, 0, 255).astype(np.uint8)
    return np.asarray(image.convert("L"))


def read_rgb(path: Path) -> np.ndarray:
    """An image as three channels of bytes, height x width x 3."""
    image = _open(path)
    if image.mode.startswith("I") or image.mode == "F":
        return np.repeat(read_gray(path)[:, :, None], 3, axis=2)
    return np.asarray(image.convert("RGB"))


def read_mask(path: Path, like: Optional[Tuple[int, ...]] = None) -> np.ndarray:
    """A mask as booleans: true from the middle of the range up. `like` is the height and width that it must have."""
    mask = read_gray(path)
    inside = mask > int(mask.max()) // 2
    if like is not None and inside.shape != like:
        raise DataError(
            f"the mask has {_size(inside.shape)} pixels, its image {_size(like)}", path, "save both at the same size"
        )
    return inside


def write_png(path: Path, pixels: np.ndarray, effort: int = 6) -> None:
    """Bytes as they are; booleans as 0 and 255. `effort` is that of compression, from 0 to 9."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if pixels.dtype == bool:
        pixels = pixels.astype(np.uint8) * 255
    if pixels.dtype != np.uint8:
        raise TypeError(f"a PNG is made of bytes, not of {pixels.dtype}")
    Image.fromarray(pixels).save(path, format="PNG", compress_level=effort)


def resize(pixels: np.ndarray, height: int, width: int) -> np.ndarray:
    """Bytes are averaged or interpolated; booleans take the nearest pixel."""
    if pixels.dtype == bool:
        small = Image.fromarray(pixels.astype(np.uint8) * 255).resize((width, height), Image.BOX)
        return np.asarray(small) > 127
    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.BILINEAR))


def expect_size(pixels: np.ndarray, height: int, width: int, where: Where) -> None:
    if pixels.shape[:2] != (height, width):
        raise DataError(f"the image has {_size(pixels.shape)} pixels instead of {_size((height, width))}", where)


def _open(path: Path) -> Image.Image:
    try:
        image = Image.open(path)
        if max(image.size) > LARGEST_SIDE:
            raise DataError(f"the image has {image.size[0]}x{image.size[1]} pixels, which is too many", path)
        image.load()
    except FileNotFoundError as error:
        raise DataError("there is no such image", path) from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        reason = "its format is unknown" if isinstance(error, UnidentifiedImageError) else str(error)
        raise DataError(f"the image cannot be read ({reason})", path, "replace or remove it") from error
    if image.width < 2 or image.height < 2:
        raise DataError("the image has fewer than 2x2 pixels", path, "replace or remove it")
    return image


def _size(shape: Tuple[int, ...]) -> str:
    return f"{shape[1]}x{shape[0]}"
