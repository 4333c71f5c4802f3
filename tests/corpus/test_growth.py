"""Runs whose input is not what it was: new files, changed files, files that are gone."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import pytest

import tamis
from tamis.corpus import manifest as receipts
from tamis.corpus.engines.local import do_tasks_here
from tamis.corpus.files import Folder
from tamis.corpus.growth import Changed
from tamis.corpus.manifest import Run
from tamis.corpus.planning import begin_run
from tamis.corpus.records import Settings
from tamis.corpus.run import CorpusReport, Rank, execute
from tamis.errors import InputError
from tests.corpus.crawls import in_this_process, write_crawl, write_warc
from tests.servers import serving
from tests.site.pages import article

pytest.importorskip("fastwarc")

ALONE = Rank()
EVERYTHING = {"duplicates": "near", "site_models": True, "rejects": True}


def begun(inputs: list[Path], output: Path, changed: Changed = "refuse", **choices: Any) -> Run:
    usual: dict[str, Any] = {"format": "jsonl", "describe": False}
    settings = Settings(**(usual | choices))
    return begin_run([*map(str, inputs)], Folder(str(output)), settings, changed=changed)


def done(
    inputs: Path | list[Path],
    output: Path,
    changed: Changed = "refuse",
    workers: int = 0,
    rank: Rank = ALONE,
    **choices: Any,
) -> CorpusReport:
    run = begun(inputs if isinstance(inputs, list) else [inputs], output, changed, **choices)
    engine = partial(do_tasks_here, workers=workers) if workers else in_this_process
    report = execute(run, engine, rank=rank)
    if report.complete:
        check_receipts(output)
    return report


def check_receipts(output: Path) -> None:
    """See that all files which receipts speak of are there, with the content they say."""
    for receipt in output.glob("marks/*.json"):
        for name, size, digest in json.loads(receipt.read_bytes())["files"]:
            content = (output / name).read_bytes()
            assert len(content) == size
            assert hashlib.blake2b(content, digest_size=16).hexdigest() == digest


def files(output: Path, pattern: str = "*") -> dict[str, bytes]:
    """What a run leaves, but for locks and the clock."""
    return {
        str(path.relative_to(output)): path.read_bytes()
        for path in output.rglob(pattern)
        if path.is_file() and not path.name.startswith((".lock", "summary"))
    }


def rows(output: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for path in sorted(output.glob("part-*.jsonl"))
        for line in path.read_bytes().splitlines()
    ]


def urls(output: Path) -> list[str]:
    return [row["url"].removeprefix("https://").replace(".example", "") for row in rows(output)]


def write_paper(path: Path, name: str, numbers: range) -> Path:
    """A WARC file of articles of one paper."""
    return write_warc(path, ((f"https://{name}.example/{at}", article(at)) for at in numbers))


def keys(output: Path) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows(output))


# New inputs


def test_a_new_file_in_the_folder_is_added_and_what_was_done_stays_byte_for_byte(
    tmp_path: Path,
) -> None:
    crawl, output = write_crawl(tmp_path / "crawl", files=2, pages=3), tmp_path / "out"
    done(crawl, output)
    before = files(output, "part*") | files(output, "marks/*")
    write_paper(crawl / "0-first-by-name.warc.gz", "new", range(50, 52))
    report = done(crawl, output)
    assert (report.new_inputs, report.new.records, report.notes) == (1, 2, ())
    assert (report.complete, report.shards, report.counts.kept) == (True, 3, 8)
    after = files(output)
    assert {name: after[name] for name in before} == before
    assert urls(output)[-2:] == ["new/50", "new/51"]
    assert json.loads((output / "summary.json").read_bytes())["new_inputs"] == 1
    again = done(crawl, output)
    assert (again.new_inputs, again.new.records, files(output)) == (0, 0, after)
    done(crawl, tmp_path / "at once")
    assert keys(output) == keys(tmp_path / "at once")


def test_another_input_of_the_command_is_added(tmp_path: Path) -> None:
    a, b = (write_paper(tmp_path / f"{name}.warc.gz", name, range(2)) for name in "ab")
    done(a, tmp_path / "out")
    report = done([b, a], tmp_path / "out")
    assert (report.new_inputs, report.counts.kept) == (1, 4)
    assert urls(tmp_path / "out") == ["a/0", "a/1", "b/0", "b/1"]
    assert done([a, b], tmp_path / "out").notes == ()
    left_out = done(b, tmp_path / "out")
    assert left_out.notes == (f"inputs not given this time, rows kept: {a}",)
    assert left_out.counts.kept == 4


def test_a_file_that_is_given_twice_is_read_once(tmp_path: Path) -> None:
    path = write_paper(tmp_path / "crawl" / "a.warc.gz", "a", range(2))
    assert done([path.parent, path], tmp_path / "out").counts.kept == 2


def test_new_pages_of_a_folder_are_a_shard_of_their_own(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for name in "bd":
        (pages / f"{name}.html").write_text(article(ord(name)))
    done(pages, tmp_path / "out")
    for name in "ac":
        (pages / f"{name}.html").write_text(article(ord(name)))
    assert done(pages, tmp_path / "out").new_inputs == 2
    assert [row["id"] for row in rows(tmp_path / "out")] == [f"{name}.html" for name in "bdac"]


def test_a_folder_of_a_store_grows_however_its_address_is_written(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    written = write_crawl(tmp_path / "crawl", files=2, pages=2)
    settings = Settings(format="jsonl", describe=False)

    def run(source: str, changed: Changed = "refuse") -> CorpusReport:
        run = begin_run([source], Folder(str(tmp_path / "out")), settings, changed=changed)
        return execute(run, in_this_process)

    try:
        memory.pipe("/growing/0.warc.gz", (written / "0.warc.gz").read_bytes())
        assert run("memory://growing").counts.kept == 2
        memory.pipe("/growing/1.warc.gz", (written / "1.warc.gz").read_bytes())
        report = run("memory://growing/")
        assert (report.new_inputs, report.counts.kept, report.notes) == (1, 4, ())
        memory.pipe("/growing/1.warc.gz", (written / "0.warc.gz").read_bytes())
        with pytest.raises(InputError, match=r"changed in the meantime \(memory://growing/1"):
            run("memory://growing")
        assert run("memory://growing", "again").new.records == 2
        memory.rm("/growing", recursive=True)
        assert "no longer there, rows kept" in run("memory://growing").notes[0]
    finally:
        if memory.exists("/growing"):
            memory.rm("/growing", recursive=True)


def test_files_of_another_format_are_not_added(tmp_path: Path) -> None:
    path = write_paper(tmp_path / "a.warc.gz", "a", range(2))
    done(path, tmp_path / "out")
    before = files(tmp_path / "out")
    path.unlink()
    (tmp_path / "b.html").write_text(article(1))
    with pytest.raises(InputError, match=r"mixed formats: .* is html, the run has warc"):
        done([path, tmp_path / "b.html"], tmp_path / "out")
    assert files(tmp_path / "out") == before


def test_workers_and_ranks_do_not_change_what_is_added(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    crawl = write_crawl(tmp_path / "crawl", files=2, pages=2)
    one, two, ranks = (tmp_path / name for name in ("one", "two", "ranks"))
    done(crawl, one, **EVERYTHING)
    for output in (two, ranks):
        shutil.copytree(one, output)
    for number in (1, 2):
        write_paper(crawl / f"new{number}.warc.gz", "paper0", range(number, 10 * number, 3))
    done(crawl, one, **EVERYTHING)
    done(crawl, two, workers=2, **EVERYTHING)
    commands = 0
    while not done(crawl, ranks, rank=Rank(commands % 2, 2), **EVERYTHING).complete:
        commands += 1
    assert commands < 10
    assert files(two) == files(one)
    assert files(ranks) == files(one)


def test_a_command_that_comes_while_others_work_does_not_plan(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    crawl, output = write_crawl(tmp_path / "crawl", files=2, pages=1), tmp_path / "out"
    done(crawl, output)
    write_paper(crawl / "new.warc.gz", "new", range(2))
    before = (output / "plan.jsonl").read_bytes()
    with (output / ".lock").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        report = done(crawl, output, rank=Rank(0, 2))
    assert report.notes == (
        "other commands are at work in this folder, so new inputs were not looked for",
    )
    assert (output / "plan.jsonl").read_bytes() == before
    assert done(crawl, output).new_inputs == 1


# Changed inputs


@pytest.fixture
def replaced(tmp_path: Path) -> tuple[Path, Path]:
    """A crawl of three files and its run; then the second file was replaced by a longer one."""
    crawl, output = tmp_path / "crawl", tmp_path / "out"
    for name in "abc":
        write_paper(crawl / f"{name}.warc.gz", name, range(2))
    done(crawl, output)
    write_paper(crawl / "b.warc.gz", "b", range(10, 13))
    return crawl, output


def test_a_replaced_file_is_refused_by_name_and_nothing_changes(
    replaced: tuple[Path, Path],
) -> None:
    crawl, output = replaced
    before = files(output)
    message = rf"inputs changed in the meantime \({crawl}/b\.warc\.gz\); add --changed again"
    with pytest.raises(InputError, match=message):
        done(crawl, output)
    assert files(output) == before


def test_a_replaced_file_is_read_again_in_its_place(replaced: tuple[Path, Path]) -> None:
    crawl, output = replaced
    report = done(crawl, output, "again")
    assert report.notes == (f"inputs changed, shards done again: {crawl}/b.warc.gz",)
    assert (report.complete, report.new.records, report.counts.kept) == (True, 3, 7)
    assert urls(output) == ["a/0", "a/1", "b/10", "b/11", "b/12", "c/0", "c/1"]
    assert done(crawl, output).new.records == 0
    done(crawl, output.with_name("at once"))
    assert rows(output) == rows(output.with_name("at once"))


def test_the_rows_of_a_replaced_file_can_be_kept_and_that_is_said_each_time(
    replaced: tuple[Path, Path],
) -> None:
    crawl, output = replaced
    write_paper(crawl / "d.warc.gz", "d", range(1))
    report = done(crawl, output, "keep")
    note = f"inputs changed, rows kept as they were: {crawl}/b.warc.gz"
    assert (report.notes, report.new_inputs) == ((note,), 1)
    assert urls(output) == ["a/0", "a/1", "b/0", "b/1", "c/0", "c/1", "d/0"]
    with pytest.raises(InputError, match="--changed again"):
        done(crawl, output)
    assert done(crawl, output, "keep").notes == (note,)


def test_a_file_that_changed_before_its_rows_were_written_cannot_be_kept(
    replaced: tuple[Path, Path],
) -> None:
    crawl, output = replaced
    (output / "part-00001.jsonl").unlink()
    with pytest.raises(InputError, match=r"b\.warc\.gz: changed before all rows were written"):
        done(crawl, output, "keep")
    assert done(crawl, output, "again").counts.kept == 7


def test_a_copy_with_another_time_is_no_change(replaced: tuple[Path, Path]) -> None:
    crawl, output = replaced
    write_paper(crawl / "b.warc.gz", "b", range(2))
    os.utime(crawl / "b.warc.gz", (1, 1))
    report = done(crawl, output)
    assert (report.new.records, report.notes) == (0, ())
    assert '"modified": "1000000000"' in (output / "inputs.jsonl").read_text()


@pytest.mark.parametrize(("before", "after"), [(2, 30), (30, 2)])
def test_a_file_that_needs_more_or_fewer_shards_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    monkeypatch.setattr("tamis.corpus.planning._LEAST", 2_000)
    crawl, output = tmp_path / "crawl", tmp_path / "out"
    for name in "abc":
        write_paper(crawl / f"{name}.warc.gz", name, range(before if name == "b" else 2))
    shards = done(crawl, output).shards
    write_paper(crawl / "b.warc.gz", "b", range(100, 100 + after))
    report = done(crawl, output, "again")
    assert report.shards >= shards
    done(crawl, tmp_path / "at once")
    assert keys(output) == keys(tmp_path / "at once")
    again = done(crawl, output)
    assert (again.new.records, again.notes) == (0, ())


def test_a_changed_page_is_done_again_with_its_shard_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.corpus.planning._LEAST", 2 * len(article(0)))
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(6):
        (pages / f"{number}.html").write_text(article(number))
    assert done(pages, tmp_path / "out").shards > 2
    first = (tmp_path / "out/part-00000.jsonl").stat().st_mtime_ns
    (pages / "5.html").write_text(article(77))
    (pages / "4.html").unlink()
    report = done(pages, tmp_path / "out", "again")
    assert report.new.records < 5
    assert (tmp_path / "out/part-00000.jsonl").stat().st_mtime_ns == first
    done(pages, tmp_path / "at once")
    assert keys(tmp_path / "out") == keys(tmp_path / "at once")


# Inputs that are gone


def test_rows_of_files_that_are_gone_stay_unless_the_input_is_done_again(tmp_path: Path) -> None:
    crawl, output = tmp_path / "crawl", tmp_path / "out"
    for name in "abc":
        write_paper(crawl / f"{name}.warc.gz", name, range(2))
    done(crawl, output)
    (crawl / "b.warc.gz").unlink()
    report = done(crawl, output)
    gone = f"inputs no longer there, rows {{}}: {crawl}/b.warc.gz"
    assert (report.notes, report.counts.kept) == ((gone.format("kept"),), 6)
    report = done(crawl, output, "again")
    assert report.notes == (gone.format("removed"),)
    assert urls(output) == ["a/0", "a/1", "c/0", "c/1"]
    assert done(crawl, output).notes == ()
    write_paper(crawl / "b.warc.gz", "b", range(2))
    assert done(crawl, output).new_inputs == 1
    assert urls(output) == ["a/0", "a/1", "c/0", "c/1", "b/0", "b/1"]


@pytest.mark.parametrize("harm", [shutil.rmtree, lambda crawl: (crawl / "a.warc.gz").unlink()])
def test_an_input_of_which_nothing_is_there_is_not_taken_for_one_to_remove(
    tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    """It may be a disk that is not mounted."""
    crawl, output = tmp_path / "crawl", tmp_path / "out"
    write_paper(crawl / "a.warc.gz", "a", range(2))
    done(crawl, output)
    harm(crawl)
    assert done(crawl, output).notes == (f"inputs no longer there, rows kept: {crawl}/a.warc.gz",)
    with pytest.raises(InputError, match=r"no such file|no warc"):
        done(crawl, output, "again")
    assert urls(output) == ["a/0", "a/1"]


# Addresses


class Paper(BaseHTTPRequestHandler):
    """A paper that has an article at each address, and remembers what was asked."""

    asked: ClassVar[list[str]] = []
    edition = 0

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        body = article(int(self.path.strip("/")) + self.edition).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_lines_added_to_a_list_of_addresses_are_fetched_and_lines_removed_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    listed, output = tmp_path / "addresses.txt", tmp_path / "out"

    def run(*paths: str, changed: Changed = "refuse") -> CorpusReport:
        Paper.asked.clear()
        if paths:
            listed.write_text("".join(f"{site}{path}\n" for path in paths))
        return tamis.extract_corpus(
            listed,
            output,
            format="jsonl",
            delay=0,
            robots=False,
            allow_private=True,
            workers=1,
            changed=changed,
        )

    with serving(Paper) as site:
        run("/1", "/2")
        before = files(output, "part*") | files(output, "fetched/*")
        report = run("/0", "/2", "/3")
        assert Paper.asked == ["/0", "/3"]
        assert (report.new_inputs, report.new.records, report.counts.kept) == (2, 2, 4)
        assert report.notes == (f"addresses no longer listed, rows kept: {site}/1",)
        assert before.items() <= files(output).items()
        assert [row["url"].removeprefix(site) for row in rows(output)] == ["/1", "/2", "/0", "/3"]
        report = run("/0", "/1", "/2", "/3")
        assert (Paper.asked, report.new_inputs, report.notes) == ([], 0, ())
        (output / "fetched/fetched-00001.warc.gz").unlink()
        monkeypatch.setattr(Paper, "edition", 100)
        report = run(changed="again")
        assert (Paper.asked, report.new.records, report.counts.kept) == (["/0", "/3"], 2, 4)
        listed.unlink()
        report = run()
        assert report.complete
        assert report.notes[0] == f"{listed} is no longer there, rows of its addresses kept"


# Steps that need all shards


@pytest.fixture
def repeated(tmp_path: Path) -> Path:
    """Two files: the second has a page of the first."""
    crawl = tmp_path / "crawl"
    write_paper(crawl / "a.warc.gz", "a", range(3))
    write_paper(crawl / "b.warc.gz", "b", range(2, 5))
    return crawl


def test_new_texts_are_compared_with_those_of_before(repeated: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    output = tmp_path / "out"
    done(repeated, output, duplicates="exact", rejects=True)
    before = files(output, "part*") | files(output, "marks/[es]*")
    write_paper(repeated / "0.warc.gz", "new", range(1, 8))
    report = done(repeated, output, duplicates="exact", rejects=True)
    assert (report.new.records, report.counts.kept) == (7, 8)
    assert report.counts.rejected == {"duplicate": 5}
    assert urls(output) == ["a/0", "a/1", "a/2", "b/3", "b/4", "new/5", "new/6", "new/7"]
    after = files(output)
    assert {name: after[name] for name in before} == before
    done(repeated, tmp_path / "at once", duplicates="exact", rejects=True)
    texts = [sorted(row["text"] for row in rows(path)) for path in (output, tmp_path / "at once")]
    assert texts[0] == texts[1]


def test_a_text_comes_back_when_the_file_that_had_it_first_changes(
    repeated: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    output = tmp_path / "out"
    done(repeated, output, duplicates="exact")
    assert urls(output) == ["a/0", "a/1", "a/2", "b/3", "b/4"]
    write_paper(repeated / "a.warc.gz", "a", range(2))
    report = done(repeated, output, "again", duplicates="exact")
    assert urls(output) == ["a/0", "a/1", "b/2", "b/3", "b/4"]
    assert report.counts.rejected == {}
    done(repeated, tmp_path / "at once", duplicates="exact")
    assert rows(output) == rows(tmp_path / "at once")


def test_without_what_was_compared_all_shards_are_read_again_and_it_is_said(
    repeated: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    output = tmp_path / "out"
    done(repeated, output, duplicates="exact")
    parts = files(output, "part*")
    shutil.rmtree(output / "compared")
    assert execute(begun([repeated], output, duplicates="exact"), in_this_process).complete
    assert not (output / "compared").exists()
    write_paper(repeated / "c.warc.gz", "c", range(3, 6))
    report = done(repeated, output, duplicates="exact")
    assert report.notes == (
        f"{output}/compared is not there (tamis 0.2 removed it), so all earlier shards are read"
        " again",
    )
    assert (report.new.records, urls(output)[-1]) == (9, "c/5")
    assert parts.items() <= files(output).items()


def test_new_pages_are_extracted_with_models_of_all_pages_and_earlier_rows_stay(
    tmp_path: Path,
) -> None:
    crawl, output = tmp_path / "crawl", tmp_path / "out"
    write_paper(crawl / "a.warc.gz", "harbour", range(4))
    write_paper(crawl / "b.warc.gz", "cape", range(10, 13))
    done(crawl, output, site_models=True)
    before = files(output, "part*") | files(output, "*.zip") | files(output, "marks/*")
    write_paper(crawl / "c.warc.gz", "harbour", range(20, 25))
    write_paper(crawl / "d.warc.gz", "island", range(30, 32))
    report = done(crawl, output, site_models=True)
    assert (report.complete, report.counts.kept) == (True, 14)
    after = files(output)
    assert {name: after[name] for name in before} == before
    pages = {row["url"].split("/")[2]: row["site_pages"] for row in rows(output)[7:]}
    assert pages == {"harbour.example": 9, "island.example": 2}
    assert {row["site_pages"] for row in rows(output)[:7]} == {3, 4}
    (output / "part-00000.jsonl").unlink()
    (output / "part-00002.jsonl").unlink()
    done(crawl, output, site_models=True)
    assert files(output) == after


# Killed


@pytest.mark.parametrize("survivors", range(4))
def test_a_command_that_is_killed_while_it_plans_leaves_a_run_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, survivors: int
) -> None:
    crawl, output = write_crawl(tmp_path / "crawl", files=2, pages=2), tmp_path / "out"
    more = write_paper(tmp_path / "more.warc.gz", "more", range(2))
    done(crawl, output)
    write_paper(crawl / "1.warc.gz", "changed", range(3))
    write, left = receipts.write, survivors

    def write_some(*arguments: Any) -> Any:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        return write(*arguments)

    with monkeypatch.context() as killed:
        killed.setattr(receipts, "write", write_some)
        if survivors < 3:
            with pytest.raises(KeyboardInterrupt):
                begun([crawl, more], output, "again")
        else:
            begun([crawl, more], output, "again")
    assert not (output / "summary.json").exists() or not survivors
    report = done([crawl, more], output, "again")
    assert (report.complete, report.counts.kept) == (True, 7)
    done([crawl, more], tmp_path / "at once")
    assert keys(output) == keys(tmp_path / "at once")
    assert done([crawl, more], output).notes == ()


def test_a_command_that_is_killed_after_any_task_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    crawl = write_crawl(tmp_path / "crawl", files=2, pages=2)
    begun_one, undisturbed = tmp_path / "begun", tmp_path / "undisturbed"
    done(crawl, begun_one, **EVERYTHING)
    shutil.copytree(begun_one, undisturbed)
    write_paper(crawl / "new.warc.gz", "paper0", range(8, 12))
    write_paper(crawl / "new2.warc.gz", "new", range(9, 11))
    done(crawl, undisturbed, **EVERYTHING)
    left = 0

    def dying(run: Run, due: Any) -> Any:
        nonlocal left
        for update in in_this_process(run, due):
            yield update
            left -= 1
            if not left:
                raise KeyboardInterrupt

    for tasks in range(1, 12, 2):  # two learn, four unite, two extract, one compares, two select
        killed = shutil.copytree(begun_one, tmp_path / f"killed{tasks}")
        left = tasks
        with pytest.raises(KeyboardInterrupt):
            execute(begun([crawl], killed, **EVERYTHING), dying)
        done(crawl, killed, **EVERYTHING)
        assert files(killed) == files(undisturbed)


# Folders of tamis 0.2


def test_a_folder_without_the_new_facts_goes_on_and_what_cannot_be_known_is_said(
    tmp_path: Path,
) -> None:
    crawl, output = write_crawl(tmp_path / "crawl", files=2, pages=2), tmp_path / "out"
    done(crawl, output)
    make_old(output)
    unknown = (
        "inputs without a record of their state, as in runs of tamis 0.2: whether they changed"
        f" before now cannot be known: {crawl}/0.warc.gz, {crawl}/1.warc.gz"
    )
    report = done(crawl, output)
    assert (report.new.records, report.complete) == (0, True)
    assert report.notes == (
        unknown,
        "the run was begun by tamis 0.2.0a1; what is new is done by " + receipts.__version__,
    )
    assert len(done(crawl, output).notes) == 1
    write_paper(crawl / "1.warc.gz", "changed", range(3))
    with pytest.raises(InputError, match="changed in the meantime"):
        done(crawl, output)
    assert done(crawl, output, "again").counts.kept == 5


def make_old(output: Path) -> None:
    """Make a folder what tamis 0.2 left."""
    (output / "inputs.jsonl").unlink()
    stored = json.loads((output / "run.json").read_bytes())
    (output / "run.json").write_text(json.dumps(stored | {"tamis": "0.2.0a1"}))
    lines = [json.loads(line) for line in (output / "plan.jsonl").read_text().splitlines()]
    for line in lines:
        del line["round"]
    (output / "plan.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
