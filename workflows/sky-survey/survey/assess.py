"""Compares a catalogue with what was put into the sky, and says at which level to look next."""

import sys

from files import read_json, report, write_json

_NEAR = 3.0  # pixels
_BOLDEST = 0.5
_AIMS_ABOVE = 0.03  # the goal, so as to reach it


def main(truth, history, level, goal, previous, *catalogues):
    """`previous` is `previous=FILE` with the rounds so far, or `previous=` before the first one."""
    injected, level, goal = read_json(truth), float(level), float(goal)
    found = [source for path in catalogues for source in read_json(path)]
    pairs = _match(injected, found)
    score = {
        "level": round(level, 3),
        "sources": len(found),
        "completeness": round(len(pairs) / max(1, len(injected)), 4),
        "purity": round(len(pairs) / max(1, len(found)), 4),
        "typed": round(sum(a["kind"] == b["kind"] for a, b in pairs) / max(1, len(pairs)), 4),
    }
    before = previous[len("previous=") :]
    rounds = (read_json(before)["rounds"] if before else []) + [score]
    next_level = level * max(_BOLDEST, min(1.0, score["completeness"] / (goal + _AIMS_ABOVE)) ** 2)
    write_json(history, {"rounds": rounds, "next": round(next_level, 3)})
    report(**{name: score[name] for name in ("completeness", "purity", "typed", "sources")})


def _match(injected, found):
    """Pairs of (injected, found), the brightest first; each is matched once, with the nearest that is left."""
    left = {}
    for source in found:
        left.setdefault(source["tile"], []).append(source)
    pairs = []
    for source in sorted(injected, key=lambda one: -one["flux"]):
        near = [(_squared(source, other), n) for n, other in enumerate(left.get(source["tile"], []))]
        distance, n = min(near, default=(_NEAR * _NEAR + 1, 0))
        if distance <= _NEAR * _NEAR:
            pairs.append((source, left[source["tile"]].pop(n)))
    return pairs


def _squared(a, b):
    return (a["x"] - b["x"]) ** 2 + (a["y"] - b["y"]) ** 2


if __name__ == "__main__":
    main(*sys.argv[1:])
