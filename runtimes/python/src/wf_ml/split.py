"""Train, validation and test. What is filtered goes first, a group stays together, and every class is in each part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from wf_ml.errors import DataError
from wf_ml.seeds import rng

PARTS = ("train", "val", "test")
Ratios = Tuple[float, float, float]


@dataclass(frozen=True)
class Item:
    """A row to be put into one part."""

    key: str
    """Unique; the order of the given rows does not matter, only that of the keys."""
    group: str
    """What must not be torn apart, such as a patient. The key itself where nothing is."""
    label: Optional[str] = None
    """Its class, where the parts shall have the classes in the same proportions."""
    reject: Optional[str] = None
    """Why it is left out, if it is."""


@dataclass(frozen=True)
class Division:
    """Keys of the items in each part, sorted; `rejected` has the reasons of those that are in none."""

    train: List[str]
    val: List[str]
    test: List[str]
    rejected: Dict[str, str]

    def parts(self) -> Dict[str, List[str]]:
        return {"train": self.train, "val": self.val, "test": self.test}


def divide(items: Sequence[Item], ratios: Ratios = (0.7, 0.2, 0.1), seed: int = 0) -> Division:
    """Divides by whole groups, class by class. A ratio of 0 leaves its part empty; no other part is ever empty.

    A group with several classes counts as its most frequent one.
    """
    _check_ratios(ratios)
    keys = [item.key for item in items]
    if len(set(keys)) != len(keys):
        raise DataError("two rows have the same name", next(key for key in keys if keys.count(key) > 1))
    kept = sorted((item for item in items if item.reject is None), key=lambda item: item.key)
    if not kept:
        reason = f": {items[0].key} was left out since {items[0].reject}" if items else ""
        raise DataError(f"no row is left to be split{reason}")

    groups: Dict[str, List[Item]] = {}
    for item in kept:
        groups.setdefault(item.group, []).append(item)
    strata: Dict[Optional[str], List[str]] = {}
    for name in sorted(groups):
        strata.setdefault(_label_of(groups[name]), []).append(name)

    parts: Dict[str, List[str]] = {part: [] for part in PARTS}
    for label in sorted(strata, key=str):
        sizes = {name: len(groups[name]) for name in strata[label]}
        for name, part in _assign(sizes, ratios, seed, label).items():
            parts[part] += [item.key for item in groups[name]]
    rejected = {item.key: item.reject for item in items if item.reject is not None}
    return Division(sorted(parts["train"]), sorted(parts["val"]), sorted(parts["test"]), rejected)


def _check_ratios(ratios: Ratios) -> None:
    if len(ratios) != 3 or min(ratios) < 0 or abs(sum(ratios) - 1) > 1e-6 or ratios[0] == 0:
        raise DataError(f"the ratios {list(ratios)} are not three parts of 1", hint="for instance 0.7 0.2 0.1")


def _label_of(group: List[Item]) -> Optional[str]:
    labels = sorted(item.label for item in group if item.label is not None)
    return max(labels, key=labels.count) if labels else None


def _assign(sizes: Dict[str, int], ratios: Ratios, seed: int, label: Optional[str]) -> Dict[str, str]:
    """One group for each part first; then each goes where most rows are missing."""
    wanted = {part: ratio for part, ratio in zip(PARTS, ratios) if ratio > 0}
    names = list(sizes)
    if len(names) < len(wanted):
        of_class = "there are" if label is None else f'class "{label}" has'
        raise DataError(
            f"{of_class} only {len(names)} of the {len(wanted)} groups that {', '.join(wanted)} need",
            hint="a group is one patient, or one image where no patients are given: add more"
            + ("" if label is None else ", or leave the class out"),
        )
    order = [names[index] for index in rng(seed, "split", label).permutation(len(names))]
    total = sum(sizes.values())
    missing = {part: ratio * total for part, ratio in wanted.items()}
    assigned: Dict[str, str] = {}
    for position, name in enumerate(order):
        part = list(wanted)[position] if position < len(wanted) else max(missing, key=lambda part: missing[part])
        assigned[name] = part
        missing[part] -= sizes[name]
    return assigned
