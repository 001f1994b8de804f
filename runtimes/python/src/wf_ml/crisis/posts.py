"""Who posts what: how text and picture of a tweet go together.

Either one alone often misleads: a text that says nothing, a picture that may be anything, an old photo of a flood under
small talk, news with a picture of a cat. Seldom do both mislead at once, so that who looks at both knows more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from wf_ml.crisis.scenes.canvas import Canvas, Scene
from wf_ml.crisis.scenes.damage import DAMAGE
from wf_ml.crisis.scenes.either import EITHER
from wf_ml.crisis.scenes.everyday import EVERYDAY
from wf_ml.crisis.texts import any_event, choose, tweet

Rng = np.random.Generator

LABELS = ("informative", "not_informative")
INFORMATIVE_SHARE = 0.55

#: How often text and picture are (clear, clear), (clear, vague), (clear, misleading), (vague, clear), …
CASES: Tuple[Tuple[str, str, float], ...] = (
    ("clear", "clear", 0.40),
    ("clear", "vague", 0.23),
    ("clear", "misleading", 0.055),
    ("vague", "clear", 0.23),
    ("misleading", "clear", 0.055),
    ("vague", "vague", 0.03),
)


@dataclass(frozen=True)
class Post:
    text: str
    label: str
    scene: str
    size: Tuple[int, int]


def post(rng: Rng) -> Post:
    label = LABELS[0] if rng.random() < INFORMATIVE_SHARE else LABELS[1]
    other = LABELS[1] if label == LABELS[0] else LABELS[0]
    text, picture, _ = CASES[int(rng.choice(len(CASES), p=[share for _, _, share in CASES]))]
    event = any_event(rng)
    kind = {"clear": label, "misleading": other, "vague": "neutral"}[text]
    shown = {"clear": label, "misleading": other, "vague": "neutral"}[picture]
    if shown == "informative":
        scene = event.scene if rng.random() < 0.85 else choose(rng, sorted(DAMAGE))
    else:
        scene = choose(rng, sorted(EITHER if shown == "neutral" else EVERYDAY))
    width, height = choose(rng, ((112, 84), (112, 84), (96, 96), (84, 104)))
    return Post(tweet(rng, kind, event), label, scene, (width, height))


def painted(rng: Rng, scene: str, size: Tuple[int, int]) -> np.ndarray:
    paint: Scene = {**DAMAGE, **EVERYDAY, **EITHER}[scene]
    canvas = Canvas(rng, *size)
    paint(canvas)
    return canvas.developed()
