"""A picture in the making: drawn at twice its size, then shrunk, so that edges are soft."""

from __future__ import annotations

import math
from typing import Callable, Sequence, Tuple

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

Rng = np.random.Generator
Colour = Tuple[int, int, int]
Point = Tuple[float, float]
Scene = Callable[["Canvas"], None]

OVERSAMPLING = 2
COARSE = 8


class Canvas:
    """Coordinates run from 0 to 1 in both directions, whatever the shape of the picture."""

    def __init__(self, rng: Rng, width: int, height: int) -> None:
        self.rng = rng
        self.width, self.height = width * OVERSAMPLING, height * OVERSAMPLING
        self.picture = Image.new("RGB", (self.width, self.height))
        self.pen = ImageDraw.Draw(self.picture)

    def _at(self, points: Sequence[Point]) -> list[Point]:
        return [(x * self.width, y * self.height) for x, y in points]

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        self.pen.polygon(self._at(points), fill=colour)

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        if right > left and bottom > top:
            self.pen.rectangle(self._at([(left, top), (right, bottom)]), fill=colour)

    def oval(self, x: float, y: float, rx: float, ry: float, colour: Colour) -> None:
        self.pen.ellipse(self._at([(x - rx, y - ry), (x + rx, y + ry)]), fill=colour)

    def line(self, points: Sequence[Point], colour: Colour, thickness: float = 0.01) -> None:
        self.pen.line(self._at(points), fill=colour, width=max(1, round(thickness * self.height)))

    def gradient(self, top: float, bottom: float, upper: Colour, lower: Colour) -> None:
        first, last = round(top * self.height), round(bottom * self.height)
        share = np.linspace(0.0, 1.0, max(last - first, 1))[:, None, None]
        band = (1.0 - share) * np.array(upper) + share * np.array(lower)
        band = np.repeat(band, self.width, axis=1) + self.rng.normal(0, 2.5, size=(len(share), self.width, 1))
        self.picture.paste(Image.fromarray(np.clip(band, 0, 255).astype(np.uint8)), (0, first))

    def glow(self, x: float, y: float, rx: float, ry: float, colour: Colour, strength: float) -> None:
        """Light or smoke: an oval without an edge, mixed in by `strength`."""
        columns = (np.arange(self.width // COARSE) + 0.5) * COARSE / self.width
        rows = (np.arange(self.height // COARSE) + 0.5) * COARSE / self.height
        distance = np.hypot(((columns - x) / rx)[None, :], ((rows - y) / ry)[:, None])
        mask = np.clip(1.5 - distance, 0.0, 1.0) * 255.0 * strength
        smooth = Image.fromarray(mask.astype(np.uint8)).resize(self.picture.size, Image.BICUBIC)
        self.picture.paste(colour, (0, 0), smooth)

    def texture(self, top: float, bottom: float, strength: float, stretch: float = 1.0) -> None:
        """Uneven ground or rippled water: blotches between two heights, `stretch` times as wide as high."""
        first, last = round(top * self.height), round(bottom * self.height)
        if last - first < 2:
            return
        grain = self.rng.normal(size=(max(2, (last - first) // 3), max(2, round(self.width / (3 * stretch)))))
        field = Image.fromarray((np.clip(grain * 40 + 128, 0, 255)).astype(np.uint8))
        blotches = np.asarray(field.resize((self.width, last - first), Image.BICUBIC), dtype=np.float64) - 128.0
        region = np.asarray(self.picture.crop((0, first, self.width, last)), dtype=np.float64)
        mixed = np.clip(region + strength * blotches[..., None], 0, 255).astype(np.uint8)
        self.picture.paste(Image.fromarray(mixed), (0, first))

    def mirror_below(self, horizon: float, colour: Colour, share: float) -> None:
        """Still water: what stands above the horizon comes back upside down, tinted."""
        line = round(horizon * self.height)
        depth = min(line, self.height - line)
        if depth < 2:
            return
        above = self.picture.crop((0, line - depth, self.width, line)).transpose(Image.FLIP_TOP_BOTTOM)
        water = Image.new("RGB", above.size, colour)
        self.picture.paste(Image.blend(water, above.filter(ImageFilter.GaussianBlur(2)), share), (0, line))

    def developed(self) -> np.ndarray:
        """Shrunk, with a camera's light, colour cast, blur and noise."""
        picture = self.picture.resize((self.width // OVERSAMPLING, self.height // OVERSAMPLING), Image.BOX)
        if self.rng.random() < 0.3:
            picture = picture.filter(ImageFilter.GaussianBlur(self.rng.uniform(0.3, 0.8)))
        if self.rng.random() < 0.5:
            picture = picture.transpose(Image.FLIP_LEFT_RIGHT)
        pixels = np.asarray(picture, dtype=np.float64) / 255.0
        pixels = pixels ** math.exp(self.rng.normal(0, 0.22)) * (1.0 + self.rng.normal(0, 0.05, size=3))
        pixels = (pixels - 0.5) * self.rng.uniform(0.75, 1.1) + 0.5 + self.rng.normal(0, 0.04)
        pixels += self.rng.normal(0, self.rng.uniform(0.01, 0.045), size=pixels.shape)
        return (np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)


def varied(rng: Rng, colour: Colour, spread: float = 14.0) -> Colour:
    shade, hue = rng.normal(0, spread), rng.normal(0, spread / 2, size=3)
    red, green, blue = (int(min(max(part + shade + own, 0), 255)) for part, own in zip(colour, hue))
    return red, green, blue


def ragged(rng: Rng, left: float, right: float, height: float, roughness: float, steps: int = 14) -> list[Point]:
    """A line from left to right that wanders around a height."""
    wander = np.cumsum(rng.normal(0, roughness, size=steps))
    wander -= np.linspace(wander[0], wander[-1], steps)
    return [(float(x), float(height + y)) for x, y in zip(np.linspace(left, right, steps), wander)]
