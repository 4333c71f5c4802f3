"""From inputs to shards, and what is no input."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tamis.corpus.formats import read
from tamis.corpus.planning import plan_shards
from tamis.corpus.records import Columns, Shard
from tamis.errors import InputError

from .archives import LIMIT, gzip_member, http, names, page, record

ROWS = "".join(
    json.dumps({"html": page(f"Reiher {number}").decode()}) + "\n" for number in range(40)
)
MEMBERS = [gzip_member(record(number, http(page(f"Reiher {number}")))) for number in range(40)]


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.corpus.planning._LEAST", 2_000)


def planned(
    *inputs: object, columns: Columns | None = None, format: str | None = None
) -> list[Shard]:
    return plan_shards([str(source) for source in inputs], columns or Columns(), LIMIT, format)


def fill(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.html", "html"),
        ("A.HTM.GZ", "html"),
        ("a.xhtml", "html"),
        ("a.shtml", "html"),
        ("a.warc", "warc"),
        ("a.warc.gz", "warc"),
        ("a.warc.zst", "warc"),
        ("a.ndjson", "jsonl"),
    ],
)
def test_the_name_tells_the_format(tmp_path: Path, name: str, format: str) -> None:
    (tmp_path / name).write_bytes(b"")
    assert [shard.format for shard in planned(tmp_path / name)] == [format]
    assert [shard.format for shard in planned(tmp_path)] == [format]


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (MEMBERS[0], "warc"),
        (record(0, http(b"<p>")), "warc"),
        (ROWS.encode(), "jsonl"),
        (gzip.compress(ROWS.encode()), "jsonl"),
        (page("Reiher"), "html"),
        (gzip.compress(page("Reiher")), "html"),
    ],
)
def test_the_first_bytes_tell_the_format_if_the_name_does_not(
    tmp_path: Path, data: bytes, format: str
) -> None:
    (tmp_path / "export-2024.data").write_bytes(data)
    assert [shard.format for shard in planned(tmp_path / "export-2024.data")] == [format]
    assert [shard.format for shard in planned(tmp_path)] == [format]


def test_shards_are_numbered_over_all_inputs_in_order(tmp_path: Path, small_shards: None) -> None:
    crawl = b"".join(MEMBERS)
    folder = fill(tmp_path / "crawls", {"b.warc.gz": crawl, "a/c.warc.gz": crawl})
    fill(tmp_path, {"z.warc.gz": crawl})
    shards = planned(tmp_path / "z.warc.gz", folder)
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert list(dict.fromkeys(Path(shard.source).name for shard in shards)) == [
        "z.warc.gz",
        "c.warc.gz",
        "b.warc.gz",
    ]
    assert sum(shard.size for shard in shards) == 3 * len(crawl)


@pytest.mark.parametrize("name", ["a.warc.gz", "a.warc", "a.jsonl", "a.parquet"])
def test_a_large_file_is_cut_and_read_whole(tmp_path: Path, name: str, small_shards: None) -> None:
    path = tmp_path / name
    if name == "a.parquet":
        pages = [page(f"Reiher {number}") for number in range(40)]
        pq.write_table(pa.table({"html": pages}), path, row_group_size=4, compression="none")
    else:
        plain = b"".join(map(gzip.decompress, MEMBERS))
        data = {"a.warc.gz": b"".join(MEMBERS), "a.warc": plain, "a.jsonl": ROWS.encode()}
        path.write_bytes(data[name])
    shards = planned(path)
    assert len(shards) > 3
    ids = names([record for shard in shards for record in read(shard, Columns(), LIMIT)])
    assert len(ids) == len(set(ids)) == 40


def test_packed_lines_are_one_shard(tmp_path: Path, small_shards: None) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(ROWS.encode(), 0))
    assert len(planned(tmp_path / "a.jsonl.gz")) == 1


def test_a_folder_of_pages_becomes_runs_of_files(tmp_path: Path, small_shards: None) -> None:
    fill(tmp_path, {f"{number:02}.html": page(f"Reiher {number}") for number in range(40)})
    fill(tmp_path, {"style.css": "p {}", "Seite_files/ad.html": "<p>Kauf!"})
    shards = planned(tmp_path)
    assert len(shards) > 3
    assert [name for shard in shards for name in shard.files] == [
        f"{number:02}.html" for number in range(40)
    ]


def test_pages_given_one_by_one_share_a_shard(tmp_path: Path) -> None:
    fill(tmp_path, {"a/1.html": "<p>Ein", "b/1.html": "<p>Zwei"})
    (shard,) = planned(tmp_path / "b" / "1.html", tmp_path / "a" / "1.html")
    assert (shard.source, shard.files) == (str(tmp_path), ("b/1.html", "a/1.html"))
    assert names(list(read(shard, Columns(), LIMIT))) == ["b/1.html", "a/1.html"]


def test_the_plan_is_the_same_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, {"pages/1.html": "<p>Ein"})
    monkeypatch.chdir(tmp_path)
    assert planned("pages") == planned(tmp_path / "pages")


def test_a_chosen_format_takes_its_files_of_a_folder(tmp_path: Path) -> None:
    fill(tmp_path, {"a.html": "<p>Ein", "b.jsonl": ROWS, "c.data": MEMBERS[0]})
    assert [shard.format for shard in planned(tmp_path, format="jsonl")] == ["jsonl"]
    assert [shard.format for shard in planned(tmp_path / "c.data", format="warc")] == ["warc"]


def test_remote_inputs_are_read_through_fsspec(small_shards: None) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe({"/crawl/a.warc.gz": b"".join(MEMBERS), "/crawl/sub/b.warc.gz": MEMBERS[0]})
    memory.pipe({"/pages/1.html": page("Héron"), "/pages/sub/2.html": page("Étang")})
    try:
        shards = planned("memory://crawl")
        assert shards[-1].source == "memory://crawl/sub/b.warc.gz"
        records = [record for shard in shards for record in read(shard, Columns(), LIMIT)]
        assert names(records) == [*map(str, range(40)), "0"]
        (shard,) = planned("memory://pages")
        assert names(list(read(shard, Columns(), LIMIT))) == ["1.html", "sub/2.html"]
        assert planned("memory://pages/1.html")[0].files == ("1.html",)
        with pytest.raises(InputError, match="no such file"):
            planned("memory://gone.warc")
    finally:
        memory.rm("/crawl", recursive=True)
        memory.rm("/pages", recursive=True)


@pytest.mark.parametrize(
    ("files", "given", "message"),
    [
        ({}, "gone.warc", "gone.warc: no such file or folder; check the name"),
        ({}, ".", "no warc, jsonl, parquet, html file in this folder"),
        ({"a.css": "p {}"}, ".", "no warc, jsonl, parquet, html file in this folder"),
        (
            {"a.css": "p {}"},
            "a.css",
            "a.css: unknown format; tamis reads warc, jsonl",
        ),
        ({"a.html": "<p>", "b.warc": ""}, ".", "mixed formats: 1 warc, 1 html; read them in one"),
        ({"a.jsonl": '{"text": "x"}\n'}, "a.jsonl", "usual names of HTML; there are text"),
        ({"a.jsonl": "<p>\n"}, "a.jsonl", "its first lines are no JSON objects; is it JSONL?"),
        ({"a.parquet": "PAR1 is not enough"}, "a.parquet", "no Parquet file, or a damaged one"),
        ({}, "gopher://a.example/x.warc", "gopher"),
    ],
)
def test_what_is_no_input_is_one_line_that_says_why(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    given: str,
    message: str,
) -> None:
    monkeypatch.chdir(fill(tmp_path, files))
    with pytest.raises(InputError) as error:
        planned(given)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_inputs_of_two_formats_are_mixed(tmp_path: Path) -> None:
    fill(tmp_path, {"a.html": "<p>", "b.jsonl": ROWS})
    with pytest.raises(InputError, match="mixed formats: 1 jsonl, 1 html"):
        planned(tmp_path / "b.jsonl", tmp_path / "a.html")


@pytest.mark.parametrize("given", [[], [""]])
def test_no_input_is_an_error(given: list[str]) -> None:
    with pytest.raises(InputError):
        planned(*given)


def test_an_unknown_format_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="unknown format 'csv'; give one of warc, jsonl, parquet, html"
    ):
        planned(tmp_path, format="csv")


def test_a_missing_column_is_named_with_those_there_are(tmp_path: Path) -> None:
    fill(tmp_path, {"a.jsonl": ROWS})
    pq.write_table(pa.table({"html": ["<p>"], "n": [1]}), tmp_path / "b.parquet")
    for name, there in {"a.jsonl": "html", "b.parquet": "html, n"}.items():
        with pytest.raises(InputError, match=f"no column 'seite'; there are {there}$"):
            planned(tmp_path / name, columns=Columns(html="seite"))
        with pytest.raises(InputError, match="no column 'wo'"):
            planned(tmp_path / name, columns=Columns(url="wo"))
    with pytest.raises(InputError, match="column 'n' has int64, not text or bytes"):
        planned(tmp_path / "b.parquet", columns=Columns(html="n"))


def test_a_missing_library_is_named_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, {"a.warc.gz": MEMBERS[0]})
    (shard,) = planned(tmp_path)
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    with pytest.raises(InputError, match=r"needs fastwarc: pip install 'tamis\[corpus\]'"):
        list(read(shard, Columns(), LIMIT))


def test_a_first_line_that_is_damaged_does_not_hide_the_columns(tmp_path: Path) -> None:
    fill(tmp_path, {"a.jsonl": '{"html": "cu\n' + ROWS})
    assert len(planned(tmp_path / "a.jsonl")) == 1
