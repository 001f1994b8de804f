"""Splits tweets by their picture, after leaving out what says the same again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Set, Tuple

from wf_ml import command, rows
from wf_ml.crisis.table import IMAGES, Tweet, read_tweets
from wf_ml.crisis.tokens import tokens_of
from wf_ml.log import log
from wf_ml.split import Item, divide

REPEATED = "the same words and picture again"
NO_WORDS = "no words are left without links and names"


def reasons(tweets: Sequence[Tweet]) -> Dict[str, str]:
    """Which tweets are left out, and why. A retweet without a comment of its own says nothing new."""
    seen: Set[Tuple[str, Tuple[str, ...]]] = set()
    found: Dict[str, str] = {}
    for tweet in tweets:
        words = tuple(word for word in tokens_of(tweet.text) if word not in ("rt", "<user>", "<url>"))
        said = tweet.image, words
        if not words:
            found[tweet.id] = NO_WORDS
        elif said in seen:
            found[tweet.id] = REPEATED
        seen.add(said)
    return found


def split(folder: Path, outs: Sequence[Path], ratios: Sequence[float], seed: int) -> Dict[str, str]:
    """A picture, with all that was tweeted with it, is in one part only. What was left out."""
    tweets = read_tweets(folder)
    rejected = reasons(tweets)
    by_id = {tweet.id: tweet for tweet in tweets}
    items = [Item(tweet.id, tweet.image, tweet.label, rejected.get(tweet.id)) for tweet in tweets]
    division = divide(items, (ratios[0], ratios[1], ratios[2]), seed)
    for out, (part, ids) in zip(outs, division.parts().items()):
        made: List[rows.Row] = []
        for name in ids:
            tweet = by_id[name]
            own = out / "image" / f"{name}{Path(tweet.image).suffix.lower()}"
            own.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / IMAGES / tweet.image, own)
            made.append({"image": own, "id": name, "text": tweet.text, "label": tweet.label})
        rows.write_rows(out, made)
        log(**{part: len(ids)})
        print(f"{len(ids):6d}  {part}")
    return division.rejected


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--tweets", type=Path, required=True, help="a folder: tweets.csv and images")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: image, id, text, label")
    parser.add_argument("--val", type=Path, required=True)
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--ratios", type=float, nargs=3, default=[0.7, 0.15, 0.15])
    parser.add_argument("--seed", type=int, default=4)
    given = parser.parse_args(argv)
    rejected = split(given.tweets, [given.train, given.val, given.test], given.ratios, given.seed)
    log(left_out=len(rejected))
    print(f"{len(rejected):6d}  left out")


if __name__ == "__main__":
    command.run(main)
