"""A format, an engine or a step is one entry of a registry: API and command know it by that."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli import main
from tamis.cli.commands import corpus as command
from tamis.corpus.engines import ENGINES
from tamis.corpus.files import Folder, OutputFile
from tamis.corpus.formats import INPUTS, OUTPUTS
from tamis.corpus.formats._base import Format, Input, RowFormat, make_byte_ranges
from tamis.corpus.planning import begin_run
from tamis.corpus.records import Columns, Record, Reject, Row, Settings, Shard
from tamis.corpus.run import execute
from tamis.corpus.steps import STEPS
from tamis.corpus.steps._base import Job, Step
from tamis.corpus.tasks import EngineKind
from tests.corpus.crawls import in_this_process
from tests.site.pages import article


def cut(given: Input, columns: Columns, max_bytes: int, target: int) -> Iterator[Shard]:
    for file in given.files:
        yield from make_byte_ranges("toy", file, [0])


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Reject]:
    for number, page in enumerate(Path(shard.source).read_text().split("\0")[1:]):
        yield Record(str(number), None, page.encode(), None, None)


class Titles:
    def __init__(self, file: OutputFile, fields: Sequence[str]) -> None:
        self._file = file

    def write(self, row: Row, size: int) -> None:
        self._file.write(f"{row.title}\n".encode())

    def finish(self) -> None:
        pass


def count(job: Job) -> Iterator[None]:
    job.write("count.txt", str(len(job.run.shards)).encode())
    yield


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An entry of each registry, and nothing else."""
    sniff = b"TOY".__eq__
    toy = Format(name="toy", suffixes=(".toy",), sniff=sniff, cut=cut, read=read)
    with monkeypatch.context() as patched:
        patched.setitem(INPUTS, "toy", toy)
        titles = RowFormat(name="titles", suffix=".titles", writer=Titles)
        patched.setitem(OUTPUTS, "titles", titles)
        here = EngineKind("here", "in this process", lambda workers, address: in_this_process)
        patched.setitem(ENGINES, "here", here)
        patched.setitem(STEPS, "count", Step("count", lambda run: 1, count))
        importlib.reload(command)
        yield
    importlib.reload(command)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    path = tmp_path / "pages.toy"
    path.write_text("TOY" + "".join(f"\0{article(number)}" for number in range(3)))
    return path


@pytest.mark.usefixtures("toys")
def test_the_api_reads_writes_and_works_by_the_entries(pages: Path, tmp_path: Path) -> None:
    run = begin_run([str(pages)], Folder(str(tmp_path / "out")), Settings(format="titles"))
    summary = execute(run, in_this_process)
    assert (summary.complete, summary.counts.kept) == (True, 3)
    assert len((tmp_path / "out/part-00000.titles").read_text().splitlines()) == 3
    assert (tmp_path / "out/count.txt").read_text() == "1"


@pytest.mark.usefixtures("toys")
def test_the_command_offers_the_entries(pages: Path, tmp_path: Path) -> None:
    output = str(tmp_path / "out")
    given = ["corpus", str(pages), "-o", output, "--format", "titles", "--engine", "here"]
    done = CliRunner().invoke(main, [*given, "--input-format", "toy"], catch_exceptions=False)
    assert (done.exit_code, done.output.split(": ")[1][:6]) == (0, "3 rows")
    shown = CliRunner().invoke(main, ["corpus", "--help"]).output
    for entry in ("toy", "titles", "here", "in this process", ".toy"):
        assert entry in shown


def test_without_the_entries_nothing_is_known_of_them(pages: Path, tmp_path: Path) -> None:
    given = ["corpus", str(pages), "-o", str(tmp_path / "out"), "--input-format", "toy"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 2
    assert "'toy' is not one of" in done.output
