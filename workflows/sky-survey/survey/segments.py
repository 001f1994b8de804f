"""Cuts what is brighter than a level into sources: every pixel goes to the peak that it lies on the slope of."""

_SMALLEST = 4  # pixels
_MERGES = 0.82  # a peak that rises less than this above its saddle is part of its neighbour


def segments(rows, level):
    """Lists of (x, y), the brightest pixel first; the brightest source first."""
    width = len(rows[0])
    bright = [(value, y * width + x) for y, row in enumerate(rows) for x, value in enumerate(row) if value > level]
    bright.sort(reverse=True)
    owner, peaks, members = {}, {}, {}
    for value, spot in bright:
        around = {owner[near] for near in _around(spot, width) if near in owner}
        roots = sorted({_root(peaks, one) for one in around}, key=lambda one: -peaks[one][1])
        if not roots:
            peaks[spot] = (spot, value)
            members[spot] = []
            roots = [spot]
        main = roots[0]
        for other in roots[1:]:
            if value > _MERGES * peaks[other][1]:
                peaks[other] = (main, peaks[other][1])
                members[main] += members.pop(other)
        owner[spot] = main
        members[main].append(spot)
    return [
        [(spot % width, spot // width) for spot in spots] for spots in members.values() if len(spots) >= _SMALLEST
    ]


def _root(peaks, spot):
    while peaks[spot][0] != spot:
        spot = peaks[spot][0]
    return spot


def _around(spot, width):
    x = spot % width
    left, right = x > 0, x < width - 1
    for base in (spot - width, spot, spot + width):
        if left:
            yield base - 1
        if base != spot:
            yield base
        if right:
            yield base + 1
