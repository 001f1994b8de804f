"""Tweets: a phrase with its slots filled, then what people and telephones do to it."""

from __future__ import annotations

import re
from typing import Dict, Sequence, Tuple, TypeVar

import numpy as np

from wf_ml.crisis.events import EVENTS, Event
from wf_ml.crisis.phrases import INFORMATIVE, NEUTRAL, NOT_INFORMATIVE, SLOTS

Rng = np.random.Generator
Option = TypeVar("Option")

PHRASES: Dict[str, Tuple[str, ...]] = {
    "informative": INFORMATIVE,
    "not_informative": NOT_INFORMATIVE,
    "neutral": NEUTRAL,
}


def tweet(rng: Rng, kind: str, event: Event) -> str:
    """A text of a kind (`PHRASES`), about an event or under its hashtag."""
    words = filled(rng, choose(rng, PHRASES[kind]), event)
    words = mistyped(rng, words)
    if rng.random() < 0.2:
        words = words.upper() if rng.random() < 0.25 else words.capitalize()
    tags = [tag for tag in event.hashtags if rng.random() < 0.45]
    if rng.random() < 0.15:
        tags.append(choose(rng, ("#news", "#help", "#pray", "#nofilter", "#live", "#today")))
    if rng.random() < 0.18:
        words = f"RT @{handle(rng)}: {words}"
    elif rng.random() < 0.1:
        words = f"@{handle(rng)} {words}"
    if rng.random() < 0.25:
        words += choose(rng, ("!", "!!!", "...", " …", "?!"))
    link = f"https://t.co/{code(rng)}" if rng.random() < 0.7 else ""
    return " ".join(part for part in (words, *tags, link) if part)


def filled(rng: Rng, phrase: str, event: Event) -> str:
    def value(match: "re.Match[str]") -> str:
        name = match.group(1)
        if name == "n":
            return str(choose(rng, (2, 3, 5, 7, 12, 20, 40, 85, 120, 300)))
        if name == "place":
            return choose(rng, event.places)
        if name == "harm":
            return choose(rng, event.harm)
        return choose(rng, SLOTS[name])

    return re.sub(r"\s+", " ", re.sub(r"\{(\w+)\}", value, phrase)).strip()


def mistyped(rng: Rng, words: str) -> str:
    """A letter dropped, doubled or swapped with its neighbour, in a word now and then."""
    typed = []
    for word in words.split(" "):
        if len(word) > 3 and word.isalpha() and rng.random() < 0.035:
            at = int(rng.integers(1, len(word) - 1))
            change = rng.integers(3)
            if change == 0:
                word = word[:at] + word[at + 1 :]
            elif change == 1:
                word = word[:at] + word[at] + word[at:]
            else:
                word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        typed.append(word)
    return " ".join(typed)


def handle(rng: Rng) -> str:
    names = ("maria", "jo", "newsdesk", "kai", "storm_watch", "lena", "tom", "radio7", "ana", "sam")
    return f"{choose(rng, names)}{rng.integers(1, 99)}"


def code(rng: Rng) -> str:
    letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
    return "".join(letters[int(i)] for i in rng.integers(len(letters), size=8))


def choose(rng: Rng, options: Sequence[Option]) -> Option:
    return options[int(rng.integers(len(options)))]


def any_event(rng: Rng) -> Event:
    return EVENTS[int(rng.integers(len(EVENTS)))]
