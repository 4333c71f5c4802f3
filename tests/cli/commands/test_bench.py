"""`tamis bench`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamis.bench import rivals
from tamis.bench.contestants import Contestant
from tamis.bench.run import Bench
from tamis.cli.commands.bench import bench_command
from tamis.errors import DatasetError, MethodError, TamisError

PAGE = "<nav><a href=/>Home</a></nav><p>" + "A tamis is a fine sieve of silk. " * 20


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    (tmp_path / "datasets").mkdir()
    for name in ("first", "second"):
        rows = [
            {"id": str(i), "dataset": name, "html": PAGE, "text": "A tamis", "page_type": "article"}
            for i in range(3)
        ]
        path = tmp_path / "datasets" / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def bench(tmp_path: Path, *arguments: str) -> Result:
    chosen = ["--workers", "1", "--cache", str(tmp_path / "cache"), *arguments]
    return CliRunner().invoke(bench_command, chosen)


def error_of(result: Result) -> TamisError:
    assert isinstance(result.exception, TamisError)
    return result.exception


def test_a_table_is_printed(shared: Path) -> None:
    result = bench(shared, "--shared", str(shared), "--methods", "baseline")
    assert result.exit_code == 0, result.output
    assert "| contestant | first (3) | second (3) | mean |" in result.stdout
    assert "\n| baseline |" in result.stdout


def test_decisions_on_blocks_are_a_table(shared: Path) -> None:
    result = bench(shared, "--shared", str(shared), "--methods", "baseline", "--blocks")
    assert "## Decisions on blocks" in result.stdout
    assert "| contestant | set | precision | recall | F1 | accuracy |" in result.stdout
    assert "Decisions" not in bench(shared, "--shared", str(shared), "--methods", "baseline").stdout


def test_json_has_a_row_a_contestant_and_set(shared: Path) -> None:
    result = bench(
        shared,
        *("--shared", str(shared), "--sets", "second", "--sample", "2", "--format", "json"),
        *("--methods", "baseline, boilerpipe", "--rouge", "--blocks"),
    )
    assert result.exit_code == 0, result.output
    tables = json.loads(result.stdout)
    assert [(row["contestant"], row["group"], row["pages"]) for row in tables["sets"]] == [
        ("baseline", "second", 2),
        ("boilerpipe", "second", 2),
    ]
    assert "rouge_lsum" in tables["sets"][0]["measures"]
    assert list(tables["sets"][0]["blocks"]) == ["precision", "recall", "f1", "accuracy"]
    assert tables["page_types"][0]["group"] == "article"


def test_broken_entries_are_left_out_and_counted(shared: Path) -> None:
    path = shared / "datasets" / "first.jsonl"
    path.write_text(path.read_text() + "{\n" * 7)
    arguments = ("--data", str(path), "--methods", "baseline")
    assert "line 4" in str(error_of(bench(shared, *arguments)))
    result = bench(shared, *arguments, "--keep-going")
    assert result.exit_code == 0
    assert "broken entries left out: 7" in result.stderr
    assert result.stderr.count("tamis: left out: ") == 5


def test_a_report_is_written(shared: Path) -> None:
    result = bench(
        shared,
        *("--data", str(shared / "datasets" / "first.jsonl"), "--methods", "baseline"),
        *("--report", str(shared / "out")),
    )
    assert result.exit_code == 0
    assert "report.html" in result.stderr
    assert (shared / "out" / "report.html").exists()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    stories = ["A tamis is made of silk", "Bakers sift barley", "Wheels turn", "Rain fell again"]
    rows = [
        {
            "id": story,
            "html": f"<p>{story}</p><p>All rights reserved by everybody here</p>",
            "text": story,
            "url": "https://mill.example/",
        }
        for story in stories
    ]
    path = tmp_path / "mill.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_method_that_is_fitted_runs_by_a_protocol(site: Path, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        result = bench(tmp_path, "--data", str(site), *arguments)
        assert result.exit_code == 0, result.output
        return result.stdout

    fitted = ("--least-pages", "4", "--methods", "content_extractor,site,baseline")
    half, same = run(*fitted), run(*fitted, "--protocol", "same")
    assert "| content_extractor (half) | 1.000 | 1.000 |" in half
    assert "\n| site (half) |" in half and "\n| baseline |" in half
    assert "| content_extractor (same) | 1.000 | 1.000 |" in same


def test_all_methods_are_those_that_the_pages_allow(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taking_part: list[str] = []

    def run(self: Bench, contestants: list[Contestant], *_: object, **__: object) -> list[object]:
        taking_part[:] = [contestant.name for contestant in contestants]
        return []

    monkeypatch.setattr(Bench, "run", run)
    bench(tmp_path, "--data", str(site))
    assert "tamis" in taking_part and "x_cex" not in " ".join(taking_part)
    bench(tmp_path, "--data", str(site), "--protocol", "same", "--least-pages", "4")
    assert {"tamis", "x_cex (same)", "site (same)"} < {*taking_part}


def test_sites_with_too_few_pages_are_said(site: Path, tmp_path: Path) -> None:
    error = error_of(bench(tmp_path, "--data", str(site), "--methods", "x_cex"))
    assert "no site of these sets has 6 pages or more" in str(error)


def test_parameters_follow_a_method(shared: Path) -> None:
    arguments = ("--shared", str(shared), "--sets", "first", "--methods")
    assert "no parameter 'sieve'" in str(error_of(bench(shared, *arguments, "boilerpipe:sieve=1")))
    assert isinstance(error_of(bench(shared, *arguments, "no-such-method")), MethodError)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --data"),
        (["--data", "x.jsonl", "--methods", "none"], "Nobody takes part"),
        (["--data", "x.jsonl", "--no-cache"], "exclude each other"),
        (["--data", "x.jsonl", "--sample", "0"], "--sample"),
        (["--data", "x.jsonl", "--least-pages", "3"], "--least-pages belongs to --protocol"),
    ],
)
def test_wrong_usage_is_reported(tmp_path: Path, arguments: list[str], message: str) -> None:
    result = bench(tmp_path, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_unknown_sets_and_folders_are_said(shared: Path) -> None:
    unknown = error_of(bench(shared, "--shared", str(shared), "--sets", "third"))
    assert isinstance(unknown, DatasetError)
    assert "there are: first, second" in str(unknown)
    empty = error_of(bench(shared, "--shared", str(shared / "datasets")))
    assert "check --shared" in str(empty)


def test_a_missing_rival_names_the_extra(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise rivals.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(rivals.metadata, "version", missing)
    for chosen in ("trafilatura", "all"):
        result = bench(shared, "--shared", str(shared), "--rivals", chosen)
        assert "pip install 'tamis[rivals]'" in str(error_of(result))


def test_help_has_examples() -> None:
    result = CliRunner().invoke(bench_command, ["--help"])
    assert "tamis bench --shared ../shared --sample 100" in result.stdout
