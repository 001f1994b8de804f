"""Names of a dataset's files within a column, as the project's data package makes them."""

_ROW_DIGITS = 6


def with_unique_names(rows, file_columns, key_of=lambda name: name):
    """`key_of` says what must differ. Rows that share a name in a file column get their number before each of their names, so that columns that were
    aligned by stem stay aligned. It ends: numbers have equal width, and each round renames at least one more row."""
    digits = max(_ROW_DIGITS, len(str(len(rows))))
    while True:
        clashing = _clashes(rows, file_columns, key_of)
        if not clashing:
            return rows
        rows = [
            _renamed(row, file_columns, str(index).zfill(digits) + "-") if index in clashing else row
            for index, row in enumerate(rows)
        ]


def _clashes(rows, file_columns, key_of):
    clashing = set()
    for column in file_columns:
        first = {}
        for index, row in enumerate(rows):
            earlier = first.setdefault(key_of(row[column]["name"]), index)
            if earlier != index:
                clashing.update((earlier, index))
    return clashing


def _renamed(row, file_columns, prefix):
    renamed = dict(row)
    for column in file_columns:
        renamed[column] = dict(row[column], name=prefix + row[column]["name"])
    return renamed
