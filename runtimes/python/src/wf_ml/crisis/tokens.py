"""Tweets as tokens, the way GloVe's Twitter vectors were made: no capitals, marks for links, people and numbers."""

from __future__ import annotations

import re
from typing import List

_URL = re.compile(r"https?://\S+|www\.\S+")
_USER = re.compile(r"@\w+")
_HASHTAG = re.compile(r"#(\w+)")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*%?")
_REPEATED = re.compile(r"([!?.]){2,}")
_TOKEN = re.compile(r"<\w+>|[^\W\d_]+(?:'[^\W\d_]+)?|[!?]|[\U0001F300-\U0001FAFF\u2600-\u27BF]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def tokens_of(text: str) -> List[str]:
    """``"RT @jo: 12 trapped! #VeldenFlood"`` gives ``rt <user> <number> trapped ! <hashtag> velden flood``."""
    text = _URL.sub(" <url> ", text)
    text = _USER.sub(" <user> ", text)
    text = _HASHTAG.sub(lambda match: f" <hashtag> {_CAMEL.sub(' ', match.group(1))} ", text)
    text = _NUMBER.sub(" <number> ", text)
    text = _REPEATED.sub(r" \1 <repeat> ", text)
    return _TOKEN.findall(text.lower())
