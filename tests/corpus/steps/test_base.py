"""Rows in files: the same bytes for the same rows, whole or absent, and read back as they were."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import IO

import pytest

from tamis.corpus.files import Folder
from tamis.corpus.formats import OUTPUTS, parquet
from tamis.corpus.records import ON_REQUEST, USUAL, Reject, Row
from tamis.corpus.steps._base import open_rejects, open_sink, read_rows
from tamis.errors import InputError, OutputError

pytest.importorskip("pyarrow")
pytest.importorskip("zstandard")
warc = pytest.importorskip("fastwarc.warc")

import pyarrow.parquet as pq  # noqa: E402

ROWS = (
    Row(
        "<urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8>",
        "crawl-1.warc.gz",
        "https://example.org/etang?q=1",
        datetime(2024, 2, 29, 23, 59, 58, 120_000, tzinfo=UTC),
        title="Le héron de l'étang",
        authors=("Anne Roux", "นภา ใจดี"),
        published="2024-02-28",
        language="fr",
        page_type="article",
        overview=0.03125,
        probability=0.9,
        words=8,
        text="Le héron attend au bord de l'étang.\nIl est seul.",
        markdown="**Le héron** attend",
        html="<p>Le héron</p>",
        encoding="utf-8",
        site_pages=12,
    ),
    Row("pages/นก.html", "pages", text="นกกระสารอปลา\x00 \U0001f426", embedded="json-ld"),
    Row("3", "pages", url="", text=""),
)
READABLE = [name for name, format in OUTPUTS.items() if format.read]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(str(tmp_path))


def write(folder: Folder, format: str, rows: tuple[Row, ...] = ROWS, stem: str = "part-0") -> str:
    with open_sink(format, folder, stem, (*USUAL, *ON_REQUEST)) as opened:
        for row in rows:
            opened.write(row)
    content = folder.read(opened.file.name)
    assert content is not None
    assert opened.file.size == len(content)
    assert opened.file.digest == hashlib.blake2b(content, digest_size=16).hexdigest()
    return opened.file.name


@pytest.mark.parametrize("format", READABLE)
def test_rows_are_read_back_as_they_were(folder: Folder, format: str) -> None:
    assert tuple(read_rows(folder, write(folder, format))) == ROWS


@pytest.mark.parametrize("format", READABLE)
def test_a_shard_without_rows_is_a_file_all_the_same(folder: Folder, format: str) -> None:
    assert list(read_rows(folder, write(folder, format, ()))) == []


@pytest.mark.parametrize("format", OUTPUTS)
def test_the_same_rows_give_the_same_bytes_in_any_folder(tmp_path: Path, format: str) -> None:
    contents = set()
    for name in ("one", "two"):
        folder = Folder(str(tmp_path / name))
        contents.add(folder.read(write(folder, format)))
    assert len(contents) == 1


@pytest.mark.parametrize("format", OUTPUTS)
def test_after_an_exception_there_is_no_file(folder: Folder, format: str) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        open_sink(format, folder, "part-0", USUAL) as opened,
    ):
        opened.write(ROWS[0]._replace(words=1 // 0))
    assert folder._list_all("") == []


def full(path: str, mode: str) -> IO[bytes]:
    return open("/dev/full", "wb")


@pytest.mark.parametrize("format", OUTPUTS)
def test_a_full_disk_is_told_through_every_library(
    folder: Folder, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis._runtime.storage.open", full, raising=False)
    with (
        pytest.raises(OutputError, match=r"part-0.*no space left: free some and run"),
        open_sink(format, folder, "part-0", USUAL) as opened,
    ):
        opened.write(ROWS[0]._replace(text="x" * 100_000))
    assert folder._list_all("") == []


@pytest.mark.parametrize("format", OUTPUTS)
def test_lone_surrogates_are_replaced(folder: Folder, format: str) -> None:
    row = Row("\ud800", "s", authors=("A\udfff",), text="a\ud83d\udc26b\udc80 ü")
    name = write(folder, format, (row,))
    if format != "wet":
        assert list(read_rows(folder, name)) == [
            Row("\ufffd", "s", authors=("A\ufffd",), text="a\U0001f426b\ufffd ü")
        ]


@pytest.mark.parametrize("format", READABLE)
def test_a_text_of_a_million_characters_is_one_row(folder: Folder, format: str) -> None:
    row = ROWS[1]._replace(text="นกกระสา " * 125_000)
    assert list(read_rows(folder, write(folder, format, (row,)))) == [row]


@pytest.mark.parametrize("format", READABLE)
def test_columns_that_nobody_asked_for_are_not_there(folder: Folder, format: str) -> None:
    with open_sink(format, folder, "part-0", ("text", "id", "source")) as opened:
        opened.write(ROWS[0])
    (row,) = read_rows(folder, opened.file.name)
    assert row == Row(ROWS[0].id, ROWS[0].source, text=ROWS[0].text)


def test_an_unknown_format_or_column_is_one_line(folder: Folder) -> None:
    with pytest.raises(InputError, match="unknown format 'csv'; choose one of parquet, jsonl"):
        open_sink("csv", folder, "part-0", USUAL).__enter__()
    with pytest.raises(InputError, match="no column 'body'; there are id, source, url"):
        open_sink("jsonl", folder, "part-0", ("body",)).__enter__()
    assert folder._list_all("") == []


@pytest.mark.parametrize("format", READABLE)
def test_a_damaged_file_is_one_line(folder: Folder, format: str) -> None:
    name = write(folder, format)
    content = folder.read(name)
    assert content is not None
    with folder.open_writing(name) as file:
        half = len(content) // 2
        file.write(content[:half] + b"\xff" * 8 + content[half + 8 :])
    with pytest.raises(InputError, match=rf"{name}: damaged .* run the same command again"):
        list(read_rows(folder, name))


def test_a_missing_library_says_what_to_install(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"^parquet needs pyarrow: pip install 'tamis\[corpus\]'$"):
        open_sink("parquet", folder, "part-0", USUAL).__enter__()


# Parquet


def test_parquet_has_the_documented_columns(folder: Folder, tmp_path: Path) -> None:
    file = pq.ParquetFile(tmp_path / write(folder, "parquet"))
    page = Path(__file__).parents[3] / "docs" / "reference" / "corpus-rows.md"
    documented = re.findall(r"^\| `(\w+)` \| ([\w ]+?)(, or null)? \|", page.read_text(), re.M)
    types = {
        "text": "string",
        "texts": "list<element: string not null>",
        "whole number": "int64",
        "number": "double",
        "time": "timestamp[us, tz=UTC]",
    }
    assert [(name, types[kind], bool(null)) for name, kind, null in documented] == [
        (column.name, str(column.type), column.nullable) for column in file.schema_arrow
    ]
    assert file.schema_arrow.metadata[b"schema"] == b"1"


def test_row_groups_are_bounded_by_rows_and_by_bytes(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP_ROWS", 10)
    monkeypatch.setattr(parquet, "GROUP_BYTES", 3_000)
    small = tuple(Row(str(number), "s", text="x") for number in range(25))
    large = tuple(Row(str(number), "s", text="ü" * 800) for number in range(25, 30))
    name = write(folder, "parquet", small + large)
    about = pq.ParquetFile(tmp_path / name).metadata
    groups = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
    assert groups == [10, 10, 7, 2, 1]
    assert tuple(read_rows(folder, name)) == small + large


# JSON lines


def test_a_line_is_one_object_with_the_columns_in_order(folder: Folder, tmp_path: Path) -> None:
    lines = (tmp_path / write(folder, "jsonl")).read_bytes().splitlines()
    first = json.loads(lines[0])
    assert list(first) == list(Row._fields)
    assert first["fetched"] == "2024-02-29T23:59:58.120000Z"
    assert first["authors"] == ["Anne Roux", "นภา ใจดี"]
    assert first["text"] == ROWS[0].text
    assert json.loads(lines[1])["fetched"] is None
    assert len(lines) == 3


def test_times_are_written_in_utc(folder: Folder) -> None:
    noon = datetime(2024, 7, 1, 12, 0)
    eastern = noon.replace(tzinfo=timezone(timedelta(hours=7)))
    rows = tuple(Row("1", "s", fetched=time) for time in (noon, eastern))
    for format in READABLE:
        times = [row.fetched for row in read_rows(folder, write(folder, format, rows))]
        assert times == [noon.replace(tzinfo=UTC), datetime(2024, 7, 1, 5, 0, tzinfo=UTC)]


def test_rejects_are_lines_with_a_reason(folder: Folder, tmp_path: Path) -> None:
    with open_rejects(folder, "rejects/part-0") as (_, write_reject):
        write_reject(Reject("7", "https://example.org/a.pdf", "not html", "application/pdf"))
        write_reject(Reject("8\ud800", None, "short"))
    with gzip.open(tmp_path / "rejects" / "part-0.rejects.jsonl.gz", "rt") as lines:
        assert list(map(json.loads, lines)) == [
            {
                "id": "7",
                "url": "https://example.org/a.pdf",
                "reason": "not html",
                "detail": "application/pdf",
            },
            {"id": "8\ufffd", "url": None, "reason": "short", "detail": ""},
        ]


# WET


def test_wet_reads_as_a_warc_file_of_conversion_records(folder: Folder, tmp_path: Path) -> None:
    with open(tmp_path / write(folder, "wet"), "rb") as file:
        records = [
            (record.headers.asdict(), record.reader.read())
            for record in warc.ArchiveIterator(file, verify_digests=True)
        ]
    (about, _), (first, text), (second, _), (third, nothing) = records
    assert about["WARC-Type"] == "warcinfo"
    assert text.decode() == ROWS[0].text
    digest = base64.b32encode(hashlib.sha1(text).digest()).decode()
    assert first.pop("WARC-Record-ID").startswith("<urn:uuid:")
    assert first == {
        "WARC-Type": "conversion",
        "WARC-Date": "2024-02-29T23:59:58Z",
        "WARC-Target-URI": "https://example.org/etang?q=1",
        "WARC-Refers-To": ROWS[0].id,
        "WARC-Identified-Content-Language": "fr",
        "WARC-Block-Digest": f"sha1:{digest}",
        "Content-Type": "text/plain",
        "Content-Length": str(len(text)),
    }
    assert second["WARC-Target-URI"] == "file:pages/%E0%B8%99%E0%B8%81.html"
    assert second["WARC-Date"] == "1970-01-01T00:00:00Z"
    assert "WARC-Refers-To" not in second
    assert third["WARC-Target-URI"] == "file:3"
    assert nothing == b""
    assert (
        len({headers["WARC-Record-ID"] for headers, _ in records if "WARC-Record-ID" in headers})
        == 3
    )


def test_each_record_of_wet_is_a_gzip_member(folder: Folder, tmp_path: Path) -> None:
    content = (tmp_path / write(folder, "wet")).read_bytes()
    assert content.count(b"\x1f\x8b\x08\x00\x00\x00\x00\x00") == 1 + len(ROWS)


def test_an_address_cannot_add_headers_to_wet(folder: Folder, tmp_path: Path) -> None:
    row = Row("1", "s", url="https://example.org/a b\r\nWARC-Type: response\r\n\r\nx", text="y")
    lines = gzip.decompress((tmp_path / write(folder, "wet", (row,))).read_bytes()).decode()
    assert "https://example.org/a%20b%0D%0AWARC-Type:%20response%0D%0A%0D%0Ax\r\n" in lines
