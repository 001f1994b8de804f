"""Writes pictures as PNG files: rows of red, green and blue, packed by zlib."""

import struct
import zlib


def write_png(path, rows):
    """`rows`: one bytes-like object a row, three bytes a pixel."""
    height, width = len(rows), len(rows[0]) // 3
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        _chunk(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        _chunk(file, b"IDAT", zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9))
        _chunk(file, b"IEND", b"")


def _chunk(file, kind, content):
    file.write(struct.pack(">I", len(content)) + kind + content)
    file.write(struct.pack(">I", zlib.crc32(kind + content)))
