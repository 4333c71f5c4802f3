"""The recipes for tables of pandas, polars and DuckDB, each run as it stands and on more pages."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tamis
from tests.docs.blocks import blocks
from tests.integrations.examples import EXAMPLE, ROOT, run_example

PAGE = (ROOT / "docs" / "how-to" / "integrations" / "tables.md").read_text("utf-8")
RECIPES = {
    name: EXAMPLE.findall(section)[0]
    for name, section in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
}


def recipe(name: str) -> tuple[str, str]:
    library = name.lower()
    reason = f"needs tamis[{library}]: make integrations"
    pytest.importorskip(library, reason=reason)
    if library == "duckdb":
        pytest.importorskip("pyarrow", reason=reason)
    code, printed = RECIPES[name]
    return code, printed


def test_there_is_a_recipe_for_each_library() -> None:
    assert set(RECIPES) == {"pandas", "polars", "DuckDB"}


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_prints_what_is_below_it(name: str, tmp_path: Path) -> None:
    run_example(*recipe(name), tmp_path)


@pytest.fixture
def names_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """What a recipe defines, once it has run."""

    def run(name: str) -> dict[str, Any]:
        code, _ = recipe(name)
        monkeypatch.chdir(ROOT)
        (tmp_path / "recipe.py").write_text(code, "utf-8")
        return runpy.run_path(str(tmp_path / "recipe.py"))

    return run


def pages(count: int) -> dict[str, list[Any]]:
    """A column of addresses and one of HTML, of which one page in ten is none."""
    news = (ROOT / "examples" / "news.html").read_bytes()
    html = [
        b"%PDF-1.7" if number % 10 == 7 else news.replace(b"moonlight", b"day %d" % number)
        for number in range(count)
    ]
    return {"url": [f"https://a.example/{number}" for number in range(count)], "html": html}


def test_pandas_in_two_processes(names_of: Callable[[str], dict[str, Any]]) -> None:
    names = names_of("pandas")
    columns = pages(40)
    frame = names["pandas"].DataFrame(columns, index=range(100, 140))
    made = names["extracted"](frame, workers=2)
    assert list(made.index) == list(range(100, 140))
    assert made["title"][101] == "The village that learned to bake by day 1"
    expected = tamis.extract(columns["html"][39], url=columns["url"][39])
    assert made["markdown"][139] == expected.markdown
    assert made["error"].notna().sum() == 4
    assert "PDF" in made["error"][107]


def test_polars_in_two_processes(names_of: Callable[[str], dict[str, Any]]) -> None:
    names = names_of("polars")
    columns = pages(40)
    made = names["extracted"](names["polars"].DataFrame(columns), workers=2)
    assert made["url"].to_list() == columns["url"]
    assert made["text"][39] == tamis.extract(columns["html"][39]).text
    assert made["error"].null_count() == 36


def test_duckdb_in_batches(names_of: Callable[[str], dict[str, Any]]) -> None:
    names = names_of("DuckDB")
    columns = pages(40)
    batches = [
        names["pyarrow"].record_batch(
            {name: values[start : start + 20] for name, values in columns.items()}
        )
        for start in (0, 20)
    ]
    first, second = names["extracted"](batches)
    assert (len(first), len(second)) == (18, 18)
    assert second["url"][-1].as_py() == "https://a.example/39"
    expected = tamis.extract(columns["html"][39], url=columns["url"][39])
    assert second["markdown"][-1].as_py() == expected.markdown


def test_duckdb_reads_the_rows_of_a_corpus_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    recipe("DuckDB")  # skips where it is not installed
    from pyarrow import parquet, table

    (tmp_path / "run").mkdir()
    for number, words in enumerate(([300, 40], [2])):
        rows = table({"page_type": ["article"] * len(words), "words": words})
        parquet.write_table(rows, tmp_path / "run" / f"part-0000{number}.parquet")
    found = blocks(ROOT / "docs" / "reference" / "corpus-rows.md")
    (program,) = [block.text for block in found if "import duckdb" in block.text]
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    assert re.search(r"article *│ *3 *│ *342 ", capfd.readouterr().out)
