"""Makes pictures of galaxies in class folders, as unbalanced as the classes of Galaxy Zoo."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Optional, Sequence, Tuple

from wf_ml import command, parallel, seeds
from wf_ml.errors import DataError
from wf_ml.galaxy.scene import photograph
from wf_ml.galaxy.shapes import PAINTERS
from wf_ml.images import write_png
from wf_ml.log import log

SIZE = 96
LEAST = 10

#: How many images each class has in the public set of 28,793.
REAL_COUNTS: Dict[str, int] = dict(zip(PAINTERS, (8436, 8069, 579, 3903, 7806)))


def counts_of(total: int) -> Dict[str, int]:
    """The real proportions for another total; no class is smaller than can be split."""
    share = total / sum(REAL_COUNTS.values())
    return {label: max(LEAST, round(count * share)) for label, count in REAL_COUNTS.items()}


def _make(job: Tuple[Path, int, str, int, int]) -> None:
    out, seed, label, number, size = job
    picture = photograph(seeds.rng(seed, label, number), label, size)
    write_png(out / label / f"{label[0]}{number:05d}.png", picture)


def generate(out: Path, total: int, seed: int, size: int = SIZE, workers: int = 1) -> Dict[str, int]:
    if total < 1 or size < 32:
        raise DataError(f"{total} images of {size} pixels cannot be made", hint="at least 1 and 32")
    counts = counts_of(total)
    jobs = [(out, seed, label, number, size) for label, count in counts.items() for number in range(count)]
    parallel.each(_make, jobs, workers)
    return counts


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="where the class folders are written")
    parser.add_argument("--images", type=int, default=2000, help="about how many in all")
    parser.add_argument("--size", type=int, default=SIZE, help="pixels along a side")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1, help="processes; they change no pixel")
    given = parser.parse_args(argv)
    counts = generate(given.out, given.images, given.seed, given.size, given.workers)
    log(images=sum(counts.values()))
    for label, count in counts.items():
        print(f"{count:6d}  {label}")


if __name__ == "__main__":
    command.run(main)
