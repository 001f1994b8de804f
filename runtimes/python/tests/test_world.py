"""Trainings of several processes, each started as wf starts a rank."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest
import torch
from torch import nn

from tests.test_training import Stripes, small, stripes
from wf_ml.errors import DataError
from wf_ml.seeds import prepare_torch
from wf_ml.training.loop import Tensors, _batches, fit
from wf_ml.training.settings import Settings
from wf_ml.training.world import World, alone

ROOT = Path(__file__).parent.parent
TRAIN = """
import json, sys
from pathlib import Path
from tests.test_world import train
print(json.dumps(train(int(sys.argv[1]), *map(Path, sys.argv[2:]))))
"""


class Plain(Stripes):
    """Without noise: a batch has one gradient, however it is shared."""

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor:
        return nn.functional.cross_entropy(model(batch[0]), batch[1])


def plain() -> nn.Module:
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2))


def train(epochs: int, *files: Path) -> Dict[str, Any]:
    """`files`: a checkpoint to write, and one to start from."""
    from wf_ml.training.world import joined

    prepare_torch(7, threads=1)
    model, objective = (plain(), Plain()) if "PLAIN" in os.environ else (small(), Stripes())
    settings = Settings(epochs=epochs, lr=0.01, batch=8, seed=3)
    with joined() as world:
        checkpoint, start = [*files, None, None][:2]
        trained = fit(model, objective, stripes(33, 1), stripes(20, 2), settings, {}, start, checkpoint, world)
    return {"history": trained.history, "sum": float(sum(w.double().sum() for w in model.parameters()))}


def run(folder: Path, size: int, *arguments: object, **more: str) -> List[Any]:
    """What each rank printed."""
    folder.mkdir()
    processes = []
    for rank in range(size):
        said = {"WF_RANK": str(rank), "WF_WORLD_SIZE": str(size), "WF_RENDEZVOUS": str(folder / "rendezvous")}
        processes.append(
            subprocess.Popen(
                [sys.executable, "-c", TRAIN, *map(str, arguments)],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": "src:.", "WF_METRICS": str(folder / f"{rank}.jsonl"), **said, **more},
                stdout=subprocess.PIPE,
            )
        )
    printed = [process.communicate(timeout=120)[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0] * size
    return [json.loads(text.splitlines()[-1]) for text in printed]


def test_processes_agree_repeat_exactly_and_the_first_speaks(tmp_path: Path) -> None:
    first, second = run(tmp_path / "a", 2, 2)
    assert first == second
    assert run(tmp_path / "b", 2, 2)[0] == first
    assert (tmp_path / "a" / "0.jsonl").read_text().count("accuracy") == 2
    assert not (tmp_path / "a" / "1.jsonl").exists()


def test_processes_take_the_steps_that_one_would_take(tmp_path: Path) -> None:
    together = run(tmp_path / "a", 3, 3, PLAIN="1")[0]["history"]
    one = run(tmp_path / "b", 1, 3, PLAIN="1")[0]["history"]
    for ours, theirs in zip(together, one):
        assert ours == pytest.approx(theirs, rel=1e-4)


def test_going_on_from_a_checkpoint_gives_the_numbers_of_a_training_that_never_stopped(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", 2, 3)[0]
    run(tmp_path / "half", 2, 1, tmp_path / "half.pt")
    assert run(tmp_path / "rest", 2, 3, tmp_path / "rest.pt", tmp_path / "half.pt")[0] == whole
    with pytest.raises(DataError, match="processes 2"):
        train(3, tmp_path / "other.pt", tmp_path / "half.pt")


def test_every_image_is_in_the_share_of_one_process_and_nobody_is_left_without() -> None:
    worlds = [World(rank, 3, torch.device("cpu")) for rank in range(3)]
    for count in (6, 13, 25, 30):
        batches = _batches(count, 12, 3)
        shares = [world.share(batch) for batch in batches for world in worlds]
        assert sorted(int(index) for share in shares for index in share) == list(range(count))
        assert min(map(len, shares)) >= 1
        for batch in batches:
            weights = [world.weight(len(world.share(batch)), len(batch)) for world in worlds]
            assert sum(weights) == pytest.approx(3)


def test_more_processes_than_a_batch_has_images_are_refused() -> None:
    with pytest.raises(DataError, match="4 processes cannot share batches of 3 from 33 images"):
        World(0, 4, torch.device("cpu")).refuse_unless_divisible(33, 3)


def test_one_process_needs_nobody() -> None:
    world = alone()
    assert (world.rank, world.size, world.total(2.5), world.agreed({"a": 1.0})) == (0, 1, 2.5, {"a": 1.0})
    assert world.is_first
