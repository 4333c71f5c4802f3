"""Whole runs on this machine: the same rows whoever does the work, whatever happens to it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tamis._runtime.processes import Process
from tamis.corpus.engines import local as local_engine
from tamis.corpus.engines.local import do_tasks_here
from tamis.corpus.files import Folder
from tamis.corpus.manifest import Run, Task
from tamis.corpus.planning import begin_run
from tamis.corpus.records import Settings
from tamis.corpus.run import CorpusReport, Progress, Rank, execute
from tamis.errors import InputError, OutputError
from tests import needs
from tests.corpus.crawls import in_this_process, write_crawl, write_warc
from tests.site.pages import article

pytest.importorskip("fastwarc")

ALONE = Rank()


def settings(**changes: Any) -> Settings:
    usual: dict[str, Any] = {"format": "jsonl", "describe": False}
    return Settings(**(usual | changes))


def done(
    crawl: Path, output: Path, workers: int = 0, rank: Rank = ALONE, **changes: Any
) -> tuple[CorpusReport, list[str]]:
    """What came of a run by so many workers, 0 for this process, and the steps it reported."""
    run = begin_run([str(crawl)], Folder(str(output)), settings(**changes))
    steps: dict[str, None] = {}

    def report(progress: Progress) -> None:
        steps[progress.step] = None

    engine = partial(do_tasks_here, workers=workers) if workers else in_this_process
    return execute(run, engine, report, rank), list(steps)


def files(output: Path) -> dict[str, bytes]:
    """What a run leaves that must be the same every time."""
    return {
        str(path.relative_to(output)): path.read_bytes()
        for path in output.rglob("*")
        if path.is_file() and path.name not in ("run.json", "summary.json", ".lock", ".lock-plan")
    }


def rows(output: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for path in sorted(output.glob("part-*.jsonl"))
        for line in path.read_bytes().splitlines()
    ]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four shards of three pages each."""
    return write_crawl(tmp_path_factory.mktemp("crawl"), files=4, pages=3)


