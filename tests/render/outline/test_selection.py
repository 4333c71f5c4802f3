"""What is shown: captions with their pictures, and what class names say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tamis
from tamis.options import Options
from tamis.render import clean_html, markdown

Markdown = Callable[..., str]

PARAGRAPH = (
    "<p>The miller carries the sacks up the hill each morning before the bell rings twice.</p>"
)


def figure(number: int, text: str) -> str:
    return f'<figure><img src="/wheel-{number}.jpg"><figcaption>{text}</figcaption></figure>'


def rendered(body: str, dropped: str, **options: bool) -> tuple[str, str]:
    """Markdown and HTML of a page of which all is kept but the blocks with these words."""
    page = tamis.parse(f"<main>{body}</main>")
    kept = np.array([dropped not in page.block_text(block) for block in range(len(page.blocks))])
    chosen = Options(**options)
    url = "https://mill.example/"
    return markdown.render(page, kept, url, chosen), clean_html.render(page, kept, url, chosen)


def test_a_picture_between_kept_blocks_has_its_caption_though_the_text_lacks_it() -> None:
    for output in rendered(PARAGRAPH + figure(1, "The wheel in May") + PARAGRAPH, "wheel"):
        assert "wheel-1.jpg" in output
        assert "The wheel in May" in output


def test_pictures_in_a_row_have_their_captions() -> None:
    body = PARAGRAPH + figure(1, "A wheel in May") + figure(2, "A wheel in June") + PARAGRAPH
    for output in rendered(body, "wheel"):
        assert output.index("wheel-1.jpg") < output.index("in May") < output.index("wheel-2.jpg")
        assert "A wheel in June" in output


def test_without_pictures_there_are_no_captions_that_were_dropped() -> None:
    body = PARAGRAPH + figure(1, "The wheel in May") + PARAGRAPH
    for output in rendered(body, "wheel", images=False):
        assert "The wheel" not in output


def test_a_caption_at_the_edge_of_the_text_or_without_a_picture_stays_out() -> None:
    without = "<figure><table><tr><td>1<td>2</table><figcaption>The wheel</figcaption></figure>"
    for body in (PARAGRAPH + figure(1, "The wheel"), PARAGRAPH + without + PARAGRAPH):
        for output in rendered(body, "wheel"):
            assert "The wheel" not in output


def test_many_figures_in_one_another_take_no_longer() -> None:
    body = PARAGRAPH + "<figure><img src=a.jpg>" * 3000 + "<figcaption>x" * 3000
    assert "a.jpg" in tamis.to_markdown(body, max_depth=10_000)


def test_figures_beside_dropped_text_lose_their_captions() -> None:
    body = figure(1, "A wheel in May") + "<p>Buy a wheel" + figure(2, "A wheel in June")
    for output in rendered(PARAGRAPH + body + PARAGRAPH, "wheel"):
        assert "in May" not in output and "in June" not in output and "Buy" not in output


# What class names say: callouts, tabs, links of headings


def test_a_heading_loses_the_sign_that_links_to_it(as_markdown: Markdown) -> None:
    assert as_markdown("<h2>One<a href=#one>¶</a></h2>") == "## One"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<p>a<div class='admonition tip'><p class=admonition-title>Tip</p>"
            "<p>Sift twice.</p></div>",
            "a\n\n> [!tip] Tip\n> Sift twice.",
        ),
        (
            "<p>a<div class='callout' data-callout=danger data-callout-fold=->"
            "<div class=callout-title>Hot</div><p>Sift.</p></div>",
            "a\n\n> [!danger]- Hot\n> Sift.",
        ),
        (
            "<p>a<div class='callout' data-callout=danger data-callout-fold=x><p>Sift.</p></div>",
            "a\n\n> [!danger] Danger\n> Sift.",
        ),
        (
            "<p>a<div class='callout' data-callout=danger data-callout-fold=+><p>Sift.</p></div>",
            "a\n\n> [!danger]+ Danger\n> Sift.",
        ),
        (
            "<p>a<details class='note'><summary>More</summary><p>Sift.</p></details>",
            "a\n\n> [!note]- More\n> Sift.",
        ),
        (
            "<p>a<details open class='note'><summary>More</summary><p>Sift.</p></details>",
            "a\n\n> [!note]+ More\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning'><p>⚠</p><p>Warning</p><p>Sift.</p></div>",
            "a\n\n> [!warning]\n> Warning\n>\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning'><p>⚠</p><p>Mind the mesh</p><p>Sift.</p></div>",
            "a\n\n> [!warning] Warning\n> Mind the mesh\n>\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning'><h3>Mind the mesh</h3><p>Sift.</p></div>",
            "a\n\n> [!warning] Mind the mesh\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning'><p>Sift.</p></div>",
            "a\n\n> [!warning] Warning\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning is-collapsed'><p>Sift.</p></div>",
            "a\n\n> [!warning]- Warning\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning'><p>Tip</p><p>Sift.</p></div>",
            "a\n\n> [!warning] Warning\n> Tip\n>\n> Sift.",
        ),
        (
            "<p>a<div class='alert alert-warning'><p>Warn</p><p>Sift.</p></div>",
            "a\n\n> [!warning] Warn\n> Sift.",
        ),
    ],
)
def test_a_callout_has_its_kind_its_title_and_whether_it_folds(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<h2>Mesh <span class=mw-editsection>[<a href=/e>edit</a>]</span></h2><p>a",
            "## Mesh\n\na",
        ),
        ("<h2>Mesh <a class=headerlink href=#m>link</a></h2><p>a", "## Mesh\n\na"),
        (
            "<p>a <a class=headerlink href=#m>¶</a> <a class=headerlink href=#m>word</a>",
            "a [word](#m)",
        ),
        ("<div><button role=tab>Python</button><button role=tab>Ruby</button></div><p>a", "a"),
        ("<h2 role=tab>Python</h2><p>a", "## Python\n\na"),
    ],
)
def test_what_only_serves_the_reader_of_the_page_is_left_out(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected
