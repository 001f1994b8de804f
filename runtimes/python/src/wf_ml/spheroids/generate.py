"""Makes images of droplets with spheroids, and the masks of the spheroids, as a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import List, Optional, Sequence, Tuple

from wf_ml import command, parallel, rows, seeds
from wf_ml.errors import DataError
from wf_ml.images import write_png
from wf_ml.log import log
from wf_ml.spheroids.scene import SIZE, scene


def _make(job: Tuple[Path, int, int, int, bool]) -> rows.Row:
    out, seed, number, size, with_mask = job
    image, mask, count = scene(seeds.rng(seed, "droplet", number), size)
    name = f"d{number:05d}.png"
    write_png(out / "image" / name, image)
    if with_mask:
        write_png(out / "mask" / name, mask)
    return {"image": out / "image" / name, **({"mask": out / "mask" / name} if with_mask else {}), "count": count}


def generate(
    out: Path, images: int, seed: int, size: int = SIZE, workers: int = 1, with_masks: bool = True
) -> List[rows.Row]:
    if images < 1 or size < 64 or size % 8:
        raise DataError(
            f"{images} images of {size} pixels cannot be made", hint="at least 1, and a multiple of 8 from 64 on"
        )
    made = parallel.each(_make, [(out, seed, number, size, with_masks) for number in range(images)], workers)
    rows.write_rows(out, made)
    return made


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--out", type=Path, required=True, help="the dataset: image, mask, count")
    parser.add_argument("--images", type=int, default=600)
    parser.add_argument("--size", type=int, default=SIZE, help="pixels along a side")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1, help="processes; they change no pixel")
    parser.add_argument("--without-masks", action="store_true", help="images as they come from a microscope")
    given = parser.parse_args(argv)
    made = generate(given.out, given.images, given.seed, given.size, given.workers, not given.without_masks)
    log(images=len(made), spheroids=sum(row["count"] for row in made))
    print(f"{len(made)} images with {sum(row['count'] for row in made)} spheroids")


if __name__ == "__main__":
    command.run(main)