@pytest.fixture(scope="module")
def undisturbed(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a run in this process."""
    output = tmp_path_factory.mktemp("undisturbed")
    summary, steps = done(crawl, output)
    assert (summary.complete, summary.failed, steps) == (True, {}, ["extract"])
    return output


# The same rows


def test_rows_come_in_the_order_of_the_input(undisturbed: Path) -> None:
    written = rows(undisturbed)
    assert [row["url"] for row in written] == [
        f"https://paper{page}.example/{file}" for file in range(4) for page in range(3)
    ]
    assert [row["source"] for row in written[::3]] == [f"{file}.warc.gz" for file in range(4)]
    assert all(row["fetched"] == "2024-05-01T08:00:00Z" for row in written)


@pytest.mark.parametrize("workers", [1, 2])
def test_any_number_of_workers_gives_the_same_bytes(
    crawl: Path, undisturbed: Path, tmp_path: Path, workers: int
) -> None:
    summary, _ = done(crawl, tmp_path, workers)
    assert summary.counts.kept == summary.new.kept == 12
    assert files(tmp_path) == files(undisturbed)


def test_more_workers_than_shards_share_them(tmp_path: Path) -> None:
    crawl = write_warc(
        tmp_path / "one.warc.gz",
        ((f"https://paper.example/{number}", article(number)) for number in range(40)),
    )
    done(crawl, tmp_path / "1")
    done(crawl, tmp_path / "3", workers=3)
    assert len(rows(tmp_path / "3")) == 40
    assert files(tmp_path / "3") == files(tmp_path / "1")


def test_a_receipt_has_the_counts_and_the_hash_of_each_file(undisturbed: Path) -> None:
    import hashlib

    for number in range(4):
        receipt = json.loads((undisturbed / "marks" / f"extract-{number:05}.json").read_bytes())
        assert (receipt["records"], receipt["kept"], receipt["refused"]) == (3, 3, {})
        [(name, size, digest)] = receipt["files"]
        content = (undisturbed / name).read_bytes()
        assert size == len(content)
        assert digest == hashlib.blake2b(content, digest_size=16).hexdigest()


def test_the_summary_is_written_when_all_is_done(undisturbed: Path) -> None:
    summary = json.loads((undisturbed / "summary.json").read_bytes())
    assert summary["complete"]
    assert (summary["shards"], summary["records"], summary["kept"], summary["failed"]) == (
        4,
        12,
        12,
        {},
    )


# Restarts


def test_a_run_that_is_done_has_nothing_left_to_do(
    crawl: Path, undisturbed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(undisturbed)

    def no_process(*_: object) -> None:
        raise AssertionError("a process began")

    monkeypatch.setattr(Process, "__init__", no_process)
    stored = (undisturbed / "summary.json").read_bytes()
    summary, steps = done(crawl, undisturbed, workers=2)
    assert steps == []
    assert summary.complete
    assert (undisturbed / "summary.json").read_bytes() == stored
    assert (summary.counts.records, summary.new.records) == (12, 0)
    assert files(undisturbed) == before


def test_only_what_is_gone_is_done_again(crawl: Path, tmp_path: Path, undisturbed: Path) -> None:
    done(crawl, tmp_path)
    (tmp_path / "part-00001.jsonl").unlink()
    (tmp_path / "marks" / "extract-00002.json").unlink()
    kept = (tmp_path / "part-00000.jsonl").stat().st_mtime_ns
    summary, _ = done(crawl, tmp_path)
    assert (summary.counts.records, summary.new.records) == (12, 6)
    assert (tmp_path / "part-00000.jsonl").stat().st_mtime_ns == kept
    assert files(tmp_path) == files(undisturbed)


COMMAND = """
import os
import signal
import sys
from functools import partial
from tamis.corpus.files import Folder
from tamis.corpus.planning import begin_run
from tamis.corpus.engines.local import do_tasks_here
from tamis.corpus.run import execute
from tamis.corpus.records import Settings

crawl, output = sys.argv[1:]
settings = Settings(format="jsonl", describe=False)
run = begin_run([crawl], Folder(output), settings)


def die(progress):
    if progress.done:
        os.kill(os.getpid(), signal.SIGKILL)


execute(run, partial(do_tasks_here, workers=2), die)
"""


@needs.posix
def test_a_run_that_was_killed_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", files=8, pages=20)
    done(crawl, tmp_path / "undisturbed")
    output = tmp_path / "killed"
    killed = subprocess.run([sys.executable, "-c", COMMAND, crawl, output], check=False)
    assert killed.returncode == -signal.SIGKILL
    finished = len(list(output.glob("marks/*.json")))
    assert 0 < finished < 8
    summary, _ = done(crawl, output)
    assert summary.complete
    assert 0 < summary.new.records < summary.counts.records == 160
    assert files(output) == files(tmp_path / "undisturbed")


def children() -> set[int]:
    """The processes that threads of this one began."""
    threads = Path("/proc/self/task").glob("*/children")
    return {int(child) for file in threads for child in file.read_text().split()}


@needs.linux
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    crawl = write_crawl(tmp_path / "crawl", files=2, pages=200)
    run = begin_run([str(crawl)], Folder(str(tmp_path / "out")), settings())
    killed: set[int] = set()
    others = children()

    def report(progress: Progress) -> None:
        if progress.done == 1 and not killed:
            killed.update(children() - others)
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    summary = execute(run, partial(do_tasks_here, workers=1), report)
    assert len(killed) == 1
    assert (summary.complete, summary.counts.kept, summary.failed) == (True, 400, {})
    assert len(rows(tmp_path / "out")) == 400


# Failures


def test_a_shard_whose_source_is_gone_fails_alone(crawl: Path, tmp_path: Path) -> None:
    moved = tmp_path / "crawl"
    write_crawl(moved, files=3, pages=2)
    begin_run([str(moved)], Folder(str(tmp_path / "out")), settings())
    page = (moved / "1.warc.gz").read_bytes()
    (moved / "1.warc.gz").unlink()
    summary, _ = done(moved, tmp_path / "out", workers=1)
    assert not summary.complete
    assert summary.counts.kept == 4
    [(name, why)] = summary.failed.items()
    assert name == f"extract 1 ({moved / '1.warc.gz'})"
    assert "no such file or folder" in why
    assert not (tmp_path / "out" / "summary.json").exists()
    assert sorted(path.name for path in (tmp_path / "out").glob("part*")) == [
        "part-00000.jsonl",
        "part-00002.jsonl",
    ]
    (moved / "1.warc.gz").write_bytes(page)
    summary, _ = done(moved, tmp_path / "out")
    assert (summary.complete, summary.new.records, summary.counts.kept) == (True, 2, 6)


@needs.posix
def test_a_task_whose_process_dies_each_time_is_given_up_and_reported(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    class Dying(Process):
        def ask(self, question: object, *rest: Any) -> Any:
            asked.append(question)
            (self._process or self._start()).kill()
            return super().ask(question, *rest)

    write_crawl(tmp_path / "crawl", files=1, pages=1)
    monkeypatch.setattr(local_engine, "Process", Dying)
    summary, _ = done(tmp_path / "crawl", tmp_path / "out", workers=1)
    assert asked == [Task("extract", 0)] * 3
    assert list(summary.failed.values()) == ["its process ended by signal 9, 3 times"]
    assert not summary.complete


def test_a_system_that_gives_no_process_is_reported_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise BlockingIOError("no process left")

    write_crawl(tmp_path / "crawl", files=3, pages=1)
    monkeypatch.setattr(subprocess, "Popen", no_process)
    summary, _ = done(tmp_path / "crawl", tmp_path / "out", workers=2)
    assert len(summary.failed) == 3
    assert set(summary.failed.values()) == {
        "its process could not be started (BlockingIOError: no process left)"
    }


@needs.ordinary_user
def test_an_output_folder_that_cannot_be_written_to_ends_the_run(
    crawl: Path, tmp_path: Path
) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="permission denied"):
        done(crawl, tmp_path / "out")


def test_a_folder_that_is_no_longer_writable_ends_the_run_with_what_to_do(
    crawl: Path, tmp_path: Path
) -> None:
    run = begin_run([str(crawl)], Folder(str(tmp_path)), settings())
    (tmp_path / "marks").write_text("in the way")
    with pytest.raises(OutputError, match="choose another output folder"):
        execute(run, partial(do_tasks_here, workers=2))


# Steps after the extraction


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory, sources: dict[str, bytes]) -> Path:
    """Two shards; the second has copies of pages of the first, one of them changed."""
    folder = tmp_path_factory.mktemp("repeated")
    changed = sources["news-de"].replace(b" und ", b" sowie ")
    pages = {
        "a": [sources["news-de"], sources["news-zh"], sources["recipe-fr"], sources["news-zh"]],
        "b": [sources["docs-en"], sources["news-de"], changed, sources["recipe-fr"]],
    }
    for name, texts in pages.items():
        addressed = ((f"https://{name}.example/{at}", html) for at, html in enumerate(texts))
        write_warc(folder / f"{name}.warc.gz", addressed)
    return folder


def addresses(output: Path) -> list[str]:
    return [row["url"].removeprefix("https://").replace(".example", "") for row in rows(output)]


def rejects(output: Path) -> list[dict[str, str]]:
    return [
        json.loads(line)
        for path in sorted(output.glob("rejects/*.gz"))
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]


def test_the_same_texts_are_dropped_in_all_shards(repeated: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    summary, _ = done(repeated, tmp_path, duplicates="exact")
    assert addresses(tmp_path) == ["a/0", "a/1", "a/2", "b/0", "b/2"]
    assert summary.counts.rejected == {"duplicate": 3}


def test_nearly_the_same_texts_are_dropped_whoever_does_the_work(
    repeated: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    output = tmp_path / "1"
    summary, steps = done(repeated, output, duplicates="near", rejects=True)
    assert steps == ["extract", "compare", "select"]
    assert addresses(output) == ["a/0", "a/1", "a/2", "b/0"]
    assert (summary.counts.records, summary.counts.kept) == (8, 4)
    assert summary.counts.rejected == {"duplicate": 3, "near duplicate": 1}
    assert [reject["reason"] for reject in rejects(output)].count("duplicate") == 3
    done(repeated, tmp_path / "2", workers=2, duplicates="near", rejects=True)
    assert files(tmp_path / "2") == files(output)
    again, steps = done(repeated, output, duplicates="near", rejects=True)
    assert (steps, again.counts) == ([], summary.counts)


def test_what_was_dropped_is_written_with_the_reason_when_wanted(
    tmp_path: Path, sources: dict[str, bytes]
) -> None:
    pages = [sources["news-en"], b"<p>Coming soon to a harbour near you.", sources["news-ar"]]
    addressed = zip((f"https://{name}.example/" for name in "abc"), pages, strict=True)
    write_warc(tmp_path / "crawl.warc.gz", addressed)
    summary, _ = done(
        tmp_path / "crawl.warc.gz",
        tmp_path / "out",
        rejects=True,
        min_words=20,
        languages=("en",),
        describe=True,
    )
    assert summary.counts.rejected == {"short": 1, "language": 1}
    assert [row["url"] for row in rows(tmp_path / "out")] == ["https://a.example/"]
    short_one, arabic = rejects(tmp_path / "out")
    assert short_one == {
        "id": "<urn:test:https://b.example/>",
        "url": "https://b.example/",
        "reason": "short",
        "detail": "7 words",
    }
    assert (arabic["reason"], arabic["detail"]) == ("language", "ar-AR")


# Several commands on one run


@needs.posix
def test_two_commands_do_not_work_in_one_folder_at_a_time_unless_each_has_its_rank(
    crawl: Path, tmp_path: Path
) -> None:
    import fcntl

    begin_run([str(crawl)], Folder(str(tmp_path)), settings())
    with (tmp_path / ".lock").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        with pytest.raises(InputError, match="another command is at work in it"):
            done(crawl, tmp_path)
        summary, _ = done(crawl, tmp_path, rank=Rank(3, 4))
    assert summary.new.records == 3


def test_ranks_do_their_parts_and_together_all(
    crawl: Path, tmp_path: Path, undisturbed: Path
) -> None:
    first, _ = done(crawl, tmp_path, rank=Rank(0, 2))
    assert (first.complete, first.failed, first.new.records) == (False, {}, 6)
    assert sorted(path.name for path in tmp_path.glob("part*")) == [
        "part-00000.jsonl",
        "part-00002.jsonl",
    ]
    second, _ = done(crawl, tmp_path, rank=Rank(1, 2))
    assert (second.complete, second.new.records, second.counts.records) == (True, 6, 12)
    assert files(tmp_path) == files(undisturbed)


def test_steps_that_need_all_of_the_one_before_wait_for_the_other_ranks(
    repeated: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    for rank in (Rank(0, 2), Rank(1, 2)):
        summary, _ = done(repeated, tmp_path, rank=rank, duplicates="exact")
        assert not summary.complete
    assert not list(tmp_path.glob("part*"))
    summary, steps = done(repeated, tmp_path, duplicates="exact")
    assert (summary.complete, summary.new.records) == (True, 0)
    assert steps == ["extract", "compare", "select"]
    assert summary.counts.kept == 5


# Progress


def test_progress_counts_what_is_new_and_what_was_there(crawl: Path, tmp_path: Path) -> None:
    done(crawl, tmp_path, rank=Rank(0, 2))
    run = Run.open(Folder(str(tmp_path)))
    seen: list[tuple[int, int, int]] = []

    def report(progress: Progress) -> None:
        seen.append((progress.done, progress.counts.records, progress.new.records))
        assert progress.tasks == 4
        left = progress.seconds_left
        assert left is None or left >= 0

    execute(run, in_this_process, report)
    assert seen[0] == (2, 6, 0)
    assert seen[-1] == (4, 12, 6)
    assert seen == sorted(seen)
