"""Light on a small square of sky: profiles, spiral arms, dust, stars."""

from __future__ import annotations

import math

import numpy as np

Rng = np.random.Generator
Image = np.ndarray

OLD_STARS = np.array([1.15, 0.95, 0.68])
YOUNG_STARS = np.array([0.72, 0.90, 1.18])
GLOWING_GAS = np.array([1.30, 0.62, 0.85])


class Frame:
    """A square of sky with a galaxy's own axes: `x` along its long axis, `y` across it, stretched by 1 / `ratio`."""

    def __init__(self, size: int, centre: tuple[float, float], angle: float, ratio: float) -> None:
        rows, columns = np.mgrid[0:size, 0:size].astype(np.float64)
        dx, dy = columns - centre[0], rows - centre[1]
        self.x = dx * math.cos(angle) + dy * math.sin(angle)
        self.across = -dx * math.sin(angle) + dy * math.cos(angle)
        self.y = self.across / ratio
        self.radius = np.hypot(self.x, self.y)
        self.azimuth = np.arctan2(self.y, self.x)


def sersic(radius: Image, half_light: float, index: float) -> Image:
    """Brightness 1 at the half-light radius; index 1 is a disc, 4 an elliptical."""
    b = 2.0 * index - 1.0 / 3.0 + 0.009876 / index
    return np.exp(-b * ((np.maximum(radius, 0.35) / half_light) ** (1.0 / index) - 1.0))


def coloured(light: Image, colour: np.ndarray) -> Image:
    return light[..., None] * colour


def near_centre(rng: Rng, size: int) -> tuple[float, float]:
    x, y = size / 2.0 + rng.normal(0.0, 1.2, size=2)
    return float(x), float(y)


def brightness(rng: Rng) -> float:
    return math.exp(rng.uniform(math.log(0.12), math.log(0.8)))


def tint(rng: Rng, colour: np.ndarray, spread: float = 0.05) -> np.ndarray:
    """No two galaxies have quite the same colour."""
    warmth = rng.normal(0.0, spread)
    return colour * np.array([1.0 + warmth, 1.0, 1.0 - warmth])


def smooth_noise(rng: Rng, size: int, scale: float) -> Image:
    """Gaussian noise of unit variance, smooth on the given scale in pixels, in either direction without a seam."""
    frequency = np.hypot(np.fft.fftfreq(size, 1.0)[:, None], np.fft.rfftfreq(size, 1.0)[None, :])
    kernel = np.exp(-2.0 * (math.pi * frequency * scale) ** 2)
    field = np.fft.irfft2(np.fft.rfft2(rng.normal(size=(size, size))) * kernel, s=(size, size))
    return field / max(float(field.std()), 1e-9)


def blur(image: Image, sigma: float) -> Image:
    """The seeing: a Gaussian on every channel."""
    offsets = np.arange(image.shape[0])
    kernel = np.exp(-0.5 * ((offsets[:, None] - offsets[None, :]) / sigma) ** 2)
    kernel /= kernel.sum(axis=1, keepdims=True)
    return np.einsum("ij,jkc,lk->ilc", kernel, image, kernel, optimize=True)


def spot(light: Image, x: float, y: float, sigma: float, amount: np.ndarray) -> None:
    """Adds a small round spot in place, touching only the pixels near it."""
    size = light.shape[0]
    reach = int(math.ceil(3.5 * sigma)) + 1
    left, right = max(0, int(x) - reach), min(size, int(x) + reach + 1)
    top, bottom = max(0, int(y) - reach), min(size, int(y) + reach + 1)
    if left >= right or top >= bottom:
        return
    columns = np.exp(-0.5 * ((np.arange(left, right) - x) / sigma) ** 2)
    rows = np.exp(-0.5 * ((np.arange(top, bottom) - y) / sigma) ** 2)
    light[top:bottom, left:right] += (rows[:, None] * columns[None, :])[..., None] * amount


def stretched(light: Image, softening: float = 0.22, white: float = 5.0) -> Image:
    """Faint and bright in one picture, as survey pictures do it: asinh on the mean of the colours, hues kept."""
    mean = np.maximum(light.mean(axis=2, keepdims=True), 1e-6)
    scaled = np.arcsinh(mean / softening) / math.asinh(white / softening)
    picture = light / mean * scaled
    peak = picture.max(axis=2, keepdims=True)
    return np.clip(np.where(peak > 1.0, picture / peak, picture), 0.0, 1.0)
