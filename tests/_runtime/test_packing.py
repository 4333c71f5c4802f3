"""Packed bodies are unpacked up to a limit; what is damaged or unknown is refused."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

import pytest

from tamis._runtime import packing
from tamis._runtime.packing import unpack, unpack_brotli
from tamis._runtime.storage import inflate
from tamis.errors import InputError

TEXT = b"A tamis is a sieve. " * 50
BARE = zlib.compressobj(wbits=-15)
PACKED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT[:500]) + gzip.compress(TEXT[500:]),
    "deflate": zlib.compress(TEXT),
    "deflate, bare": BARE.compress(TEXT) + BARE.flush(),
}


@pytest.mark.parametrize("name", PACKED)
def test_a_body_is_unpacked_up_to_the_limit_and_one_byte(name: str) -> None:
    coding = name.partition(",")[0]
    assert unpack(PACKED[name], coding, len(TEXT)) == TEXT
    assert unpack(PACKED[name], coding, len(TEXT) - 1) == TEXT
    assert unpack(PACKED[name], coding, 10) == TEXT[:11]


def test_a_damaged_body_is_refused() -> None:
    with pytest.raises(ValueError, match="damaged"):
        unpack(PACKED["gzip"][:10] + b"\xff" * 50, "gzip", 10_000)


def test_a_body_that_is_cut_off_is_read_as_far_as_it_is_there() -> None:
    assert TEXT.startswith(unpack(PACKED["gzip"][:-9], "gzip", 10_000))
    assert inflate(PACKED["gzip"][:-9], 10_000)[1] is False
    assert inflate(PACKED["gzip"], 10_000)[1] is True


def test_a_coding_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="coding compress is not known"):
        unpack(b"x", "compress", 10)


@pytest.mark.parametrize(("coding", "package"), [("br", "brotli"), ("zstd", "zstandard")])
def test_a_coding_of_an_extra_is_unpacked(coding: str, package: str) -> None:
    library: Any = pytest.importorskip(package)
    packed = library.compress(TEXT)
    assert unpack(packed, coding, len(TEXT)) == TEXT
    assert unpack(packed, coding, 10) == TEXT[:11]
    with pytest.raises(ValueError, match=r"damaged|cut off"):
        unpack(b"\xff" * 20, coding, 10_000)


def test_an_old_brotli_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        Decompressor = object

    monkeypatch.setattr(packing, "import_library", lambda *_: Old)
    with pytest.raises(InputError, match="newer package"):
        unpack_brotli(b"x", 10)
