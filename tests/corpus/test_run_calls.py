"""A corpus run as one call."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import tamis
from tamis import InputError, Options, OptionsError
from tamis.cli import main
from tamis.cli.commands.corpus import corpus_command
from tamis.corpus.records import Settings
from tamis.corpus.run import CorpusFields, Progress


@pytest.fixture
def pages(tmp_path: Path, sources: dict[str, bytes]) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("news-de", "docs-en", "news-en"):
        (folder / f"{name}.html").write_bytes(sources[name])
    return folder


def rows(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("part-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def test_one_call_writes_the_rows_and_returns_the_report(pages: Path, tmp_path: Path) -> None:
    steps: list[str] = []
    report = tamis.extract_corpus(
        pages,
        tmp_path / "out",
        format="jsonl",
        languages=["English"],
        also="markdown",
        workers=1,
        focus="precision",
        on_progress=lambda progress: steps.append(progress.step),
    )
    assert isinstance(report, tamis.CorpusReport)
    assert (report.complete, report.shards, report.failed) == (True, 1, {})
    assert (report.counts.kept, report.counts.rejected) == (2, {"language": 1})
    assert {row["language"][:2] for row in rows(tmp_path / "out")} == {"en"}
    assert all(row["markdown"] for row in rows(tmp_path / "out"))
    assert steps and set(steps) == {"extract"}
    again = tamis.extract_corpus(
        [pages],
        tmp_path / "out",
        format="jsonl",
        languages="en",
        also=("markdown",),
        focus="precision",
    )
    assert (again.complete, again.counts, again.new.records) == (True, report.counts, 0)


def test_the_command_writes_what_the_call_does(pages: Path, tmp_path: Path) -> None:
    tamis.extract_corpus(pages, tmp_path / "a", format="jsonl", min_words=20, comments=True)
    options = ["--format", "jsonl", "--min-words", "20", "--comments", "--json"]
    arguments = ["corpus", str(pages), "--output", str(tmp_path / "b"), *options]
    result = CliRunner().invoke(main, arguments)
    assert json.loads(result.stdout)["kept"] == 3
    for name in ("part-00000.jsonl", "run.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_every_option_of_the_command_is_one_of_the_call_and_the_other_way_round() -> None:
    keywords = {*CorpusFields.__annotations__, *inspect.signature(tamis.extract_corpus).parameters}
    own = {"on_progress", "on_fetch", "options", "fields", "today"}
    of_command = {parameter.name for parameter in corpus_command.params}
    assert of_command - {"quiet", "as_json", "weights", "project"} == keywords - own - {
        "max_output"
    }
    settings = {field.name for field in fields(Settings)} - {"options", "columns"}
    assert settings < keywords


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"min_word": 3}, "there is no option 'min_word'; did you mean 'min_words'"),
        ({"format": "docx"}, "format is 'docx'; give one of parquet"),
        ({"languages": ["klingon"]}, "no language is called 'klingon'"),
        ({"page_types": ["novel"]}, "page_types is .*; give one or more of article"),
        ({"also": ["pdf"]}, "also is .*; give one or more of markdown, html"),
        ({"min_words": 0}, "min_words is 0; give 1 or more"),
        ({"min_probability": 2}, "min_probability is 2; give a number from 0 to 1"),
        ({"duplicates": "all"}, "duplicates is 'all'; give one of keep"),
        ({"memory": 1}, "memory is 1; give"),
        ({"engine": "spark"}, "engine is 'spark'; give one of local, ray"),
        ({"input_format": "pdf"}, "input_format is 'pdf'; give one of warc"),
        ({"workers": 0}, "workers is 0"),
        ({"rank": (2, 2)}, r"rank is \(2, 2\); give \(0, 8\)"),
        ({"delay": -1}, "delay is -1"),
        ({"focus": "all"}, "focus is 'all'"),
    ],
)
def test_a_wrong_option_is_refused_and_leaves_no_folder(
    pages: Path, tmp_path: Path, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionsError, match=message):
        tamis.extract_corpus(pages, tmp_path / "out", **wrong)
    assert not (tmp_path / "out").exists()


def test_options_may_be_one_object_and_the_limits_are_those_of_a_crawl(
    pages: Path, tmp_path: Path
) -> None:
    tamis.extract_corpus(pages, tmp_path / "a", format="jsonl", links=False)
    stored = json.loads((tmp_path / "a" / "run.json").read_text())
    assert stored["settings"]["options"]["max_seconds"] == Settings().options.max_seconds
    tamis.extract_corpus(pages, tmp_path / "b", format="jsonl", options=Options(links=False))
    stored = json.loads((tmp_path / "b" / "run.json").read_text())
    assert stored["settings"]["options"]["max_seconds"] == Options().max_seconds
    assert stored["settings"]["options"]["links"] is False


def test_input_without_records_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="no records"):
        tamis.extract_corpus(tmp_path / "empty.jsonl", tmp_path / "out", format="jsonl")


def test_progress_can_be_followed(pages: Path, tmp_path: Path) -> None:
    seen: list[Progress] = []
    tamis.extract_corpus(pages, tmp_path, format="jsonl", on_progress=seen.append)
    assert (seen[-1].done, seen[-1].counts.records) == (1, 3)
