"""The numbers that a task reports over its steps, thinned where there are very many."""

LIMIT = 10000
KINDS = 100


class Steps:
    """Lines with the same names are one series. Law: of each series the first and the last line are kept, and of one
    that is longer than LIMIT every second, fourth, eighth ... line besides."""

    def __init__(self):
        self._series = {}
        self._count = 0

    def add(self, step):
        """False for a line of yet another kind when there are KINDS of them."""
        kind = frozenset(step)
        series = self._series.get(kind)
        if series is None:
            if len(self._series) == KINDS:
                return False
            series = self._series[kind] = _Series()
        series.add(self._count, step)
        self._count += 1
        return True

    @property
    def thinned(self):
        """(lines, lines kept) of the series that lost some."""
        return [(series.count, len(series.kept())) for series in self._series.values() if series.stride > 1]

    def in_order(self):
        lines = [line for series in self._series.values() for line in series.kept()]
        return [step for _, step in sorted(lines, key=lambda line: line[0])]


class _Series:
    def __init__(self):
        self.count = 0
        self.stride = 1
        self._lines = []
        self._last = None

    def add(self, position, step):
        self._last = (position, step)
        if self.count % self.stride == 0:
            self._lines.append(self._last)
        self.count += 1
        if len(self._lines) > LIMIT:
            self._lines = self._lines[::2]
            self.stride *= 2

    def kept(self):
        is_last_kept = (self.count - 1) % self.stride == 0
        return self._lines if is_last_kept else self._lines + [self._last]
