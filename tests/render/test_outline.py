"""The walk: limits, images that belong, listings and tables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tamis
from tamis._runtime import limits
from tamis.errors import DeadlineError, TooMuchOutputError
from tamis.render import html, json, markdown, outline, text, walk

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
    for render in (markdown.render, html.render):
        assert len(render(page, kept, None, OPTIONS)) < 40 * len(source) + 10_000


LONG = "<p>" + "<b>a</b> <a href=/x>b</a> " * 3_000 + "<p>c" * 3_000


@pytest.mark.parametrize("render", [markdown.render, html.render, json.render])
def test_a_renderer_ends_at_its_limits(render: Callable[..., object]) -> None:
    page = tamis.parse(LONG)
    shared = (page, np.ones(len(page.blocks), bool), None, OPTIONS)
    with pytest.raises(TooMuchOutputError, match="max_output"), limits.within(60, 1_000):
        render(*shared)
    with pytest.raises(DeadlineError, match="max_seconds"), limits.within(0):
        render(*shared)


def test_text_ends_at_its_limits() -> None:
    page = tamis.parse(LONG)
    with pytest.raises(TooMuchOutputError), limits.within(60, 1_000):
        text.render(page, np.ones(len(page.blocks), bool))


def test_a_line_break_in_a_deep_list_counts_with_its_prefix() -> None:
    page = tamis.parse("<ol start=10000000><li>" * 6 + "<pre>" + "\nx" * 1_000)
    with pytest.raises(TooMuchOutputError), limits.within(60, 10_000):
        markdown.render(page, np.ones(len(page.blocks), bool), None, OPTIONS)


def test_delimiters_fall_in_a_row_and_leave_their_text(as_markdown: Callable[..., str]) -> None:
    assert as_markdown("<p><b>x)</b><i>x)</i><b>x)</b>y") == "x)x)x)y"


def test_of_raised_numbers_inside_one_another_the_outermost_is_the_mark(
    as_html: Callable[..., str],
) -> None:
    source = "<p>a<sup><sup>1</sup></sup> b<p><b>1</b> c"
    assert as_html(source).count("<a ") == 1


@pytest.mark.parametrize("source", ["<ul><li>a" * 500, "<figcaption>a" * 500])
def test_the_nesting_of_the_output_is_limited(source: str) -> None:
    page = tamis.parse(source)
    document = json.render(page, np.ones(len(page.blocks), bool), None, OPTIONS)
    depth = 0
    while document:
        depth += 1
        document = [child for block in document for child in block.get("children", [])]
    assert depth < 20


def test_nothing_kept_gives_nothing() -> None:
    page = tamis.parse("<p>a<img src=/i.png><hr>")
    kept = np.zeros(len(page.blocks), bool)
    assert outline.outline(page, kept, None, OPTIONS) == []
    assert (
        markdown.render(page, kept, None, OPTIONS) == html.render(page, kept, None, OPTIONS) == ""
    )


def test_an_empty_page_gives_nothing() -> None:
    page = tamis.parse("")
    assert markdown.render(page, np.zeros(0, bool), None, OPTIONS) == ""


def test_text_has_the_source_of_a_formula_once(as_text: Callable[[str], str]) -> None:
    source = (
        "<p>by <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
        '<annotation encoding="application/x-tex">x_1</annotation></semantics></math></span>'
        "<span class=katex-html aria-hidden=true>x1</span></span> it"
    )
    assert as_text(source) == "by x_1 it"


def test_text_has_no_line_numbers_of_listings(as_text: Callable[[str], str]) -> None:
    source = "<p>a<pre><span class=lineno>1</span>b\n<span class=lineno>2</span>  c</pre>"
    assert as_text(source) == "a\nb\n  c"


@pytest.mark.parametrize("name", [*walk.WRAPPERS, "MathJax", "MathJax_Display"])
def test_every_class_of_elements_around_formulas_is_noticed(name: str) -> None:
    assert walk.may_have_wrappers(tamis.parse(f"<p>a <span class='x {name}'>b</span>"))


def test_other_classes_are_not_taken_for_those_around_formulas() -> None:
    source = "<p class='related text-center'>katex <b class='widget-area metadata t at'>a</b>"
    assert not walk.may_have_wrappers(tamis.parse(source))


@pytest.mark.parametrize(
    "listing",
    [
        "<pre>a<code class=language-python></code></pre>",
        "<pre><code class=language-python></code>a</pre>",
        "<pre id='1'><code id='2' class=language-python>a</code></pre>",
        "<pre data-lang=python title='='>a</pre>",
        "<div class=highlight-source-python><!-- = --><pre>a</pre></div>",
    ],
)
def test_the_language_is_in_the_tag_of_an_element_at_the_listing(
    as_markdown: Callable[[str], str], listing: str
) -> None:
    assert as_markdown(f"<p>b</p>{listing}") == "b\n\n```python\na\n```"
