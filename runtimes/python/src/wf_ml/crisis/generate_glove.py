"""Makes word vectors in GloVe's format, learned from tweets of which nobody has said whether they are informative."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, seeds
from wf_ml.crisis.embedding import learn_vectors, write_glove
from wf_ml.crisis.texts import PHRASES, any_event, choose, tweet
from wf_ml.crisis.tokens import tokens_of
from wf_ml.log import log


def generate_glove(path: Path, texts: int, seed: int, dimensions: int) -> int:
    """How many words it has."""
    kinds = sorted(PHRASES)
    tokens = []
    for number in range(texts):
        rng = seeds.rng(seed, "background", number)
        tokens.append(tokens_of(tweet(rng, choose(rng, kinds), any_event(rng))))
    vectors = learn_vectors(tokens, dimensions)
    write_glove(path, vectors)
    return len(vectors)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="a word a line, then its numbers")
    parser.add_argument("--texts", type=int, default=12_000)
    parser.add_argument("--dimensions", type=int, default=25)
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args(argv)
    words = generate_glove(given.out, given.texts, given.seed, given.dimensions)
    log(words=words)
    print(f"vectors of {words} words")


if __name__ == "__main__":
    command.run(main)
