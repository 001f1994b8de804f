from pathlib import Path
from typing import Any, Dict

import pytest
import torch

from wf_ml.errors import DataError
from wf_ml.models.saved import NETWORKS, Saved, load_model, save_model
from wf_ml.tensor_file import load_tensors, save_tensors

CASES: Dict[str, Any] = {
    "unet": ({"width": 4, "levels": 2}, torch.zeros(2, 1, 16, 24), (2, 1, 16, 24)),
    "vgg": ({"classes": 5, "width": 4, "stages": 3}, torch.zeros(2, 3, 32, 32), (2, 5)),
    "resnet": ({"classes": 5, "width": 4}, torch.zeros(2, 3, 32, 32), (2, 5)),
    "bilstm": ({"vocabulary": 20, "classes": 3, "embedding": 4, "hidden": 4}, torch.ones(2, 7).long(), (2, 3)),
}


@pytest.mark.parametrize("network", sorted(NETWORKS))
def test_a_network_learns_and_comes_back_from_its_file(network: str, tmp_path: Path) -> None:
    build, given, shape = CASES[network]
    model = NETWORKS[network](**build)
    before = model(given)
    assert before.shape == shape
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    (before - 1).pow(2).mean().backward()
    assert all(weight.grad is not None for weight in model.parameters())
    optimizer.step()
    saved = Saved(network, build, model.state_dict(), {"lr": 0.25, "classes": ["a", "b"]})
    save_model(tmp_path / "model.pt", saved)
    again = load_model(tmp_path / "model.pt")
    assert (again.build, again.about) == (build, saved.about)
    assert torch.equal(again.model()(given), model.eval()(given))


def test_words_after_the_end_change_nothing() -> None:
    model = NETWORKS["bilstm"](**CASES["bilstm"][0]).eval()
    short, long = torch.tensor([[3, 4, 5]]), torch.tensor([[3, 4, 5, 0, 0]])
    assert torch.allclose(model(short), model(long))
    assert torch.isfinite(model(torch.zeros(1, 4).long())).all()


def test_equal_content_has_equal_bytes_wherever_it_is_written(tmp_path: Path) -> None:
    content = {"a": torch.arange(6.0).reshape(2, 3), "n": [1, 2.5, None, -3, "text", {4: True}]}
    save_tensors(tmp_path / "one.pt", content)
    save_tensors(tmp_path / "elsewhere" / "two.pt", content)
    assert (tmp_path / "one.pt").read_bytes() == (tmp_path / "elsewhere" / "two.pt").read_bytes()
    again = load_tensors(tmp_path / "one.pt", "it")
    assert again["n"] == content["n"] and torch.equal(again["a"], content["a"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "one.pt"]


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not there"):
        load_model(tmp_path / "absent.pt")
    (tmp_path / "text.pt").write_text("hello")
    with pytest.raises(DataError, match="cannot be read"):
        load_model(tmp_path / "text.pt")
    save_tensors(tmp_path / "other.pt", {"weights": {}})
    with pytest.raises(DataError, match="not a model"):
        load_model(tmp_path / "other.pt")
