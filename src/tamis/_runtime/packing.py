"""What is packed, by the names that HTTP has for it, unpacked up to a limit."""

from __future__ import annotations

import zlib
from typing import Any

from tamis._runtime.libraries import import_library
from tamis._runtime.storage import inflate
from tamis.errors import InputError

EXTRA = "compression"
"""The extra of `pip install` with the packages for zstd and brotli."""

# What the command `zstd` reads without being asked to; more than any HTTP server may send.
_ZSTD_WINDOW = 1 << 27


def unpack(data: bytes, coding: str, limit: int) -> bytes:
    """What `coding` packed, as far as it is there: at most `limit` bytes and one more.

    A `ValueError` if it is damaged or of no known coding, an `InputError` if a package is missing.
    """
    if coding in ("gzip", "x-gzip", "deflate"):
        # Some servers send bare deflate, whose first byte is no zlib header.
        window = -15 if coding == "deflate" and data[:1] and data[0] & 15 != 8 else 47
        try:
            return inflate(data, limit, window)[0]
        except zlib.error as error:
            raise ValueError(f"the compressed body is damaged ({error})") from error
    if coding == "zstd":
        return _unpack_zstd(data, limit)
    if coding == "br":
        return unpack_brotli(data, limit)[0]
    raise ValueError(f"the coding {coding} is not known")


def _unpack_zstd(data: bytes, limit: int) -> bytes:
    zstandard = import_library("zstandard", "zstd", EXTRA)
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    reader = decompressor.stream_reader(data, read_across_frames=True)
    try:
        unpacked: bytes = reader.read(limit + 1)
    except zstandard.ZstdError as error:
        raise ValueError(f"the compressed body is damaged ({error})") from error
    return unpacked


def unpack_brotli(data: bytes, limit: int) -> tuple[bytes, bool]:
    """As `unpack`, and whether the end was there: brotli has no first bytes to know it by."""
    package = import_library("brotli", "brotli", EXTRA)
    decompressor: Any = package.Decompressor()
    if not hasattr(decompressor, "can_accept_more_data"):
        raise InputError(f"brotli needs a newer package: pip install 'tamis[{EXTRA}]'")
    parts: list[bytes] = []
    left = limit + 1
    try:
        while left > 0 and not decompressor.is_finished():
            parts.append(decompressor.process(data, output_buffer_limit=left))
            data = b""
            left -= len(parts[-1])
            if not parts[-1] and decompressor.can_accept_more_data():
                break
    except package.error as error:
        raise ValueError(f"the compressed body is damaged ({error})") from error
    if not any(parts) and not decompressor.is_finished():
        raise ValueError("the compressed body is cut off")
    return b"".join(parts)[: limit + 1], decompressor.is_finished()
