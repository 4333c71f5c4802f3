"""A page over a limit ends with an error that names the limit, before it takes the machine down."""

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
from tamis.errors import (
    DeadlineError,
    LimitError,
    NotHtmlError,
    TooDeepError,
    TooLargeError,
    TooManyNodesError,
)
from tamis.page.reader import find_kind

OVER = [
    (TooLargeError, "max_bytes", tamis.Options(max_bytes=10), "<p>one</p> two"),
    (TooManyNodesError, "max_nodes", tamis.Options(max_nodes=10), "<p>one" * 20),
    (TooDeepError, "max_depth", tamis.Options(max_depth=10), "<div>one" * 20),
    (DeadlineError, "max_seconds", tamis.Options(max_seconds=1e-12), "<p>one"),
    (DeadlineError, "max_seconds", tamis.Options(max_seconds=1e-9), "<p>one" * 100_000),
]


@pytest.mark.parametrize(("error", "limit", "options", "html"), OVER)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_limit_has_its_own_error_that_names_the_option(
    error: type[LimitError], limit: str, options: tamis.Options, html: str, as_bytes: bool
) -> None:
    page = html.encode() if as_bytes else html
    with pytest.raises(error, match=rf"Options\.{limit}\b"):
        tamis.parse(page, options=options)
    with pytest.raises(error, match=rf"Options\.{limit}\b"):
        tamis.extract(page, options=options)


def test_every_limit_is_a_tamis_error() -> None:
    for error in (TooLargeError, TooManyNodesError, TooDeepError, DeadlineError):
        assert issubclass(error, LimitError)
        assert issubclass(error, tamis.TamisError)


# Exactly at the limit


@pytest.mark.parametrize("page", ["é" * 10, ("é" * 10).encode(), bytearray(b"x" * 20)])
def test_bytes_are_counted_in_utf8(page: str | bytes) -> None:
    assert len(tamis.parse(page, options=tamis.Options(max_bytes=20)).source) == 20
    with pytest.raises(TooLargeError):
        tamis.parse(page, options=tamis.Options(max_bytes=19))


def test_a_page_that_grows_when_decoded_is_measured_after_it() -> None:
    page = ("é" * 10).encode("latin-1")
    with pytest.raises(TooLargeError):
        tamis.parse(
            page, options=tamis.Options(max_bytes=15), content_type="text/html; charset=latin1"
        )


def test_implied_elements_count_as_nodes() -> None:
    assert len(tamis.parse("<p>x", options=tamis.Options(max_nodes=4)).nodes) == 4
    with pytest.raises(TooManyNodesError):
        tamis.parse("<p>x", options=tamis.Options(max_nodes=3))


def test_an_empty_page_needs_three_nodes() -> None:
    assert len(tamis.parse("", options=tamis.Options(max_nodes=3)).nodes) == 3
    with pytest.raises(TooManyNodesError):
        tamis.parse("", options=tamis.Options(max_nodes=2))


def test_depth_is_the_number_of_open_elements() -> None:
    html = "<div>" * 10  # and html and body around them
    assert tamis.parse(html, options=tamis.Options(max_depth=12)).nodes.depth.max() == 11
    with pytest.raises(TooDeepError):
        tamis.parse(html, options=tamis.Options(max_depth=11))


def test_elements_side_by_side_are_not_deep() -> None:
    html = "<div>x</div><br><p>y<p>z" * 1000
    assert tamis.parse(html, options=tamis.Options(max_depth=3)).nodes.depth.max() == 2


# The clock


@pytest.mark.parametrize(
    "html",
    ["<p>one" * 200_000, "<br>" * 200_000, "</x>" * 200_000, "<!---->" * 200_000],
    ids=["paragraphs", "breaks", "end tags", "comments"],
)
def test_the_deadline_is_honoured_inside_the_scan(html: str) -> None:
    with pytest.raises(DeadlineError, match=r"at byte (\d+) of") as caught:
        tamis.parse(html, max_seconds=1e-12)
    place = int(str(caught.value).split("at byte ")[1].split()[0])
    assert place < len(html) // 2


def test_a_page_that_took_too_long_gives_no_result_even_if_it_was_read_before() -> None:
    page = tamis.parse("<p>one")
    with pytest.raises(DeadlineError, match=r"Options\.max_seconds"):
        tamis.extract(page, max_seconds=1e-12)


# Defaults


@pytest.mark.parametrize("tag", ["<div>", "<b>", "<table><td>", "<ul><li>", "<x-y>"])
def test_a_million_nested_tags_end_with_an_error(tag: str) -> None:
    with pytest.raises(TooDeepError):
        tamis.parse(tag * 1_000_000)


def test_a_million_nested_tags_can_be_read_if_allowed() -> None:
    options = tamis.Options(max_nodes=1_000_010, max_depth=1_000_010)
    page = tamis.parse("<div>" * 1_000_000 + "x", options=options)
    assert page.nodes.depth.max() == 1_000_001
    assert page.block_text(0) == "x"


def test_default_limits_let_a_large_page_pass() -> None:
    page = tamis.parse("<p>one <b>two</b></p>" * 100_000)
    assert len(page.blocks) == 100_000


def test_default_depth_lets_an_ugly_page_pass() -> None:
    depth = tamis.Options().max_depth
    assert depth >= 1_000
    assert tamis.parse("<div>" * (depth - 2) + "x").block_text(0) == "x"


@pytest.mark.parametrize("limit", ["max_bytes", "max_nodes", "max_depth", "max_seconds"])
def test_a_limit_may_be_as_large_as_one_likes(limit: str) -> None:
    assert tamis.parse("<p>x", options=tamis.Options(**{limit: 10**12})).block_text(0) == "x"


@pytest.mark.parametrize("limit", ["max_bytes", "max_nodes", "max_depth", "max_seconds"])
def test_a_limit_below_zero_is_refused(limit: str) -> None:
    with pytest.raises(tamis.OptionsError, match=f"{limit} is -1"):
        tamis.parse("<p>x", options=tamis.Options(**{limit: -1}))


def test_the_paths_of_a_deep_page_stay_short() -> None:
    blocks = tamis.extract("<div>" * 1900 + "<p>x" * 2000).blocks
    assert blocks[6].xpath == "(//p)[7]"


def test_comments_with_an_exclamation_mark_are_read_in_linear_time() -> None:
    # Searching the whole rest of the page for each of them took hours.
    page = tamis.parse(b"<!--x--!>" * 500_000 + b"end", options=tamis.Options(max_seconds=20))
    assert page.block_text(0) == "end"


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
