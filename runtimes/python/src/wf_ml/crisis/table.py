"""Tweets as CSV: ``id,text,image,label``, the image relative to the folder ``images`` beside it."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import List, Sequence

from wf_ml.errors import DataError

NAME = "tweets.csv"
IMAGES = "images"
COLUMNS = ("id", "text", "image", "label")
LAYOUT = f"a folder with {NAME} (columns {', '.join(COLUMNS)}) and a folder {IMAGES}"


@dataclass(frozen=True)
class Tweet:
    id: str
    text: str
    image: str
    label: str


def write_tweets(folder: Path, tweets: Sequence[Tweet]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / NAME, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        table.writerows([tweet.id, tweet.text, tweet.image, tweet.label] for tweet in tweets)


def read_tweets(folder: Path) -> List[Tweet]:
    """In the order of the file. Whatever a row lacks is an error that names its line."""
    path = folder / NAME
    if not path.is_file():
        raise DataError("there is no table of tweets", path, LAYOUT)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (table.fieldnames or ())]
            if missing:
                raise DataError(f'the table has no column "{missing[0]}"', path, LAYOUT)
            tweets = [_checked(folder, row, f"{path}:{table.line_num}") for row in table]
    except UnicodeDecodeError as error:
        raise DataError(f"the table is no UTF-8 ({error.reason})", path, "save it as UTF-8") from error
    except csv.Error as error:
        raise DataError(f"the table is no CSV ({error})", path) from error
    if not tweets:
        raise DataError("the table has no tweets", path, LAYOUT)
    seen = set()
    for tweet in tweets:
        if tweet.id in seen:
            raise DataError(f'two tweets have the id "{tweet.id}"', path, "give each row an id of its own")
        seen.add(tweet.id)
    return tweets


def _checked(folder: Path, row: "dict[str, str | None]", where: str) -> Tweet:
    empty = [name for name in COLUMNS if not (row[name] or "").strip()]
    if empty:
        raise DataError(f"the tweet has no {empty[0]}", where, "fill it in, or remove the row")
    tweet = Tweet(*((row[name] or "").strip() for name in COLUMNS))
    name = Path(tweet.image)
    image = folder / IMAGES / name
    if name.is_absolute() or ".." in name.parts or not image.is_file():
        raise DataError(
            f'tweet "{tweet.id}" ({where}) names an image that is not there', image, "add it, or remove the row"
        )
    return tweet
