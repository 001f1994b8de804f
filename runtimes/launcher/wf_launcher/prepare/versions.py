"""Versions as PEP 440 orders them."""

import re

_VERSION = re.compile(
    r"""v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
        (?:[-_.]?(?P<pre>alpha|beta|preview|pre|a|b|c|rc)[-_.]?(?P<pre_number>\d*))?
        (?P<post>-(?P<post_dash>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>\d*))?
        (?P<dev>[-_.]?dev[-_.]?(?P<dev_number>\d*))?
        (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$""",
    re.VERBOSE | re.IGNORECASE,
)
_PRE_LETTERS = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}
_BEFORE_ALL = (0, "", 0)
_AFTER_ALL = (2, "", 0)


class Version:
    def __init__(self, text):
        """Raises ValueError for what is no version."""
        match = _VERSION.match(text.strip())
        if match is None:
            raise ValueError("not a version: {!r}".format(text))
        part = match.groupdict()
        self.text = text.strip().lower().lstrip("v")
        self.epoch = int(part["epoch"] or 0)
        self.release = tuple(int(number) for number in part["release"].split("."))
        letter = part["pre"] and part["pre"].lower()
        self.pre = None if letter is None else (_PRE_LETTERS.get(letter, letter), int(part["pre_number"] or 0))
        self.post = None if part["post"] is None else int(part["post_dash"] or part["post_number"] or 0)
        self.dev = None if part["dev"] is None else int(part["dev_number"] or 0)
        self.local = None if part["local"] is None else re.split("[-_.]", part["local"].lower())

    @property
    def is_prerelease(self):
        return self.pre is not None or self.dev is not None

    @property
    def is_source_build(self):
        """`1.13.0a0+gitunknown`: how a package that was built from its sources calls itself, whatever they were."""
        return self.is_prerelease and self.local is not None

    @property
    def base(self):
        """Epoch and release alone, without zeros at the end: 1.13.0 and 1.13 are the same."""
        release = self.release
        while len(release) > 1 and release[-1] == 0:
            release = release[:-1]
        return self.epoch, release

    @property
    def public(self):
        """The order, without the local part."""
        if self.pre is not None:
            pre = (1,) + self.pre
        else:
            pre = _BEFORE_ALL if self.post is None and self.dev is not None else _AFTER_ALL
        post = (0, 0) if self.post is None else (1, self.post)
        dev = (1, 0) if self.dev is None else (0, self.dev)
        return self.base + (pre, post, dev)

    @property
    def order(self):
        local = [(1, int(word), "") if word.isdigit() else (0, 0, word) for word in self.local or ()]
        return self.public + ([(-1, 0, "")] if self.local is None else local,)

    def released(self):
        """The release that this is a build of."""
        return Version("{}!{}".format(self.epoch, ".".join(map(str, self.release))))
