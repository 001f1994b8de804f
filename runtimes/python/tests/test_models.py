import json
import random
import re
import struct
from pathlib import Path
from typing import Any, Dict

import pytest
import torch

from wf_ml import safetensors
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


class Evil:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self._path,)


@pytest.mark.parametrize("is_zip", [True, False])
def test_code_in_a_model_is_not_run(is_zip: bool, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    content = {"json": '["dict", []]', "tensors": [], "more": Evil(ran)}
    torch.save(content, tmp_path / "evil.pt", _use_new_zipfile_serialization=is_zip)
    with pytest.raises(DataError, match="could run code") as refused:
        load_model(tmp_path / "evil.pt")
    assert "train it again" in str(refused.value)
    assert not ran.exists()


def test_nothing_here_reads_what_could_run_code() -> None:
    sources = Path(safetensors.__file__).parent.rglob("*.py")
    readers = re.compile(r"\btorch\.load\b|\bpickle\b|\bmarshal\b|allow_pickle|\bjoblib\b|\bnp\.load\b")
    assert [path.name for path in sources if readers.search(path.read_text())] == []


DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16]
DTYPES += [torch.int8, torch.uint8, torch.bool]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (2, 3, 5)])
def test_tensors_of_every_type_and_shape_come_back(dtype: torch.dtype, shape: Any) -> None:
    tensor = (torch.rand(shape) * 100).to(dtype)
    [(name, again)] = safetensors.decode(safetensors.encode({"a": tensor}, {"b": "c"}))[0].items()
    assert (name, again.dtype, again.shape) == ("a", dtype, tensor.shape)
    assert torch.equal(again, tensor)


def header(content: bytes, **changes: Any) -> bytes:
    """The same file, with another description of its tensor."""
    (length,) = struct.unpack_from("<Q", content)
    described = json.loads(content[8 : 8 + length])
    described["a"].update(changes)
    text = json.dumps(described).encode()
    return struct.pack("<Q", len(text)) + text + content[8 + length :]


SOUND = safetensors.encode({"a": torch.arange(6.0)}, {})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        SOUND[:7],
        SOUND[:-1],
        SOUND + b"x",
        struct.pack("<Q", 2**63) + SOUND[8:],
        struct.pack("<Q", 10**6) + SOUND[8:],
        struct.pack("<Q", 2) + b"[]",
        struct.pack("<Q", 200_000) + b"[" * 200_000,
        SOUND[8:],
        header(SOUND, dtype="OBJECT"),
        header(SOUND, dtype=["F32"]),
        header(SOUND, shape=[2, 4]),
        header(SOUND, shape=[-2, -3]),
        header(SOUND, shape=[True, 6]),
        header(SOUND, shape=[2**62, 2**62, 0]),
        header(SOUND, shape=6),
        header(SOUND, data_offsets=[0, 25]),
        header(SOUND, data_offsets=[4, 28]),
        header(SOUND, data_offsets=[-24, 0]),
        header(SOUND, data_offsets=[24, 0]),
        header(SOUND, data_offsets=[0]),
        header(SOUND, more=1),
        struct.pack("<Q", 33) + b'{"__metadata__":{"a":1}}         ',
        struct.pack("<Q", 9) + b'{"a":{},"',
        safetensors.encode({"a": torch.arange(3)}, {}).replace(b'"a"', b'"__metadata__"'),
        safetensors.encode({"a": torch.ones(2), "b": torch.ones(2)}, {}).replace(b'"b"', b'"a"'),
        safetensors.encode({"a": torch.ones(2), "b": torch.ones(2)}, {}).replace(b"[8,16]", b"[0,8] "),
        safetensors.encode({"a": torch.ones(1).bool()}, {})[:-1] + b"\x02",
    ],
)
def test_what_is_no_safetensors_file_is_refused(content: bytes) -> None:
    with pytest.raises(safetensors.FormatError):
        safetensors.decode(content)


def test_damaged_files_are_read_or_refused_and_nothing_else(tmp_path: Path) -> None:
    """Bytes and words of a model are changed at random, with fixed seeds."""
    build = CASES["vgg"][0]
    path = tmp_path / "model.safetensors"
    weights = {"a": torch.ones(2, 3), "b": torch.arange(4)}
    save_model(path, Saved("vgg", build, weights, {"lr": 0.5, "x": [None, {1: 2}]}))
    sound = path.read_bytes()
    words = [b"[", b"]", b"{", b'"', b"0", b"-1", b"1e999", b"9" * 20, b"null", b'"dict"', b'"tensor"', b"\xff", b""]
    refused = 0
    for seed in range(3000):
        dice = random.Random(seed)
        damaged = bytearray(sound)
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(damaged))
            word = dice.choice(words) if dice.random() < 0.5 else bytes([dice.randrange(256)])
            damaged[at : at + dice.randint(0, 6)] = word
        path.write_bytes(damaged)
        try:
            load_model(path)
        except DataError:
            refused += 1
    assert refused > 1500


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not there"):
        load_model(tmp_path / "absent.pt")
    (tmp_path / "text.pt").write_text("hello")
    with pytest.raises(DataError, match="cannot be read"):
        load_model(tmp_path / "text.pt")
    save_tensors(tmp_path / "other.pt", {"weights": {}})
    with pytest.raises(DataError, match="not a model"):
        load_model(tmp_path / "other.pt")
    save_model(tmp_path / "unknown.pt", Saved("os.system", {}, {}))
    with pytest.raises(DataError, match="does not have"):
        load_model(tmp_path / "unknown.pt")
