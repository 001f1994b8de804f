"""The safetensors format: tensors by name, and text about them, in a file that holds nothing that could be run.

Eight bytes say how long the header is; the header is JSON, with the type, the shape and the place of every tensor; then
come their bytes, little-endian, one after another. A file is read only if all of that is so, to the last byte.
"""

from __future__ import annotations

import json
import math
import struct
import sys
from typing import Any, Dict, List, Mapping, Tuple

import torch

_LENGTH = struct.Struct("<Q")
_MOST_HEADER_BYTES = 100_000_000
_ALIGNMENT = 8
_METADATA = "__metadata__"
_DTYPES: Mapping[str, torch.dtype] = {
    "F64": torch.float64,
    "F32": torch.float32,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I64": torch.int64,
    "I32": torch.int32,
    "I16": torch.int16,
    "I8": torch.int8,
    "U8": torch.uint8,
    "BOOL": torch.bool,
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


class FormatError(ValueError):
    """Why it is no file of this format."""


def encode(tensors: Mapping[str, torch.Tensor], metadata: Mapping[str, str]) -> bytes:
    header: Dict[str, Any] = {_METADATA: dict(metadata)}
    pieces: List[bytes] = []
    end = 0
    for name, tensor in tensors.items():
        if tensor.dtype not in _NAMES:
            raise FormatError(f"{name} has the type {tensor.dtype}, which the format does not have")
        pieces.append(_bytes_of(tensor))
        begin, end = end, end + len(pieces[-1])
        header[name] = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % _ALIGNMENT)
    return b"".join([_LENGTH.pack(len(text)), text, *pieces])


def decode(content: bytes) -> Tuple[Dict[str, torch.Tensor], Dict[str, str]]:
    """The tensors and the metadata. Raises FormatError for anything else."""
    header, data = _split(content)
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(text, str) for text in metadata.values()):
        raise FormatError("its metadata are not texts")
    entries = {name: _entry(name, described) for name, described in header.items()}
    reached = 0
    for name, (dtype, shape, begin, end) in sorted(entries.items(), key=lambda item: item[1][2:]):
        if begin != reached:
            raise FormatError(f"{name} does not begin where what is before it ends")
        reached = end
    if reached != len(data):
        raise FormatError(f"it has {len(data)} bytes of data, and says {reached}")
    return {name: _tensor(data, *entry) for name, entry in entries.items()}, metadata


def _split(content: bytes) -> Tuple[Dict[str, Any], memoryview]:
    if len(content) < _LENGTH.size:
        raise FormatError("it is too short")
    (length,) = _LENGTH.unpack_from(content)
    if length > min(_MOST_HEADER_BYTES, len(content) - _LENGTH.size):
        raise FormatError("its header would be longer than the file")
    data = memoryview(content)[_LENGTH.size :]
    try:
        header = json.loads(bytes(data[:length]).decode("utf-8"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"its header is no JSON ({error})") from error
    if not isinstance(header, dict):
        raise FormatError("its header is no object")
    return header, data[length:]


def _once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise FormatError("it names something twice")
    return found


def _entry(name: str, described: Any) -> Tuple[torch.dtype, List[int], int, int]:
    if not isinstance(described, dict) or set(described) != {"dtype", "shape", "data_offsets"}:
        raise FormatError(f"{name} is described wrongly")
    dtype, shape, offsets = described["dtype"], described["shape"], described["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _DTYPES:
        raise FormatError(f"{name} has an unknown type")
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2:
        raise FormatError(f"{name} has no shape or place")
    begin, end = offsets
    if end - begin != math.prod(shape) * _size_of(_DTYPES[dtype]):
        raise FormatError(f"{name} has not as many bytes as its shape says")
    return _DTYPES[dtype], shape, begin, end


def _are_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(type(size) is int and 0 <= size < 2**63 for size in value)


def _size_of(dtype: torch.dtype) -> int:
    return torch.empty(0, dtype=dtype).element_size()


def _tensor(data: memoryview, dtype: torch.dtype, shape: List[int], begin: int, end: int) -> torch.Tensor:
    if begin == end:
        return torch.empty(shape, dtype=dtype)
    if dtype is torch.bool and max(data[begin:end]) > 1:
        raise FormatError("a truth value is neither 0 nor 1")
    return torch.frombuffer(_little_endian(bytearray(data[begin:end]), dtype), dtype=dtype).reshape(shape)


def _bytes_of(tensor: torch.Tensor) -> bytes:
    flat = tensor.detach().cpu().contiguous().reshape(-1)
    if flat.numel() == 0:
        return b""
    return bytes(_little_endian(bytearray(flat.view(torch.uint8).numpy().tobytes()), tensor.dtype))


def _little_endian(content: bytearray, dtype: torch.dtype) -> bytearray:
    """From this machine's order of bytes, or back."""
    size = _size_of(dtype)
    if sys.byteorder == "big" and size > 1:
        for at in range(0, len(content), size):
            content[at : at + size] = content[at : at + size][::-1]
    return content
