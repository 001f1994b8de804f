"""Makes tweets with pictures about crises that never happened."""

from __future__ import annotations

from pathlib import Path
from typing import List, Optional, Sequence, Tuple

from PIL import Image

from wf_ml import command, parallel, seeds
from wf_ml.crisis.posts import painted, post
from wf_ml.crisis.table import IMAGES, Tweet, write_tweets
from wf_ml.crisis.texts import choose
from wf_ml.errors import DataError
from wf_ml.log import log

RETWEETED_SHARE = 0.06


def _paint(job: Tuple[Path, int, int]) -> None:
    folder, seed, number = job
    made = post(seeds.rng(seed, "post", number))
    pixels = painted(seeds.rng(seed, "picture", number), made.scene, made.size)
    Image.fromarray(pixels).save(folder / f"{number:05d}.jpg", quality=88)


def generate(out: Path, count: int, seed: int, workers: int = 1) -> List[Tweet]:
    """`count` posts, and some of them a second time as they are retweeted: the same picture, the text with a mark."""
    if count < 1:
        raise DataError(f"{count} tweets cannot be made")
    (out / IMAGES).mkdir(parents=True, exist_ok=True)
    tweets: List[Tweet] = []
    for number in range(count):
        made = post(seeds.rng(seed, "post", number))
        tweets.append(Tweet(f"t{number:05d}", made.text, f"{number:05d}.jpg", made.label))
        again = seeds.rng(seed, "retweet", number)
        if again.random() < RETWEETED_SHARE:
            comment = choose(again, ("", "", "this! ", "wow ", "so true "))
            text = f"{comment}RT @friend{again.integers(1, 99)}: {made.text}"
            tweets.append(Tweet(f"t{number:05d}-rt", text, f"{number:05d}.jpg", made.label))
    parallel.each(_paint, [(out / IMAGES, seed, number) for number in range(count)], workers)
    write_tweets(out, tweets)
    return tweets


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="a folder: tweets.csv and images")
    parser.add_argument("--tweets", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1, help="processes; they change no pixel")
    given = parser.parse_args(argv)
    tweets = generate(given.out, given.tweets, given.seed, given.workers)
    log(tweets=len(tweets), pictures=given.tweets)
    print(f"{len(tweets)} tweets with {given.tweets} pictures")


if __name__ == "__main__":
    command.run(main)
