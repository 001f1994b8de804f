import os
import signal
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import pytest
import torch
from torch import nn

from wf_ml.errors import DataError, Unfinished
from wf_ml.seeds import prepare_torch
from wf_ml.training.loop import Tensors, Trained, fit
from wf_ml.training.settings import Settings


class Stripes:
    """Which of two directions a pattern has; `spoil` breaks the loss from that call on, and at `time_up` it is told so."""

    watch = "accuracy"

    def __init__(self, spoil: Optional[int] = None, time_up: Optional[int] = None) -> None:
        self.calls, self.spoil, self.time_up = 0, spoil, time_up

    def loss(self, model: nn.Module, batch: Tensors) -> torch.Tensor:
        self.calls += 1
        if self.calls == self.time_up:
            os.kill(os.getpid(), signal.SIGUSR2)
        noisy = batch[0] + 0.1 * torch.randn_like(batch[0])
        loss = nn.functional.cross_entropy(model(noisy), batch[1])
        return loss * float("nan") if self.spoil is not None and self.calls >= self.spoil else loss

    def scores(self, model: nn.Module, data: Tensors) -> Dict[str, float]:
        return {"accuracy": float((model(data[0]).argmax(dim=1) == data[1]).float().mean())}


def stripes(count: int, seed: int) -> Tensors:
    random = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, 2, (count,), generator=random)
    wave = torch.sin(torch.arange(8.0)).expand(count, 1, 8, 8)
    images = torch.where(labels[:, None, None, None] == 1, wave, wave.transpose(2, 3))
    return images + 1.5 * torch.randn(images.shape, generator=random), labels


def small() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.3), nn.Flatten(), nn.Linear(144, 2)
    )


def run(
    epochs: int,
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
    objective: Optional[Stripes] = None,
    **options: object,
) -> Tuple[Trained, nn.Module]:
    prepare_torch(7, threads=1)
    model = small()
    if start is not None:
        torch.rand(13)  # whoever goes on may have drawn before
    settings = Settings(epochs=epochs, lr=0.01, batch=8, seed=3, **options)  # type: ignore[arg-type]
    data, val = stripes(33, 1), stripes(20, 2)
    return fit(model, objective or Stripes(), data, val, settings, {"small": 1}, start, checkpoint), model


@pytest.mark.parametrize("stop_after", [1, 3])
@pytest.mark.parametrize("horizon", [None, 5])
def test_going_on_gives_bit_for_bit_an_unbroken_training(tmp_path: Path, stop_after: int, horizon: object) -> None:
    whole, model = run(5, checkpoint=tmp_path / "whole.pt", horizon=horizon)
    run(stop_after, checkpoint=tmp_path / "part.pt", horizon=horizon)
    rest, again = run(5, start=tmp_path / "part.pt", checkpoint=tmp_path / "rest.pt", horizon=horizon)
    assert rest == whole
    assert (tmp_path / "rest.pt").read_bytes() == (tmp_path / "whole.pt").read_bytes()
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))


@pytest.mark.parametrize("batches", [[1], [4], [5], [3, 2, 9]])
def test_a_training_that_is_told_to_leave_goes_on_bit_for_bit(tmp_path: Path, batches: List[int]) -> None:
    """An epoch has four batches; each number is the batch, counted within its slice, at which the time is up."""
    whole, model = run(5, checkpoint=tmp_path / "whole.pt")
    for time_up in batches:
        with pytest.raises(Unfinished, match="of 5"):
            run(5, checkpoint=tmp_path / "slices.pt", objective=Stripes(time_up=time_up))
    rest, again = run(5, checkpoint=tmp_path / "slices.pt")
    assert rest == whole
    assert (tmp_path / "slices.pt").read_bytes() == (tmp_path / "whole.pt").read_bytes()
    assert all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))


def test_a_training_that_is_told_in_its_last_batch_ends_as_ever(tmp_path: Path) -> None:
    whole, _ = run(2)
    told, _ = run(2, checkpoint=tmp_path / "told.pt", objective=Stripes(time_up=8))
    assert told == whole
    assert signal.getsignal(signal.SIGUSR2) == signal.SIG_DFL


def test_it_learns_and_the_seed_decides() -> None:
    trained, _ = run(8)
    assert trained.best["accuracy"] >= 0.8
    assert trained.best == max(trained.history, key=lambda epoch: epoch["accuracy"])
    assert run(2)[0].history == trained.history[:2]


def test_the_model_has_the_weights_of_the_best_epoch() -> None:
    trained, model = run(8)
    with torch.no_grad():
        assert Stripes().scores(model, stripes(20, 2))["accuracy"] == trained.best["accuracy"]


def test_patience_ends_it_and_going_on_does_not_begin_again(tmp_path: Path) -> None:
    trained, _ = run(60, checkpoint=tmp_path / "c.pt", patience=2)
    assert trained.is_stopped_early and len(trained.history) == trained.best_epoch + 2
    rest, _ = run(60, start=tmp_path / "c.pt", checkpoint=tmp_path / "d.pt", patience=2)
    assert rest.history == trained.history
    assert (tmp_path / "d.pt").read_bytes() == (tmp_path / "c.pt").read_bytes()


def test_a_loss_that_is_no_number_is_told_and_the_last_epoch_is_kept(tmp_path: Path) -> None:
    whole, _ = run(2, checkpoint=tmp_path / "whole.pt")
    with pytest.raises(DataError, match="the loss is nan in epoch 3, batch 2") as raised:
        run(5, checkpoint=tmp_path / "kept.pt", objective=Stripes(spoil=10))
    assert "learning rate (0.01)" in str(raised.value)
    assert (tmp_path / "kept.pt").read_bytes() == (tmp_path / "whole.pt").read_bytes()
    assert len(whole.history) == 2


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    run(1, checkpoint=tmp_path / "c.pt")
    with pytest.raises(DataError, match="trained with weight_decay 0.0, not 0.1"):
        run(2, start=tmp_path / "c.pt", weight_decay=0.1)
    (tmp_path / "c.pt").write_bytes(b"nothing")
    with pytest.raises(DataError, match="the checkpoint cannot be read"):
        run(2, start=tmp_path / "c.pt")


def test_settings_and_data_that_make_no_sense_are_refused() -> None:
    for wrong in ({"epochs": 0}, {"epochs": 1, "lr": 0.0}, {"epochs": 1, "batch": 0}):
        with pytest.raises(DataError):
            Settings(**wrong)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no validation data"):
        fit(small(), Stripes(), stripes(4, 1), stripes(0, 1), Settings(epochs=1))
