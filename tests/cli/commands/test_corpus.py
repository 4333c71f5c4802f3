"""`tamis corpus`: whole runs from the command line, and every way to call it wrongly."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests import needs
from tests.corpus.crawls import write_crawl, write_warc
from tests.servers import serving

import tamis
from tamis.cli import main
from tamis.describe.types import page_type
from tamis.model.weights.load import load, path_of_shipped, save

Finished: TypeAlias = tuple[Path, tuple[str | Path, ...], Result]
"""The output folder of a run, its command, and what it told."""


def run(*arguments: str | Path, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["corpus", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def refused(*arguments: str | Path) -> str:
    """The message of a command that is wrong."""
    printed = run(*arguments, code=2).stderr
    assert "Traceback" not in printed
    return printed.splitlines()[-1]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, sources: dict[str, bytes]) -> Path:
    """A table of three pages, one of them without content."""
    path = tmp_path_factory.mktemp("input") / "pages.jsonl"
    html = {
        "de": sources["news-de"],
        "en": sources["docs-en"],
        "none": b"<script>render()</script>",
    }
    lines = (
        json.dumps({"html": page.decode(), "url": f"https://{name}.example/", "id": name})
        for name, page in html.items()
    )
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def finished(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    output = tmp_path_factory.mktemp("finished") / "deep" / "texts"
    command = (pages, "--output", output, "--format", "jsonl")
    return output, command, run(*command)


def test_page_types_are_those_of_weights_of_ones_own(pages: Path, tmp_path: Path) -> None:
    weights = load(path_of_shipped("page_type"), method="page_type", spec=page_type.SPEC)
    shift = np.where(np.array(page_type.FORESTS) == "forum", 50.0, 0.0)
    mine = tmp_path / "types.npz"
    save(mine, {**weights.arrays, "scale": 0 * shift, "shift": shift}, weights.card)
    output = tmp_path / "texts"
    run(pages, "--output", output, "--format", "jsonl", "--page-type-weights", mine)
    lines = (output / "part-00000.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["page_type"] for line in lines} == {"forum"}


# What it tells


def test_help_tells_of_every_kind_of_input() -> None:
    printed = run("--help").stdout
    for name in ("WARC", "HTML", "JSONL", "Parquet", "addresses", "--site-models", "--rank"):
        assert name in printed


def test_a_run_ends_with_a_line_that_sums_it_up(
    finished: Finished,
) -> None:
    output, _, result = finished
    begin, _, end = result.stdout.partition("; ")
    assert begin == (f"{output}: 2 rows of 3 records (0 MB) in 1 shard, dropped 1 (no content 1)")
    assert end.startswith("3 new in ")
    assert result.stderr == ""  # a log has no line before half a minute is over
    rows = [json.loads(line) for line in (output / "part-00000.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == ["de", "en"]
    assert rows[0]["language"] == "de"


def test_the_same_command_again_does_nothing_and_says_so(
    finished: Finished,
) -> None:
    output, command, _ = finished
    before = (output / "part-00000.jsonl").stat().st_mtime_ns
    assert "; 0 new in 0.0 s (0 a second)" in run(*command).stdout
    assert (output / "part-00000.jsonl").stat().st_mtime_ns == before


def test_the_summary_comes_as_json_too(
    finished: Finished,
) -> None:
    output, command, _ = finished
    result = run(*command, "--json", "--quiet")
    printed = json.loads(result.stdout)
    assert result.stderr == ""
    assert printed["output"] == str(output)
    assert printed["complete"] is True
    assert (printed["records"], printed["kept"], printed["new_records"]) == (3, 2, 0)
    assert printed["refused"] == {"no content": 1}
    assert printed["failed"] == {}


def test_other_options_in_the_same_folder_are_refused_and_nothing_changes(
    finished: Finished,
) -> None:
    output, command, _ = finished
    before = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    printed = refused(*command, "--min-words", "50", "--focus", "precision")
    assert "has another run (" in printed
    assert "min_words 1 there, 50 here" in printed
    assert "focus 'balanced' there, 'precision' here" in printed
    assert "choose another --output" in printed
    assert {path: path.read_bytes() for path in output.rglob("*") if path.is_file()} == before


def test_an_input_more_is_added_and_others_alone_are_refused(pages: Path, tmp_path: Path) -> None:
    command = (pages, "--output", tmp_path / "out", "--format", "jsonl")
    run(*command)
    (tmp_path / "more.jsonl").write_text(
        '{"html": "<p>Herons wait for hours, and then they do not."}'
    )
    message = refused(tmp_path / "more.jsonl", *command[1:])
    assert f"has another run (inputs {pages} there, to add others give one of these" in message
    added = run(tmp_path / "more.jsonl", *command)
    assert added.stderr == "tamis: 1 input added\n"
    assert "3 rows of 4 records (0 MB) in 2 shards, dropped 1 (no content 1); 1 new" in added.stdout
    again = run(*command, "--json")
    assert f"inputs not given this time, rows kept: {tmp_path / 'more.jsonl'}" in again.stderr
    assert json.loads(again.stdout)["new_inputs"] == 0


def test_an_input_that_changed_is_named_with_the_option_that_says_what_to_do(
    pages: Path, tmp_path: Path
) -> None:
    page = tmp_path / "pages.jsonl"
    page.write_bytes(pages.read_bytes())
    command = (page, "--output", tmp_path / "out", "--format", "jsonl")
    run(*command)
    page.write_bytes(b"\n".join(pages.read_bytes().splitlines()[:1]))
    message = refused(*command)
    assert f"inputs changed in the meantime ({page})" in message
    assert "add --changed again to do the shards again, or --changed keep" in message
    kept = run(*command, "--changed", "keep")
    assert f"tamis: inputs changed, rows kept as they were: {page}" in kept.stderr
    assert "2 rows of 3 records" in kept.stdout
    again = run(*command, "--changed", "again")
    assert "1 row of 1 record" in again.stdout
    assert run(*command).stderr == ""


# Formats


def read_parquet(path: Path) -> list[dict[str, object]]:
    import pyarrow.parquet as pq

    table: list[dict[str, object]] = pq.read_table(path).to_pylist()
    return table


def read_gzip(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def read_zstd(path: Path) -> list[dict[str, object]]:
    import zstandard

    with zstandard.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("name", "library", "file", "read"),
    [
        ("parquet", "pyarrow", "part-00000.parquet", read_parquet),
        ("jsonl.gz", "gzip", "part-00000.jsonl.gz", read_gzip),
        ("jsonl.zst", "zstandard", "part-00000.jsonl.zst", read_zstd),
    ],
)
def test_a_table_is_written_in_each_format(
    pages: Path,
    tmp_path: Path,
    name: str,
    library: str,
    file: str,
    read: Callable[[Path], list[dict[str, object]]],
) -> None:
    pytest.importorskip(library)
    run(pages, "--output", tmp_path, "--format", name, "--also", "markdown", "--no-describe")
    rows = read(tmp_path / file)
    assert [row["id"] for row in rows] == ["de", "en"]
    assert "html" not in rows[0]
    assert rows[0]["title"] == ""
    source = json.loads(pages.read_text().splitlines()[1])
    result = tamis.extract(source["html"], url=source["url"])
    assert (rows[1]["text"], rows[1]["markdown"]) == (result.text, result.markdown)


def test_texts_are_written_as_wet_records(pages: Path, tmp_path: Path) -> None:
    warc = pytest.importorskip("fastwarc.warc")
    run(pages, "--output", tmp_path, "--format", "wet")
    with (tmp_path / "part-00000.warc.wet.gz").open("rb") as file:
        about, *records = [
            (record.headers["WARC-Type"], record.headers.get("WARC-Target-URI"))
            for record in warc.ArchiveIterator(file)
        ]
    assert about == ("warcinfo", None)
    assert records == [
        ("conversion", "https://de.example/"),
        ("conversion", "https://en.example/"),
    ]


# Options


def test_filters_and_rejects_work_together(pages: Path, tmp_path: Path) -> None:
    command = (pages, "--output", tmp_path, "--format", "jsonl", "--rejects")
    printed = run(*command, "--language", "English", "--page-type", "documentation").stdout
    assert "1 row of 3 records (0 MB) in 1 shard, dropped 2 (" in printed
    rejects = read_gzip(tmp_path / "rejects" / "part-00000.rejects.jsonl.gz")
    assert [(reject["id"], reject["reason"]) for reject in rejects] == [
        ("de", "page type"),
        ("none", "no content"),
    ]


def test_the_other_columns_of_a_table_can_be_named(tmp_path: Path, pages: Path) -> None:
    page = json.loads(pages.read_text().splitlines()[0])
    table = {"q": page["html"], "wo": page["url"], "nr": "7", "wann": "2024-05-01"}
    (tmp_path / "in.jsonl").write_text(json.dumps(table))
    columns = {"html": "q", "url": "wo", "id": "nr", "date": "wann"}
    named = [part for name, of in columns.items() for part in (f"--{name}-column", of)]
    run(tmp_path / "in.jsonl", "--output", tmp_path / "out", "--format", "jsonl", *named)
    [row] = map(json.loads, (tmp_path / "out" / "part-00000.jsonl").read_text().splitlines())
    assert (row["id"], row["url"]) == ("7", page["url"])
    assert row["fetched"].startswith("2024-05-01T00:00:00")


def test_ranks_do_a_run_together(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    crawl = write_crawl(tmp_path / "crawl", files=2, pages=1)
    command = (crawl, "--output", tmp_path / "out", "--format", "jsonl", "--no-describe")
    first = run(*command, "--rank", "0/2")
    assert "this part is done, but other parts of the run are not" in first.stderr
    second = run(*command, "--rank", "1/2")
    assert (second.stderr, "2 rows of 2 records" in second.stdout) == ("", True)


# Bad input


def nothing(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def empty_file(folder: Path) -> Path:
    (folder / "empty.warc.gz").touch()
    return folder / "empty.warc.gz"


def mixed(folder: Path) -> Path:
    (folder / "mixed").mkdir()
    (folder / "mixed" / "a.html").write_text("<p>x")
    (folder / "mixed" / "b.jsonl").write_text('{"html": "<p>x"}')
    return folder / "mixed"


def unknown(folder: Path) -> Path:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    return folder / "picture.png"


def no_addresses(folder: Path) -> Path:
    (folder / "addresses.txt").write_text("# none yet\n")
    return folder / "addresses.txt"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder / "missing.warc.gz", "no such file or folder"),
        (nothing, "no warc, jsonl, parquet, html file in this folder"),
        (empty_file, "no records: all files of the input are empty"),
        (mixed, "mixed formats: 1 jsonl, 1 html"),
        (unknown, "unknown format"),
        (no_addresses, "no web address in it"),
    ],
)
def test_input_that_cannot_be_read_is_one_line_and_leaves_no_folder(
    tmp_path: Path, make: Callable[[Path], Path], message: str
) -> None:
    result = run(make(tmp_path), "--output", tmp_path / "out", code=2)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("tamis: ")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--format", "docx"), "'docx' is not one of 'parquet', 'jsonl'"),
        (("--html-column", "body"), "no column 'body'; there are html, url, id"),
        (("--input-format", "pdf"), "'pdf' is not one of 'warc'"),
        (("--page-type", "novel"), "'novel' is not one of 'article'"),
        (("--language", "engish"), "no language is called 'engish'; did you mean 'english'?"),
        (("--duplicates", "all"), "'all' is not one of 'keep'"),
        (("--min-words", "0"), "0 is not in the range x>=1"),
        (("--min-probability", "2"), "2.0 is not in the range"),
        (("--workers", "0"), "0 is not in the range x>=1"),
        (("--memory", "1"), "1 is not in the range x>=256"),
        (("--method", "magic"), "no method is called 'magic'"),
        (("--method", "cetr", "--site-models"), "method cetr scores each page by itself"),
        (("--rank", "2/2"), "--rank is '2/2'; give 0/8 for the first of 8 parts"),
        (("--rank", "one"), "--rank is 'one'"),
        (("--rank", "-1/2"), "--rank is '-1/2'"),
        (("--address", "head:6379"), "give --engine ray, too"),
        (("https://a.example/",), "mixed formats"),
    ],
)
def test_a_wrong_option_is_told_and_leaves_no_folder(
    pages: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    assert message in refused(pages, "--output", tmp_path / "out", *options)
    assert not (tmp_path / "out").exists()


def test_input_without_records_is_told(tmp_path: Path) -> None:
    (tmp_path / "blank.jsonl").write_text("\n\n")
    printed = refused(tmp_path / "blank.jsonl", "--output", tmp_path / "out", "--format", "jsonl")
    assert printed == f"tamis: {tmp_path / 'out'}: no rows, as there are no records in the input"


def test_a_file_in_place_of_the_output_folder_is_told(pages: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    assert "a file is in the way" in refused(pages, "--output", tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize(
    ("library", "options", "message"),
    [
        ("pyarrow", (), "parquet needs pyarrow: pip install 'tamis[corpus]'"),
        ("pyarrow", ("--format", "wet", "--duplicates", "near"), "parquet needs pyarrow"),
        ("zstandard", ("--format", "jsonl.zst"), "jsonl.zst needs zstandard: pip install"),
    ],
)
def test_a_missing_library_is_named_with_its_extra_before_anything_is_written(
    pages: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    assert message in refused(pages, "--output", tmp_path / "out", *options)
    assert not (tmp_path / "out").exists()


def test_warc_files_need_a_library_of_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastwarc", None)
    write_warc(tmp_path / "a.warc.gz", [("https://a.example/", "<p>x")])
    (tmp_path / "list.txt").write_text("https://a.example/\n")
    for given in ("a.warc.gz", "list.txt"):
        command = (tmp_path / given, "--output", tmp_path / "out", "--format", "jsonl")
        assert "warc needs fastwarc: pip install 'tamis[corpus]'" in refused(*command)
    assert not (tmp_path / "out").exists()


def test_addresses_need_a_reader_of_robots_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastwarc")
    monkeypatch.setitem(sys.modules, "protego", None)
    (tmp_path / "list.txt").write_text("https://a.example/\n")
    command = (tmp_path / "list.txt", "--output", tmp_path / "out", "--format", "jsonl")
    assert "robots.txt needs protego: pip install 'tamis[corpus]'" in refused(*command)
    assert not (tmp_path / "out").exists()


# Failures and interruptions


def test_a_shard_that_fails_is_named_and_the_command_tells_how_to_go_on(tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    crawl = write_crawl(tmp_path / "crawl", files=2, pages=1)
    command = (crawl, "--output", tmp_path / "out", "--format", "jsonl", "--no-describe")
    run(*command, "--rank", "0/2")
    (crawl / "1.warc.gz").rename(tmp_path / "away")
    result = run(*command, code=2)
    assert "1 row of 1 record" in result.stdout
    assert f"tamis: not done: extract 1 ({crawl / '1.warc.gz'}): " in result.stderr
    assert "1 tasks failed; run the same command again to try them again" in result.stderr
    (tmp_path / "away").rename(crawl / "1.warc.gz")
    assert "2 rows of 2 records" in run(*command).stdout


@pytest.fixture(scope="module")
def long_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("fastwarc")
    return write_crawl(tmp_path_factory.mktemp("long"), files=6, pages=40)


@needs.posix
@pytest.mark.parametrize(
    ("sent", "code", "message"),
    [(signal.SIGINT, 130, "tamis: interrupted"), (signal.SIGTERM, 143, "tamis: terminated")],
)
def test_a_signal_ends_a_run_cleanly_and_the_same_command_goes_on(
    long_crawl: Path, tmp_path: Path, sent: int, code: int, message: str
) -> None:
    output = tmp_path / "out"
    command = ["corpus", str(long_crawl), "--output", str(output), "--format", "jsonl"]
    command += ["--no-describe", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", *command],
        stderr=subprocess.PIPE,
        text=True,
        # A job in the background of a shell script inherits that it is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not list(output.glob("marks/*.json")):
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(sent)
    _, printed = process.communicate(timeout=600)  # a hang, not a busy machine
    assert process.returncode == code
    assert (
        printed == f"tamis: what is done is kept; run the same command again to go on\n{message}\n"
    )
    assert not list(output.rglob("*.tmp"))
    assert 0 < len(list(output.glob("part*"))) < 6
    assert "240 rows of 240 records" in run(*command[1:]).stdout


# Addresses


class _Server(BaseHTTPRequestHandler):
    page = b""

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        known = self.path == "/story"
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.page if known else b"")


@pytest.fixture
def server(sources: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(_Server, "page", sources["news-de"])
    with serving(_Server) as address:
        yield address


def test_a_list_of_addresses_is_fetched_and_extracted(server: str, tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    (tmp_path / "list.txt").write_text(f"{server}/story\nexample.org\n{server}/gone\n")
    command = (tmp_path / "list.txt", "--output", tmp_path / "out", "--format", "jsonl")
    polite = ("--delay", "0", "--allow-private", "--rejects")
    printed = run(*command, *polite).stdout
    assert "1 row of 3 records (0 MB) in 1 shard, dropped 2 (" in printed
    [row] = map(json.loads, (tmp_path / "out" / "part-00000.jsonl").read_text().splitlines())
    assert (row["url"], row["language"]) == (f"{server}/story", "de")
    assert (tmp_path / "out" / "fetched" / "fetched-00000.warc.gz").exists()
    rejects = read_gzip(tmp_path / "out" / "rejects" / "part-00000.rejects.jsonl.gz")
    assert [(reject["url"], reject["reason"]) for reject in rejects] == [
        ("example.org", "bad address"),
        (f"{server}/gone", "not found"),
    ]


def test_private_addresses_are_refused_unless_allowed(server: str, tmp_path: Path) -> None:
    pytest.importorskip("fastwarc")
    how = ("--format", "jsonl", "--delay", "0", "--rejects")
    printed = run(f"{server}/story", "--output", tmp_path, *how).stdout
    assert "0 rows of 1 record (0 MB) in 1 shard, dropped 1 (private address 1)" in printed
    [reject] = read_gzip(tmp_path / "rejects" / "part-00000.rejects.jsonl.gz")
    assert reject["detail"].endswith("pass allow_private=True or --allow-private")
