"""The figures of the documentation are those that the commands beside them wrote last."""

from __future__ import annotations

import json
import sys
from difflib import unified_diff

import pytest
from tests.docs.conftest import ROOT

BENCHMARKS = str(ROOT / "benchmarks")

sys.path.insert(0, BENCHMARKS)
try:
    import figures
    import papers
    import site_figures
finally:
    sys.path.remove(BENCHMARKS)

EXPLANATION = ROOT / "docs" / "explanation"
PAPERS = (EXPLANATION / "papers.md").read_text("utf-8")
STORED = (
    *("papers.md", "site-methods.md", "methods/x_cex.md", "methods/content_extractor.md"),
    *("methods/site_style_tree.md", "methods/xpath_blocks.md"),
)
"""Pages whose tables are all printed by commands that know `--stored`."""
PAGE = """\
F {} for {} over
pages, and {} of the units.

<!-- figures in the text: text_blocks.py > figures.json
F {{sets/0/f}} for {{sets/1/f}} over pages, and {{share}} of the units
-->
"""
RESULTS = {"sets": [{"f": 0.6896}, {"f": 0.683}], "share": 0.1391}


def as_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "stored", lambda file: RESULTS)


@pytest.mark.parametrize("page", STORED)
def test_the_figures_of_a_page_are_those_of_the_last_runs(page: str) -> None:
    text = (EXPLANATION / page).read_text("utf-8")
    renewed = figures.renew(text, figures.run_stored)
    differences = list(unified_diff(text.splitlines(), renewed.splitlines(), lineterm="", n=0))
    command = f"benchmarks/figures.py docs/explanation/{page} --stored writes"
    assert not differences, "\n".join([command, *differences])


def test_every_figure_of_the_papers_has_a_command_or_is_marked_as_that_of_others() -> None:
    assert figures.unnamed(PAPERS) == []


def test_the_chart_of_the_site_methods_is_that_of_the_last_run() -> None:
    table = json.loads((figures.script.RESULTS / "site_methods.json").read_text("utf-8"))["same"]
    assert site_figures.CHART.read_text("utf-8") == site_figures.draw(table)


def test_the_bars_of_the_text_blocks_are_those_of_the_last_run() -> None:
    assert papers.FIGURE_5.read_text("utf-8") == papers.figure_5(figures.stored("papers-kim.json"))


def test_a_figure_is_renewed_in_the_form_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    as_stored(monkeypatch)
    renewed = figures.fill_phrases(PAGE.format(".7", "0.6830", "14.9%"))
    assert renewed == PAGE.format(".7", "0.6830", "13.9%")


def test_a_phrase_that_is_not_in_the_page_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    as_stored(monkeypatch)
    with pytest.raises(SystemExit, match=r"over pages, and .* stands 0 times in the page"):
        figures.fill_phrases(PAGE.format(".690", ".683", "many"))


def test_a_phrase_does_not_match_inside_a_longer_number(monkeypatch: pytest.MonkeyPatch) -> None:
    as_stored(monkeypatch)
    page = PAGE.format(".690", ".683", "13.9%").replace("units.", "units. F .5 for .4 over papers.")
    assert figures.fill_phrases(page) == page


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("It has F .85 there.", 1),
        ("13% of 84,198 blocks", 2),
        ("`threshold=0.45`, sec. 3.2, of 2013, epsilon 0.5", 0),
        ("<!-- figures of others: a paper\nIt has F .85\n-->\nIt has F .85 there.", 0),
    ],
)
def test_what_looks_like_a_measurement_needs_a_command(words: str, found: int) -> None:
    assert len(figures.unnamed(words)) == found
