"""What is no page is named, and what is a page in whatever dress is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sqlite3
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from struct import pack

import brotli
import numpy as np
import pytest
import zstandard

import tamis
from tamis.errors import NotHtmlError, TooLargeError
from tamis.page.decode.file_kinds import find_kind

PAGE = """<!doctype html><html lang="pl"><title>Młyn</title><nav><a href="/">Strona główna</a></nav>
<h1>Stary młyn nad rzeką</h1><p>Młyn stoi nad rzeką od trzystu lat i wciąż miele mąkę dla wsi.
<p>W niedziele można go zwiedzać, a młynarz pokazuje dzieciom, jak działają koła i kamienie."""
SENTENCE = "Młyn stoi nad rzeką od trzystu lat"


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("page.html", PAGE)
    return packed.getvalue()


def tape() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as file:
        file.addfile(tarfile.TarInfo("page.html"), io.BytesIO())
    return packed.getvalue()


def array() -> bytes:
    stored = io.BytesIO()
    np.save(stored, np.arange(100))
    return stored.getvalue()


def database(folder: Path) -> bytes:
    connection = sqlite3.connect(folder / "pages.db")
    connection.execute("create table pages (html text)")
    connection.close()
    return (folder / "pages.db").read_bytes()


NOISE = random.Random(18).randbytes(20_000)
OTHERS = {
    b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>": "a PDF document",
    b"\n%PDF-1.4\n": "a PDF document",
    b"{\\rtf1\\ansi\\deff0 {\\fonttbl": "an RTF document",
    b"%!PS-Adobe-3.0\n": "a PostScript document",
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR": "a PNG image",
    b"GIF89a\1\0\1\0": "a GIF image",
    b"\xff\xd8\xff\xe0\0\x10JFIF": "a JPEG image",
    b"RIFF\x24\0\0\0WEBPVP8 ": "a WebP image",
    b"\0\0\0\x20ftypisom\0\0\2\0": "a video or image in MP4",
    b"ID3\4\0\0\0\0\0#TSSE": "MP3 audio",
    b"wOF2\0\1\0\0": "a font",
    Path(sys.executable).resolve().read_bytes()[:5000]: "an ELF program",
    b"MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff": "a Windows program",
    archive(): "a zip archive, or an Office document",
    tape(): "a tar archive",
    bz2.compress(PAGE.encode()): "a bzip2 archive",
    lzma.compress(PAGE.encode()): "an xz archive",
    array(): "a NumPy array",
    b"WARC/1.0\r\nWARC-Type: response\r\n": "a WARC file, which `tamis corpus` reads",
    NOISE: "binary data",
    zlib.compress(PAGE.encode(), wbits=-15): "binary data",
    pack("<500I", *range(500)): "binary data",
    bytes(1000): "binary data",
}


@pytest.mark.parametrize(("body", "kind"), OTHERS.items(), ids=lambda value: repr(value)[:24])
def test_what_is_no_page_is_named(body: bytes, kind: str) -> None:
    assert find_kind(body) == kind
    with pytest.raises(NotHtmlError, match="not HTML \\(it looks like") as caught:
        tamis.extract(body)
    assert kind in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_database_is_no_page(tmp_path: Path) -> None:
    assert find_kind(database(tmp_path)) == "an SQLite database"


def test_what_is_no_page_is_no_page_among_many_either() -> None:
    text = NOISE.decode("latin-1")
    good, bad, given = tamis.extract_many([PAGE, (NOISE, "https://a.example/x"), text])
    assert isinstance(good, tamis.Result)
    assert isinstance(given, tamis.Result)
    assert given.text == tamis.extract(text).text
    assert isinstance(bad, NotHtmlError)
    assert bad.url == "https://a.example/x"


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b" ",
        b"plain words, no markup at all",
        "Żółć: plain words".encode("cp1250"),
        "雨が降る。".encode("iso2022_jp") * 20,
        PAGE.encode("utf-16"),
        PAGE.encode("utf-16-le"),
        ("words first, then markup " + PAGE).encode("utf-16-be"),
        b"\xef\xbb\xbf\n\n" + PAGE.encode(),
        b"\0\0\0" + PAGE.encode(),
        b"PK is short for a name, BM and MZ too",
        b"%PDF is a format; GIF8 is none; RIFF comes with a riff; BZh",
        b"{ rtf }",
        b"\x01\x02\x03\x04 " + PAGE.encode(),
        PAGE.encode() + NOISE,
    ],
    ids=lambda page: repr(page[:24]),
)
def test_what_may_be_a_page_is_read(page: bytes) -> None:
    assert find_kind(page) is None
    assert isinstance(tamis.extract(page), tamis.Result)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress, brotli.compress])
def test_a_packed_page_is_unpacked(compress: Callable[[bytes], bytes]) -> None:
    packed = compress(PAGE.encode())
    assert SENTENCE in tamis.extract(packed).text
    assert tamis.parse(packed).source == PAGE.encode()
    (result,) = tamis.extract_many([packed])
    assert isinstance(result, tamis.Result)
    assert SENTENCE in result.text


def test_packed_parts_are_one_page() -> None:
    half = len(PAGE) // 2
    for compress in (gzip.compress, zstandard.compress):
        parts = compress(PAGE[:half].encode()) + compress(PAGE[half:].encode())
        assert SENTENCE in tamis.extract(parts).text


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress, brotli.compress])
def test_a_page_that_swells_ends_at_the_limit(compress: Callable[[bytes], bytes]) -> None:
    bomb = compress(b"<p>" + b"boom " * 10_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(TooLargeError, match="max_bytes"):
        tamis.extract(bomb, max_bytes=1_000_000)


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress, brotli.compress])
def test_packed_noise_is_no_page(compress: Callable[[bytes], bytes]) -> None:
    with pytest.raises(NotHtmlError):
        tamis.extract(compress(NOISE))
    with pytest.raises(NotHtmlError, match=r"a PNG image|binary data"):
        tamis.extract(compress(b"\x89PNG\r\n\x1a\n" + NOISE))


def test_damaged_packing_says_so() -> None:
    for magic in (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"):
        with pytest.raises(NotHtmlError, match="damaged"):
            tamis.extract(magic + NOISE)


def test_a_gzip_that_was_cut_off_gives_what_is_there() -> None:
    packed = gzip.compress((PAGE + "<p>" + NOISE.hex()).encode())
    assert tamis.parse(packed[: len(packed) // 2]).source.startswith(PAGE.encode())


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("brotli", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    for packed in (zstandard.compress(PAGE.encode()), brotli.compress(PAGE.encode())):
        with pytest.raises(tamis.InputError, match=r"pip install 'tamis\[compression\]'"):
            tamis.extract(packed)
