"""Every method, fitted or not, through the API, the commands, the bench, corpus runs and sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tamis
from tamis.cli import main
from tamis.methods._registry import site_methods
from tests.site.pages import article

PAGES = [article(number) for number in range(6)]
SITE_METHODS = site_methods()

every_method = pytest.mark.parametrize("name", tamis.list_methods())
can_be_fitted = pytest.mark.parametrize("name", ["tamis", *SITE_METHODS])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site as a folder of files, and as a data set with gold."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "courier.example").mkdir()
    rows = []
    for number, html in enumerate(PAGES):
        (folder / "courier.example" / f"{number}.html").write_text(html, "utf-8")
        url = f"https://courier.example/{number}"
        gold = tamis.extract(html).text
        rows.append({"id": str(number), "html": html, "url": url, "text": gold})
    lines = "".join(json.dumps(row | {"dataset": "courier"}) + "\n" for row in rows)
    (folder / "courier.jsonl").write_text(lines, "utf-8")
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def fit(name: str) -> tamis.Method:
    """The method as an object: fitted to the site, if it can be."""
    if name in ("tamis", *SITE_METHODS):
        return tamis.Site().fit(PAGES, method=name)
    return tamis.Options(method=name).make_method()


@every_method
def test_the_api_takes_the_method_as_an_object_and_all_ways_give_the_same(name: str) -> None:
    method = fit(name)
    results = [tamis.extract(html, method=method) for html in PAGES]
    assert {result.method for result in results} == {name}
    assert any(result.text for result in results)
    many = list(tamis.extract_many(PAGES, method=method, workers=1))
    assert [result.text for result in many if isinstance(result, tamis.Result)] == [
        result.text for result in results
    ]
    assert all(block.reason for block in results[0].blocks)
    assert results[0].explain().count("<details id=") == len(results[0].blocks)


@every_method
def test_the_api_and_the_command_take_the_method_by_name_or_say_how_it_is_fitted(
    name: str, folder: Path
) -> None:
    file = folder / "courier.example" / "0.html"
    result = run("extract", file, "--method", name)
    if name in SITE_METHODS:
        with pytest.raises(tamis.MethodError, match=f"fit\\(pages, method='{name}'\\)"):
            tamis.extract(PAGES[0], method=name)
        assert result.exit_code == 2
        assert "tamis site learn" in result.stderr
    else:
        assert result.exit_code == 0, result.output
        assert result.stdout.rstrip("\n") == tamis.extract(PAGES[0], method=name).text


@can_be_fitted
def test_the_commands_of_a_site_fit_use_and_show_the_method(
    name: str, folder: Path, tmp_path: Path
) -> None:
    model, file = tmp_path / "courier.npz", folder / "courier.example" / "0.html"
    learned = run("site", "learn", file.parent, "--method", name, "--output", model)
    assert learned.exit_code == 0, learned.output
    assert "6 pages" in learned.stdout
    text = fit(name)
    assert isinstance(text, tamis.Site)
    extracted = run("site", "extract", model, file)
    assert extracted.exit_code == 0, extracted.output
    assert extracted.stdout.rstrip("\n") == text.extract(PAGES[0]).text
    assert "6 pages" in run("site", "show", model).stdout


@every_method
def test_the_bench_runs_the_method_by_the_protocols_of_the_papers(
    name: str, folder: Path, tmp_path: Path
) -> None:
    for protocol in ("same", "half"):
        result = run(
            *("bench", "--data", folder / "courier.jsonl", "--methods", name, "--workers", 1),
            *("--protocol", protocol, "--cache", tmp_path, "--format", "json"),
        )
        assert result.exit_code == 0, result.output
        (row,) = json.loads(result.stdout)["sets"]
        fitted = name in SITE_METHODS
        assert row["contestant"] == (f"{name} ({protocol})" if fitted else name)
        assert row["pages"] == len(PAGES)


@every_method
def test_a_corpus_run_takes_the_method_with_site_models_if_it_is_fitted(
    name: str, folder: Path, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    arguments = ["corpus", folder / "courier.jsonl", "--format", "jsonl", "--workers", 1]
    arguments += ["--method", name, "--output", tmp_path / "texts"]
    if name in SITE_METHODS:
        refused = run(*arguments)
        assert refused.exit_code == 2
        assert "--site-models" in refused.stderr
        arguments.append("--site-models")
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    lines = [
        json.loads(line)
        for path in sorted((tmp_path / "texts").glob("part-*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    method: str | tamis.Method = fit(name) if name in SITE_METHODS else name
    texts = [tamis.extract(html, method=method).text for html in PAGES]
    assert [line["text"] for line in lines] == [text for text in texts if text]
