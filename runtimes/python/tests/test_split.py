from typing import List

import pytest

from wf_ml.errors import DataError
from wf_ml.seeds import rng
from wf_ml.split import Item, divide


def made_up(seed: int, groups: int = 40) -> List[Item]:
    random = rng(seed, "items")
    return [
        Item(f"g{group}-{index}", f"g{group}", label="abc"[group % 3])
        for group in range(groups)
        for index in range(int(random.integers(1, 5)))
    ]


@pytest.mark.parametrize("seed", range(12))
def test_groups_are_never_torn_apart_and_nothing_is_lost(seed: int) -> None:
    items = made_up(seed)
    parts = divide(items, (0.6, 0.2, 0.2), seed).parts()
    groups = {part: {key.split("-")[0] for key in keys} for part, keys in parts.items()}
    assert sum(map(len, groups.values())) == 40
    assert sorted(key for keys in parts.values() for key in keys) == sorted(item.key for item in items)


@pytest.mark.parametrize("seed", range(6))
def test_parts_have_their_size_and_every_class(seed: int) -> None:
    items = made_up(seed)
    for part, ratio in zip(divide(items, (0.6, 0.2, 0.2), seed).parts().values(), (0.6, 0.2, 0.2)):
        assert abs(len(part) / len(items) - ratio) < 0.07
        assert {item.label for item in items if item.key in part} == {"a", "b", "c"}


def test_seed_decides_and_the_order_of_rows_does_not() -> None:
    items = made_up(3)
    assert divide(items, seed=1) == divide(list(reversed(items)), seed=1)
    assert divide(items, seed=1) != divide(items, seed=2)


def test_filtering_comes_before_the_split() -> None:
    items = made_up(3)
    bad = {item.key for item in items[::3]}
    marked = [Item(i.key, i.group, i.label, "flat" if i.key in bad else None) for i in items]
    division = divide(marked, seed=1)
    assert division.rejected == {key: "flat" for key in bad}
    kept = [item for item in items if item.key not in bad]
    assert division.parts() == divide(kept, seed=1).parts()


def test_a_part_may_be_left_out() -> None:
    division = divide(made_up(3), (0.8, 0.2, 0.0), 1)
    assert division.test == [] and len(division.val) > 0


def test_what_cannot_be_split_is_told() -> None:
    with pytest.raises(DataError, match='class "rare" has only 1 of the 3 groups'):
        divide([*made_up(1), Item("x", "x", "rare")], seed=1)
    with pytest.raises(DataError, match="no row is left"):
        divide([Item("x", "x", reject="flat")])
    with pytest.raises(DataError, match="same name"):
        divide([Item("x", "1"), Item("x", "2")])
    with pytest.raises(DataError, match="three parts of 1"):
        divide(made_up(1), (0.7, 0.7, 0.1))
