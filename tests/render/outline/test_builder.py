"""The walk: limits, images that belong, listings and tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tamis
from tamis._runtime import limits
from tamis.errors import DeadlineError, TooMuchOutputError
from tamis.render import clean_html, document, markdown
from tamis.render.outline import builder

OPTIONS = tamis.Options()


def kept_of(page: tamis.Page, *dropped: str) -> np.ndarray:
    texts = page.block_texts(np.arange(len(page.blocks)))
    return np.array([line not in dropped for line in texts], bool)


@pytest.mark.parametrize(
    ("source", "dropped", "there"),
    [
        ("<p>a<p><img src=/i.png><p>b", "", True),
        ("<img src=/i.png><p>a<p>b", "", True),
        ("<img src=/i.png><p>a<p>ad", "ad", False),
        ("<p>a<div><img src=/i.png><p>ad</div><p>b", "ad", False),
        ("<p>a<div><img src=/i.png></div><p>ad<p>b", "ad", True),
        ("<p>a<figure><img src=/i.png><figcaption>c</figcaption></figure><p>b", "c", True),
        ("<p>a<aside><figure><img src=/i.png></figure><a href=/x>ad</a></aside><p>b", "ad", False),
        ("<p>text <img src=/i.png></p>", "", True),
    ],
)
def test_an_image_is_kept_with_the_text_around_it(source: str, dropped: str, there: bool) -> None:
    page = tamis.parse(source)
    result = markdown.render(page, kept_of(page, dropped), "https://example.org/", OPTIONS)
    assert ("i.png" in result) == there


@pytest.mark.parametrize(
    "source",
    [
        "<table><tr><td colspan=999999999>a<td rowspan=999999999>b<tr><td>c<td>d</table>",
        "<table>" + "<tr><td rowspan=60000>a<td colspan=1000>b" * 5_000,
        "<ul><li>a" * 900,
        "<blockquote>a" * 1_900,
        "<b><i>a" * 900,
        "<table><tr><td>a" * 400,
        "<p>" + "<a href=#fn1>1</a><img src=x>" * 8_000,
        "<pre>" + "<span class=lineno>1</span>a\n" * 8_000,
        "<p>" + "<math><mi>x</mi></math><span class=katex>y</span>" * 5_000,
        "<p>" + "*_`[" * 50_000,
        "<p>" + "<b>(</b>a" * 20_000,
        "<b>" * 1_500 + "<p>x</p>" * 5_000,
        "<p>" + "\\(a " * 20_000,
    ],
    ids=range(13),
)  # fmt: skip
def test_hostile_pages_take_bounded_space(source: str) -> None:
    page = tamis.parse(source)
    kept = np.ones(len(page.blocks), bool)
    for render in (markdown.render, clean_html.render):
        assert len(render(page, kept, None, OPTIONS)) < 40 * len(source) + 10_000


LONG = "<p>" + "<b>a</b> <a href=/x>b</a> " * 3_000 + "<p>c" * 3_000


@pytest.mark.parametrize("render", [markdown.render, clean_html.render, document.render])
def test_a_renderer_ends_at_its_limits(render: Callable[..., object]) -> None:
    page = tamis.parse(LONG)
    shared = (page, np.ones(len(page.blocks), bool), None, OPTIONS)
    with pytest.raises(TooMuchOutputError, match="max_output"), limits.within(60, 1_000):
        render(*shared)
    with pytest.raises(DeadlineError, match="max_seconds"), limits.within(0):
        render(*shared)


def test_a_line_break_in_a_deep_list_counts_with_its_prefix() -> None:
    page = tamis.parse("<ol start=10000000><li>" * 6 + "<pre>" + "\nx" * 1_000)
    with pytest.raises(TooMuchOutputError), limits.within(60, 10_000):
        markdown.render(page, np.ones(len(page.blocks), bool), None, OPTIONS)


@pytest.mark.parametrize("source", ["<ul><li>a" * 500, "<figcaption>a" * 500])
def test_the_nesting_of_the_output_is_limited(source: str) -> None:
    page = tamis.parse(source)
    content = document.render(page, np.ones(len(page.blocks), bool), None, OPTIONS)
    depth = 0
    while content:
        depth += 1
        content = [child for block in content for child in block.get("children", [])]
    assert depth < 20


def test_nothing_kept_gives_nothing() -> None:
    page = tamis.parse("<p>a<img src=/i.png><hr>")
    kept = np.zeros(len(page.blocks), bool)
    assert builder.build_outline(page, kept, None, OPTIONS).events == []
    assert (
        markdown.render(page, kept, None, OPTIONS)
        == clean_html.render(page, kept, None, OPTIONS)
        == ""
    )


def test_an_empty_page_gives_nothing() -> None:
    page = tamis.parse("")
    assert markdown.render(page, np.zeros(0, bool), None, OPTIONS) == ""
