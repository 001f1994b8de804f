"""Tensors and plain data in one file, a safetensors file: reading it runs no code, whoever wrote it.

PyTorch's own files hold a program that builds what was saved. `weights_only=True` restricts it, and was got around.
The plain data are JSON in the metadata, where tensors stand by their number. Equal content has equal bytes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import torch

from wf_ml import safetensors
from wf_ml.atomic import write_bytes
from wf_ml.errors import DataError

_CONTENT = "wf_ml"
_PYTORCH_STARTS = (b"PK\x03\x04", b"\x80\x02")


def save_tensors(path: Path, content: Any) -> None:
    """`content` is made of dicts, lists, numbers, texts and tensors."""
    tensors: List[torch.Tensor] = []
    text = json.dumps(_pack(content, tensors))
    named = {str(number): tensor for number, tensor in enumerate(tensors)}
    write_bytes(path, safetensors.encode(named, {_CONTENT: text}))


def load_tensors(path: Path, what: str) -> Any:
    """What was saved. `what` names it in errors."""
    if not path.is_file():
        raise DataError(f"{what} is not there", path)
    content = path.read_bytes()
    if content.startswith(_PYTORCH_STARTS):
        raise DataError(
            f"{what} is a file of PyTorch's own, which could run code when it is read",
            path,
            "train it again: models and checkpoints are safetensors files now",
        )
    try:
        tensors, metadata = safetensors.decode(content)
        if _CONTENT not in metadata:
            raise safetensors.FormatError("it was not saved by wf-ml")
        return _unpack(json.loads(metadata[_CONTENT]), tensors)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{what} cannot be read ({error})", path) from error


def _pack(value: Any, tensors: List[torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        # The layout is left behind: it is how one machine computes, and no part of the numbers.
        tensors.append(value.detach().cpu().contiguous())
        return ["tensor", len(tensors) - 1]
    if isinstance(value, dict):
        return ["dict", [[key, _pack(item, tensors)] for key, item in value.items()]]
    if isinstance(value, (list, tuple)):
        return ["list", [_pack(item, tensors) for item in value]]
    return value


def _unpack(value: Any, tensors: Dict[str, torch.Tensor]) -> Any:
    if not isinstance(value, (list, dict)):
        return value
    if isinstance(value, dict) or len(value) != 2:
        raise safetensors.FormatError("its content has another form")
    kind, content = value
    if kind == "tensor" and type(content) is int and str(content) in tensors:
        return tensors[str(content)]
    if kind == "list" and isinstance(content, list):
        return [_unpack(item, tensors) for item in content]
    if kind == "dict" and isinstance(content, list) and all(_is_entry(item) for item in content):
        return {key: _unpack(item, tensors) for key, item in content}
    raise safetensors.FormatError("its content has another form")


def _is_entry(item: Any) -> bool:
    return isinstance(item, list) and len(item) == 2 and not isinstance(item[0], (list, dict))
