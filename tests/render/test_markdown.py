"""Markdown: structure, and text that parses back to itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tamis.render import markdown
from tamis.render.outline.events import LEAF, Event

Markdown = Callable[..., str]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1>One</h1><h3>Two</h3><p>Three", "# One\n\n### Two\n\nThree"),
        ("<div role=heading aria-level=4>One</div>Two", "#### One\n\nTwo"),
        ("<p>one<br>two<br><br>three", "one  \ntwo\n\nthree"),
        ("<h2>one<br>two</h2>", "## one two"),
        ("<p>a <b>bold</b> <i>word</i>", "a **bold** *word*"),
        ("<p><b><i>both</i></b> and <del>gone</del>", "***both*** and ~~gone~~"),
        ("<p>one<b> two </b>three", "one **two** three"),
        ("<p>x<sup>2</sup> H<sub>2</sub>O", "x<sup>2</sup> H<sub>2</sub>O"),
        ("<p><b>a</b><b>b</b>", "**ab**"),
        ("<p>use <code>a*b</code> and <code>`x`</code>", "use `a*b` and `` `x` ``"),
        ("<p><code>f(<b>x</b>)</code>", "`f(x)`"),
        ("<blockquote><p>one<p>two</blockquote>", "> one\n>\n> two"),
        ("one<hr>two", "one\n\n---\n\ntwo"),
    ],
)
def test_blocks_and_marks(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<ul><li>one<li>two<ul><li>three</ul><li>four</ul>", "- one\n- two\n  - three\n- four"),
        ("<ol start=9><li>one<li>two</ol>", "9. one\n10. two"),
        ("<ul><li><span>one</span></li></ul>", "- one"),
        ("<ol><li><p>one</p><p>more</p><li>two</ol>", "1. one\n\n   more\n\n2. two"),
        (
            "<dl><dt>sieve<dd>what is coarse stays behind</dl>",
            "sieve\n\n- what is coarse stays behind",
        ),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
    ],
)
def test_lists(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


def test_two_lists_in_a_row_stay_two(as_markdown: Markdown) -> None:
    assert as_markdown("<ul><li>a</ul><ul><li>b</ul>") == "- a\n\n* b"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2 |",
        ),
        (
            "<table><caption>c<tr><th>a<th>b<tr><td colspan=2>1</table>",
            "c\n\n| a | b |\n| --- | --- |\n| 1 |  |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
        ),
        (
            "<table><tr><th>a|b<th>c<tr><td><p>1<p>2<td><ul><li>x<li>y</ul></table>",
            "| a\\|b | c |\n| --- | --- |\n| 1<br>2 | x<br>y |",
        ),
        ("<table><tr><td><h2>News</h2><p>Text</table>", "## News\n\nText"),
        ("<table role=presentation><tr><td>1<td>2<tr><td>3<td>4</table>", "1\n\n2\n\n3\n\n4"),
        (
            "<table><tr><td>a<table><tr><td>1<td>2<tr><td>3<td>4</table></table>",
            "a\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |",
        ),
    ],
)
def test_tables_of_data_stay_and_layouts_go(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p><a href=../a>one</a>", "[one](https://example.org/a)"),
        ("<p><a href='/a b(c)'>one</a>", "[one](https://example.org/a%20b%28c%29)"),
        ("<base href=https://cdn.example.net/x/><p><a href=y>one</a>", "[one](https://cdn.example.net/x/y)"),
        ("<p><a href='#top'>one</a>", "[one](#top)"),
        ("<p><a href=javascript:x()>one</a>", "one"),
        ("<p><a href=' java\nscript:x()'>one</a>", "one"),
        ("<p><a href=data:text/html,x>one</a>", "one"),
        ("<p>Hello!<a href=/a>one</a>", "Hello\\![one](https://example.org/a)"),
        ("<p><a href=/a>[1] one</a>", "[\\[1\\] one](https://example.org/a)"),
        ("<a href=/a><h2>one</h2><p>two</a>", "## [one](https://example.org/a)\n\ntwo"),
    ],
)  # fmt: skip
def test_links(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


def test_links_and_images_can_be_left_out(as_markdown: Markdown) -> None:
    source = "<p>see <a href=/a>this</a> <img src=/i.png> now"
    assert as_markdown(source, links=False, images=False) == "see this now"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>a <img src=/i.png alt='A [b]'> b", "a ![A \\[b\\]](https://example.org/i.png) b"),
        ("<p>a<p><img src=/i.png><p>b", "a\n\n![](https://example.org/i.png)\n\nb"),
        ("<p>a<figure><img src=/i.png><figcaption>c</figcaption></figure>",
         "a\n\n![](https://example.org/i.png)\n\nc"),
        ("<p>a<p><img src=data:image/gif;base64,R0 data-src=/i.png><p>b",
         "a\n\n![](https://example.org/i.png)\n\nb"),
        ("<p>a<p><img src=data:x srcset='/s.png 320w, /l.png 800w'><p>b",
         "a\n\n![](https://example.org/l.png)\n\nb"),
        ("<p>a<p><img src=/small.png><noscript><img src=/big.png></noscript><p>b",
         "a\n\n![](https://example.org/big.png)\n\nb"),
        ("<p>a<img src=/t.gif width=1 height=1><p>b", "a\n\nb"),
    ],
)  # fmt: skip
def test_images(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


def test_a_rule_at_the_beginning_opens_no_front_matter() -> None:
    rule: Event = (LEAF, "rule", None, [])
    text: Event = (LEAF, "paragraph", None, [("", "title: x", ())])
    assert markdown.write_events([rule, text, rule]) == "***\n\ntitle: x\n\n---"
