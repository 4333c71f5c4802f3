"""Folders of pages, JSONL and Parquet as records."""

from __future__ import annotations

import gzip
import json
import lzma
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tamis.corpus.formats import read
from tamis.corpus.formats._base import parse_time
from tamis.corpus.planning import plan_shards
from tamis.corpus.records import Columns, Record, Reject, Shard
from tamis.errors import InputError
from tests.corpus.archives import LIMIT, page, reasons

BRIDGE = page("Die Brücke von Mostar").decode()
HERON = page("青鷺は池のほとりで待つ").decode()


def read_all(
    shards: list[Shard], columns: Columns | None = None, max_bytes: int = LIMIT
) -> list[Record | Reject]:
    return [record for shard in shards for record in read(shard, columns or Columns(), max_bytes)]


def read_file(
    path: Path, columns: Columns | None = None, max_bytes: int = LIMIT
) -> list[Record | Reject]:
    shards = plan_shards([str(path)], columns or Columns(), max_bytes)
    return read_all(shards, columns, max_bytes)


# Folders


def test_pages_of_a_folder_are_named_by_their_way_from_it(tmp_path: Path) -> None:
    (tmp_path / "a.example").mkdir()
    (tmp_path / "a.example" / "1.html").write_bytes(BRIDGE.encode())
    (tmp_path / "2.htm.gz").write_bytes(gzip.compress(HERON.encode()))
    assert read_file(tmp_path) == [
        Record("2.htm.gz", None, HERON.encode(), None, None),
        Record("a.example/1.html", None, BRIDGE.encode(), None, None),
    ]


def test_bad_pages_of_a_folder_are_refused_each(tmp_path: Path) -> None:
    packed = gzip.compress(HERON.encode())
    for name, data in {
        "bomb.html.gz": gzip.compress(b"x" * 20 * LIMIT),
        "corrupt.html.gz": packed[:20] + b"\xff" * 20 + packed[40:],
        "cut.html.gz": packed[:-20],
        "large.html": b"x" * (LIMIT + 1),
        "right.html": b"x" * LIMIT,
    }.items():
        (tmp_path / name).write_bytes(data)
    answers = read_file(tmp_path)
    assert reasons(answers) == ["too large", "damaged", "damaged", "too large"]
    assert isinstance(answers[-1], Record)


def test_a_page_that_vanishes_after_the_plan_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text(BRIDGE)
    shards = plan_shards([str(tmp_path)], Columns(), LIMIT)
    (tmp_path / "1.html").unlink()
    with pytest.raises(InputError, match=r"1\.html: no such file"):
        read_all(shards)


# JSONL


def write_lines(path: Path, rows: list[Any]) -> Path:
    text = "".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    pack: Any = {".gz": gzip.compress, ".xz": lzma.compress, ".zst": zstandard.compress}
    path.write_bytes(pack.get(path.suffix, bytes)(text.encode()))
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".jsonl.gz", ".jsonl.xz", ".jsonl.zst"])
def test_lines_are_pages(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"url": "https://a.example/1", "html": BRIDGE, "id": 7, "crawl_date": "2024-05-17"},
        {"url": None, "html": HERON},
    ]
    first, second = read_file(write_lines(tmp_path / f"pages{suffix}", rows))
    assert first == Record(
        "7",
        "https://a.example/1",
        BRIDGE.encode(),
        "text/html; charset=utf-8",
        datetime(2024, 5, 17, tzinfo=UTC),
    )
    assert second == Record(
        f"pages{suffix}:{len(json.dumps(rows[0])) + 1}",
        None,
        HERON.encode(),
        "text/html; charset=utf-8",
        None,
    )


def test_lines_that_are_no_page_are_refused_each(tmp_path: Path) -> None:
    rows = [
        {"html": BRIDGE},
        {"html": None},
        {"url": "https://a.example"},
        {"html": 5},
        "[1, 2]\n",
        '{"html": "cut\n',
        "[" * 100_000 + "\n",
        "\n",
        {"html": "x" * (LIMIT + 1)},
        '{"html": "' + "x" * 4 * LIMIT + '"}\n',
        {"html": "half a pair \ud83d"},
    ]
    answers = read_file(write_lines(tmp_path / "pages.jsonl", rows))
    damaged = ["damaged"] * 3
    assert reasons(answers) == ["no html"] * 3 + damaged + ["too large"] * 2
    assert isinstance(answers[-1], Record)
    assert answers[-1].body == b"half a pair ?"


