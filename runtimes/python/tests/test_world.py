"""Trainings of several processes, each started as wf starts a rank."""

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest
import torch
from test_training import Stripes, small, stripes
from torch import nn

from wf_ml.errors import DataError, Unfinished
from wf_ml.seeds import prepare_torch
from wf_ml.training.loop import Tensors, _batches, fit
from wf_ml.training.settings import Settings
from wf_ml.training.world import World, alone, joined

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["wf_ml.training.loop"])


class Plain(Stripes):
    """Without noise: a batch has one gradient, however it is shared."""

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor:
        return nn.functional.cross_entropy(model(batch[0]), batch[1])


class Interrupted(Stripes):
    """The second process alone hears that the time is nearly up, in its sixth batch."""

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor:
        if self.calls == 5 and os.environ["WF_RANK"] == "1":
            os.kill(os.getpid(), signal.SIGUSR2)
        return super().loss(model, batch)


def plain() -> nn.Module:
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 2))


def train(epochs: int, *files: Path) -> Dict[str, Any]:
    """`files`: a checkpoint to write, and one to start from."""
    prepare_torch(7, threads=1)
    model, objective = (plain(), Plain()) if "PLAIN" in os.environ else (small(), Stripes())
    if "INTERRUPT" in os.environ:
        objective = Interrupted()
    settings = Settings(epochs=epochs, lr=0.01, batch=8, seed=3)
    with joined() as world:
        checkpoint, start = [*files, None, None][:2]
        try:
            trained = fit(model, objective, stripes(33, 1), stripes(20, 2), settings, {}, start, checkpoint, world)
        except Unfinished as unfinished:
            return {"unfinished": str(unfinished)}
    return {"history": trained.history, "sum": float(sum(w.double().sum() for w in model.parameters()))}


def _rank(said: Dict[str, str], printed: Any, epochs: int, files: Tuple[Path, ...]) -> None:
    os.environ.update(said)
    printed.send(train(epochs, *files))


def run(folder: Path, size: int, epochs: int, *files: Path, **more: str) -> List[Any]:
    """What each rank comes to. They are forked from a server that has imported torch once."""
    folder.mkdir()
    ranks = []
    for rank in range(size):
        said = {"WF_RANK": str(rank), "WF_WORLD_SIZE": str(size), "WF_RENDEZVOUS": str(folder / "rendezvous")}
        receiver, sender = SERVER.Pipe(duplex=False)
        told = {**said, "WF_METRICS": str(folder / f"{rank}.jsonl"), **more}
        process = SERVER.Process(target=_rank, args=(told, sender, epochs, files), daemon=True)
        process.start()
        sender.close()
        ranks.append((process, receiver))
    found = [receiver.recv() for _, receiver in ranks]
    for process, _ in ranks:
        process.join()
    return found


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


def test_all_stop_at_one_batch_when_one_hears_that_the_time_is_up_and_go_on_to_the_same_numbers(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", 2, 3, tmp_path / "whole.pt")[0]
    stopped = run(tmp_path / "half", 2, 3, tmp_path / "half.pt", INTERRUPT="1")
    assert stopped == [{"unfinished": "the time is up in epoch 2 of 3"}] * 2
    assert run(tmp_path / "rest", 2, 3, tmp_path / "half.pt") == [whole, whole]


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
