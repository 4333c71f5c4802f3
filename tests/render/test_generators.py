"""Pages of generators and platforms: their structures come out as Markdown.

tests/generators has pages as each generator writes them, with the Markdown that a careful person
wants of them. `python benchmarks/structure.py --only generators` shows what is missing.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import tamis

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "tests" / "generators"
SEEN = sorted((PAGES / "seen").glob("*.html"))
UNSEEN = sorted((PAGES / "unseen").glob("*.html"))

# What the code was written with in view must be there; of the others most of it.
LEAST_SEEN, LEAST_MEAN = 0.85, 0.97
LEAST_MEAN_UNSEEN = 0.88


@cache
def units() -> ModuleType:
    """The reader of Markdown that the benchmarks have."""
    path = ROOT / "benchmarks" / "units.py"
    spec = importlib.util.spec_from_file_location("benchmark_units", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def units_of(markdown: str, url: str, title: str) -> Counter[tuple[str, str, str]]:
    """How often a document has each unit, its title left out."""
    keys = (unit.key for unit in units().of_markdown(markdown, url).units)
    return Counter(key for key in keys if key[:2] != ("heading", title))


@cache
def agreement(path: Path) -> float:
    """F1 of the units of a page: headings, items, cells, code, footnotes ..."""
    source = path.read_text("utf-8")
    comment = source.partition("<!-- ")[2].partition(" -->")[0]
    url = json.loads(comment)["url"]
    result = tamis.extract(source, url=url)
    gold = units_of(path.with_suffix(".md").read_text("utf-8"), url, "")
    output = units_of(result.markdown, url, result.metadata.title or "")
    return 2 * (gold & output).total() / (gold.total() + output.total())


@pytest.mark.parametrize("path", SEEN, ids=lambda path: path.stem)
def test_the_structures_of_a_generator_come_out(path: Path) -> None:
    assert agreement(path) >= LEAST_SEEN


def test_almost_all_units_of_the_pages_are_right() -> None:
    assert sum(map(agreement, SEEN)) / len(SEEN) >= LEAST_MEAN


def test_most_units_of_pages_that_were_set_aside_are_right() -> None:
    assert sum(map(agreement, UNSEEN)) / len(UNSEEN) >= LEAST_MEAN_UNSEEN