def test_the_columns_are_those_asked_for(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", [{"html": "x", "seite": BRIDGE, "wo": "u", "nr": "n"}])
    (record,) = read_file(path, Columns(html="seite", url="wo", id="nr"))
    assert isinstance(record, Record)
    assert (record.id, record.url, record.body) == ("n", "u", BRIDGE.encode())


@pytest.mark.parametrize("suffix", [".jsonl.gz", ".jsonl.xz"])
def test_packed_lines_that_are_cut_off_give_all_before_and_tell_once(
    tmp_path: Path, suffix: str
) -> None:
    rows = [{"html": page(f"{number}", f"{number**9} " * 99).decode()} for number in range(300)]
    path = write_lines(tmp_path / f"pages{suffix}", rows)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    answers = read_file(path)
    assert 0 < len(answers) < 300
    assert reasons(answers) == ["damaged"]


@given(
    lines=st.lists(st.integers(0, 60) | st.just("\n") | st.just("broken\n"), max_size=15),
    cuts=st.lists(st.floats(0, 1), max_size=6),
    ending=st.booleans(),
)
def test_no_cut_loses_or_doubles_a_line(
    tmp_path_factory: pytest.TempPathFactory,
    lines: list[int | str],
    cuts: list[float],
    ending: bool,
) -> None:
    rows = [{"html": "é" * line} if isinstance(line, int) else line for line in lines]
    path = write_lines(tmp_path_factory.getbasetemp() / "cut.jsonl", rows)
    data = path.read_bytes() if ending else path.read_bytes().rstrip(b"\n")
    path.write_bytes(data)
    starts = sorted({0, *(int(cut * len(data)) for cut in cuts)})
    shards = [
        Shard(0, "jsonl", str(path), start, end)
        for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]
    whole = read_all([Shard(0, "jsonl", str(path))])
    assert len(whole) == sum(line != "\n" for line in lines)
    assert read_all(shards) == whole


# Parquet


def write_table(path: Path, columns: dict[str, Any], rows: int = 2) -> Path:
    pq.write_table(pa.table(columns), path, row_group_size=rows)
    return path


def test_rows_are_pages_of_text_or_bytes(tmp_path: Path) -> None:
    when = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
    columns = {"url": ["https://a.example/1", None, ""], "warc_date": [when, None, when]}
    for kind, content_type in {
        pa.string(): "text/html; charset=utf-8",
        pa.large_string(): "text/html; charset=utf-8",
        pa.dictionary(pa.int32(), pa.string()): "text/html; charset=utf-8",
        pa.binary(): None,
    }.items():
        pages = pa.array([BRIDGE, HERON, None]).cast(kind)
        records = read_file(write_table(tmp_path / "p.parquet", {"html": pages, **columns}))
        assert records == [
            Record("p.parquet:0", "https://a.example/1", BRIDGE.encode(), content_type, when),
            Record("p.parquet:1", None, HERON.encode(), content_type, None),
            Reject("p.parquet:2", None, "no html", ""),
        ]


def test_row_names_do_not_depend_on_the_cut(tmp_path: Path) -> None:
    pages = [f"<p>{number}" for number in range(11)]
    path = write_table(tmp_path / "p.parquet", {"content": pages})
    shards = [Shard(0, "parquet", str(path), at, at + 1) for at in range(6)]
    assert read_all(shards) == read_file(path)
    assert [record.id for record in read_all(shards)] == [
        f"p.parquet:{number}" for number in range(11)
    ]


def test_a_row_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = write_table(tmp_path / "p.parquet", {"html": ["x" * (LIMIT + 1), BRIDGE]})
    assert reasons(read_file(path)) == ["too large"]


def test_text_that_is_no_utf8_is_left_to_the_decoder(tmp_path: Path) -> None:
    latin = pa.array([b"<p>Br\xfccke"]).view(pa.string())
    (record,) = read_file(write_table(tmp_path / "p.parquet", {"html": latin, "url": latin}))
    assert isinstance(record, Record)
    assert (record.url, record.body) == (None, b"<p>Br\xfccke")


def test_a_damaged_row_group_costs_its_rows_only(tmp_path: Path) -> None:
    pages = [page(str(number)) for number in range(6)]
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table({"html": pages}), path, row_group_size=2, compression="zstd")
    chunk = pq.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    at = chunk.dictionary_page_offset or chunk.data_page_offset
    data[at : at + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
    path.write_bytes(data)
    answers = read_file(path)
    assert [answer.id for answer in answers if isinstance(answer, Record)] == [
        "p.parquet:0",
        "p.parquet:1",
        "p.parquet:4",
        "p.parquet:5",
    ]
    assert reasons(answers) == ["damaged"]


# Dates


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-17T08:30:00Z", datetime(2024, 5, 17, 8, 30, tzinfo=UTC)),
        ("2024-05-17T10:30:00+02:00", datetime(2024, 5, 17, 8, 30, tzinfo=UTC)),
        ("2024-05-17 08:30", datetime(2024, 5, 17, 8, 30, tzinfo=UTC)),
        (1715934600, datetime(2024, 5, 17, 8, 30, tzinfo=UTC)),
        ("1715934600", datetime(2024, 5, 17, 8, 30, tzinfo=UTC)),
        (1715934600000, datetime(2024, 5, 17, 8, 30, tzinfo=UTC)),
        (date(2024, 5, 17), datetime(2024, 5, 17, tzinfo=UTC)),
        ("gestern", None),
        ("", None),
        (float("nan"), None),
        (1e300, None),
        (None, None),
        ({}, None),
    ],
)
def test_dates_are_read_as_iso_8601_or_seconds(value: object, expected: datetime | None) -> None:
    assert parse_time(value) == expected
