"""Word vectors in GloVe's text format: a word a line, then its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Iterable, List, Sequence, Tuple

import numpy as np

from wf_ml import atomic
from wf_ml.errors import DataError

WINDOW = 4


def learn_vectors(texts: Iterable[Sequence[str]], dimensions: int, least: int = 5) -> Dict[str, np.ndarray]:
    """From which words stand near which: the positive part of their mutual information, cut down to few dimensions."""
    sentences = [list(words) for words in texts]
    counts: Dict[str, int] = {}
    for words in sentences:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    vocabulary = sorted(word for word, count in counts.items() if count >= least)
    number = {word: index for index, word in enumerate(vocabulary)}
    near = np.zeros((len(vocabulary), len(vocabulary)))
    for words in sentences:
        known = [number.get(word, -1) for word in words]
        for at, first in enumerate(known):
            for away, second in enumerate(known[at + 1 : at + 1 + WINDOW], start=1):
                if first >= 0 and second >= 0:
                    near[first, second] += 1.0 / away
                    near[second, first] += 1.0 / away
    total = near.sum()
    alone = near.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(near * total / (alone[:, None] * alone[None, :]))
    positive = np.where(np.isfinite(information), np.maximum(information, 0.0), 0.0)
    values, vectors = np.linalg.eigh(positive)
    strongest = np.argsort(-values)[:dimensions]
    scaled = vectors[:, strongest] * np.sqrt(np.maximum(values[strongest], 0.0))
    # The sign of an eigenvector is a matter of the library: make it a matter of the vector.
    signs = np.sign(scaled[np.abs(scaled).argmax(axis=0), np.arange(scaled.shape[1])])
    scaled = scaled * np.where(signs == 0, 1.0, signs)
    scaled /= max(float(np.sqrt((scaled**2).mean())), 1e-9) * 2.0
    return dict(zip(vocabulary, scaled))


def write_glove(path: Path, vectors: Dict[str, np.ndarray]) -> None:
    lines = [" ".join([word, *(f"{value:.4f}" for value in vector)]) for word, vector in vectors.items()]
    atomic.write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8"))


def read_glove(path: Path, wanted: Iterable[str]) -> Tuple[Dict[str, np.ndarray], int]:
    """The vectors of the wanted words, and how many dimensions they have. A large file is read line by line."""
    if not path.is_file():
        raise DataError(
            "the word vectors are not there", path, "give a file in GloVe's format: a word a line, then its numbers"
        )
    words = set(wanted)
    found: Dict[str, np.ndarray] = {}
    dimensions = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            parts: List[str] = line.rstrip("\n").split(" ")
            if number == 1 and len(parts) == 2 and all(part.isdigit() for part in parts):
                continue  # word2vec's header, which some files have
            if dimensions == 0:
                dimensions = len(parts) - 1
            if len(parts) != dimensions + 1 or dimensions == 0:
                raise DataError(
                    f"line {number} is no word with {max(dimensions, 1)} numbers", path, "is it in GloVe's format?"
                )
            if parts[0] in words:
                try:
                    found[parts[0]] = np.array(parts[1:], dtype=np.float32)
                except ValueError as error:
                    raise DataError(f"line {number} has something that is no number", path) from error
    if dimensions == 0:
        raise DataError("the file of word vectors is empty", path)
    return found, dimensions
