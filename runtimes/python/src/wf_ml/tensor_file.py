"""Tensors and plain data in one file that is read without running code from it.

The plain data are JSON inside, because torch 1.13 reads no floating-point number where it runs no code. Equal content
has equal bytes.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, List

import torch

from wf_ml.atomic import write_bytes
from wf_ml.errors import DataError


def save_tensors(path: Path, content: Any) -> None:
    """`content` is made of dicts, lists, numbers, texts and tensors."""
    tensors: List[torch.Tensor] = []
    text = json.dumps(_pack(content, tensors))
    buffer = io.BytesIO()  # given a file, torch would write its name into it
    torch.save({"json": text, "tensors": tensors}, buffer)
    write_bytes(path, buffer.getvalue())


def load_tensors(path: Path, what: str) -> Any:
    """What was saved. `what` names it in errors."""
    if not path.is_file():
        raise DataError(f"{what} is not there", path)
    try:
        stored = torch.load(path, map_location="cpu", weights_only=True)
        return _unpack(json.loads(stored["json"]), stored["tensors"])
    except Exception as error:  # torch has no error of its own for a file that is broken, or not of its making
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise DataError(f"{what} cannot be read ({reason})", path) from error


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


def _unpack(value: Any, tensors: List[torch.Tensor]) -> Any:
    if not isinstance(value, list):
        return value
    kind, content = value
    if kind == "tensor":
        return tensors[content]
    if kind == "dict":
        return {key: _unpack(item, tensors) for key, item in content}
    return [_unpack(item, tensors) for item in content]
