"""`python benchmarks/data.py`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import data as sets
import public_sets
import pytest
from click.testing import CliRunner, Result
from public_sets import PublicSet
from tests import needs
from tests.benchmarks.public_sets.repositories import big9, commit_all, scrapinghub

from tamis.cli import main

pytestmark = needs.git


def data(*arguments: object) -> Result:
    return CliRunner().invoke(sets.main, [*map(str, arguments)])


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    folder.mkdir()
    scrapinghub(folder)
    commit_all(folder)
    return folder


def test_the_list_says_what_each_set_may_be_used_for_and_what_nobody_checked() -> None:
    rows = {line.split()[0]: line for line in data("list").stdout.splitlines()}
    assert "train, evaluate" in rows["wcxb-dev"] and "CC BY 4.0 " in rows["wcxb-dev"]
    assert "train" not in rows["dragnet"] and " ?  " in rows["dragnet"]
    assert "Apache-2.0?" in rows["records"] and "cannot" in rows["records"]


def test_a_set_is_described_with_how_each_fact_is_known() -> None:
    result = data("list", "scrapinghub", "mercury")
    assert "https://github.com/scrapinghub/article-extraction-benchmark" in result.stdout
    assert "4a3bc979f76c0df73cb95fe272e2fc1b96f9f010 (another benchmark" in result.stdout
    assert "(of our copy, not verified)" in result.stdout
    assert "MIT (not verified: no licence file was seen" in result.stdout
    (row,) = json.loads(data("list", "scrapinghub", "--format", "json").stdout)
    assert row["pages"] == 181 and row["use"] == "train, evaluate"


def test_a_set_is_made_and_found_by_the_bench(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path / "data"))
    result = data("get", "scrapinghub", "--from", clone, "--commit", "main")
    assert result.exit_code == 0, result.output
    path = tmp_path / "data/datasets/scrapinghub.jsonl.xz"
    assert result.stdout.startswith(f"{path}: 1 pages, from {clone} at ")
    assert result.stdout.endswith("; licence: MIT; use: train, evaluate\n")
    assert "not what our figures are of: 1 pages, not 181, other pages" in result.stderr
    receipt = json.loads(path.with_name("scrapinghub.json").read_text())
    assert receipt["licence"] == "MIT" and receipt["matches"] is False
    assert "there" in data("list").stdout.splitlines()[2]
    words = ["bench", "--sets", "scrapinghub", "--methods", "baseline", "--no-cache"]
    bench = CliRunner().invoke(main, words)
    assert bench.exit_code == 0, bench.output
    assert "scrapinghub" in bench.stdout


def test_the_bench_says_where_it_looked_for_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_DATA", str(tmp_path))
    result = CliRunner().invoke(main, ["bench", "--sets", "big9"])
    assert result.exit_code == 2
    assert "no datasets/*.jsonl.xz in it" in result.stderr


def test_output_chooses_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    big9(folder)
    result = data("get", "big9", "--from", folder, "--output", tmp_path / "mine")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "mine/datasets/big9.jsonl.xz").exists()
    again = data("get", "big9", "--from", folder, "--commit", "x", "-o", tmp_path / "mine")
    assert again.exit_code == 0


def test_a_set_that_fails_does_not_stop_the_others(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moved(name: str) -> PublicSet:
        address = clone.as_uri() if name == "scrapinghub" else f"{tmp_path.as_uri()}/moved"
        return dataclasses.replace(public_sets.table()[name], repository=address, commit=None)

    monkeypatch.setattr("data.source_of", moved)
    result = data("get", "big9", "scrapinghub", "--output", tmp_path / "data")
    assert result.exit_code == 2
    assert "big9: file:///" in result.stderr and "no such repository" in result.stderr
    assert "1 of 2 sets could not be made" in result.stderr
    assert (tmp_path / "data/datasets/scrapinghub.jsonl.xz").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["get"], "Missing argument"),
        (["get", "nothing"], "no data set is called 'nothing'"),
        (["get", "big9", "dragnet", "--from", "x"], "are about one set"),
        (["get", "records"], "SWDE"),
        (["get", "big9", "--from", "/no/such/folder"], "/no/such/folder"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: list[str], message: str, tmp_path: Path) -> None:
    result = data(*words, *(["--output", tmp_path] if words != ["get"] else []))
    assert result.exit_code == 2
    assert message in result.output
