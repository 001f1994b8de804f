"""Words as numbers. 0 is padding, 1 is any word that is not known."""

from __future__ import annotations

from typing import Dict, List, Sequence

import numpy as np
import torch

from wf_ml import seeds

UNKNOWN = 1
FIRST = 2


def vocabulary_of(texts: Sequence[Sequence[str]], least: int = 2) -> List[str]:
    """The words that occur at least `least` times, sorted."""
    counts: Dict[str, int] = {}
    for words in texts:
        for word in words:
            counts[word] = counts.get(word, 0) + 1
    return sorted(word for word, count in counts.items() if count >= least)


def encoded(texts: Sequence[Sequence[str]], vocabulary: Sequence[str], length: int) -> torch.Tensor:
    """Texts x length; what is longer is cut off."""
    number = {word: index for index, word in enumerate(vocabulary, start=FIRST)}
    grid = torch.zeros((len(texts), length), dtype=torch.int64)
    for row, words in enumerate(texts):
        numbers = [number.get(word, UNKNOWN) for word in words[:length]] or [UNKNOWN]
        grid[row, : len(numbers)] = torch.tensor(numbers)
    return grid


def initial_weights(
    vocabulary: Sequence[str], vectors: Dict[str, np.ndarray], dimensions: int, seed: int
) -> torch.Tensor:
    """Known vectors where there are some; small random ones for other words; nothing for padding."""
    weights = np.zeros((len(vocabulary) + FIRST, dimensions), dtype=np.float32)
    for index, word in enumerate(vocabulary, start=FIRST):
        known = vectors.get(word)
        weights[index] = known if known is not None else seeds.rng(seed, "word", word).normal(0, 0.1, size=dimensions)
    return torch.from_numpy(weights)
