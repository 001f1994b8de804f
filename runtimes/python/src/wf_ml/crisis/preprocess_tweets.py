"""Cuts tweets into tokens: no capitals, marks for links, people and numbers, hashtags taken apart."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from wf_ml import command, rows
from wf_ml.crisis.tokens import tokens_of
from wf_ml.log import log


def preprocess_tweets(tweets: Path, out: Path) -> int:
    given = rows.read_rows(tweets, values=["id", "text", "label"])
    rows.write_rows(out, [{"id": r["id"], "tokens": tokens_of(r["text"]), "label": r["label"]} for r in given])
    return len(given)


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--tweets", type=Path, required=True, help="a dataset: id, text, label")
    parser.add_argument("--out", type=Path, required=True, help="a dataset: id, tokens, label")
    given = parser.parse_args(argv)
    log(tweets=preprocess_tweets(given.tweets, given.out))


if __name__ == "__main__":
    command.run(main)
