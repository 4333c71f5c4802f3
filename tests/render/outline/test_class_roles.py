"""What class names say: callouts, tabs, links of headings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Markdown = Callable[..., str]


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
