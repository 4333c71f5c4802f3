"""Escapes: text that means itself, and code that stays code."""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

Markdown = Callable[..., str]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>*a* _b_ `c` [d] snake_case", "\\*a\\* \\_b\\_ &#96;c&#96; \\[d] snake_case"),
        ("<p># a", "\\# a"),
        ("<p>- a", "\\- a"),
        ("<p>1. a", "1\\. a"),
        ("<p>2024 was good", "2024 was good"),
        ("<p>&gt; a", "\\> a"),
        ("<p>a<br>---", "a  \n\\---"),
        ("<p>&lt;b&gt; &amp;amp; 1 &lt; 2 &amp; 3", "&lt;b> &amp;amp; 1 < 2 & 3"),
        ("<p>C:\\temp", "C:\\\\temp"),
        ("<h2>C #</h2>", "## C \\#"),
        ("<p>~~a~~", "\\~\\~a\\~\\~"),
        ("<p>$5 and $6", "$5 and $6"),
        ("<p>sum($a) / count($a)", "sum(\\$a) / count(\\$a)"),
        ("<p>cout &lt;&lt; x &lt;&lt;y", "cout << x <&lt;y"),
        ("<p>a &lt;<i>b</i>&gt; c&amp;<i>lt;</i>", "a &lt;*b*> c&amp;*lt;*"),
        ("<p>AT&amp;T, R&amp;D; a&amp;b", "AT&T, R&amp;D; a&amp;b"),
        ("<p>set {a: b}", "set \\{a: b}"),
        ("<p>C:\\<code>x</code>", "C:&#92;`x`"),
        ("<p>a`b <code>c`d</code>", "a&#96;b ``c`d``"),
        ("<p>a&#1;b&#8232;c&#133;d", "a\ufffdb c…d"),
    ],
)
def test_text_means_itself(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


def test_a_price_is_escaped_only_where_there_are_formulas(as_markdown: Markdown) -> None:
    price = "<p>It went from $500 to $650 in a year."
    assert as_markdown(price) == "It went from $500 to $650 in a year."
    beside = as_markdown(f"{price}<p>So \\(r = 0.3\\) here.")
    assert beside == "It went from \\$500 to \\$650 in a year.\n\nSo $r = 0.3$ here."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<pre>List&lt;String&gt; a;</pre>", "```\nList<String> a;\n```"),
        ("<pre class=language-html>&lt;p&gt;\n\n  x</pre>", "    <p>\n\n      x"),
        ("<p>a<pre>&lt;p&gt;</pre>", "a\n\n    <p>"),
        ("<pre>[a]: b</pre>", "    [a]: b"),
        ("<pre>a&#8232;&#13;b\x1b</pre>", "```\na\n\nb\ufffd\n```"),
        ("<ul><li>a<pre>&lt;p&gt;</pre></ul>", "-   a\n\n        <p>"),
        ("<ol><li>a<pre>&lt;p&gt;</pre><li>b</ol>", "1.  a\n\n        <p>\n\n2.  b"),
        ("<ul><li><pre>&lt;p&gt;</pre></ul>", "-   &nbsp;\n\n        <p>"),
        ("<ul><li>a</ul><pre>&lt;p&gt;</pre>", "- a\n\n&nbsp;\n\n    <p>"),
        ("<blockquote>a<pre>&lt;p&gt;</pre></blockquote>", "> a\n>\n>     <p>"),
    ],
)
def test_code_with_markup_in_it_is_indented(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    result = as_markdown(source)
    assert result == expected
    code = source.partition("<pre")[2].partition(">")[2].partition("</pre>")[0]
    tokens = MarkdownIt("commonmark").parse(result)
    shown = [token.content for token in tokens if token.type in ("fence", "code_block")]
    assert len(shown) == 1 and shown[0].split() == plain(code).split()


def plain(code: str) -> str:
    return html.unescape(code).replace("\x1b", "\ufffd")


def test_a_footnote_is_no_definition_of_a_link(as_markdown: Markdown) -> None:
    source = "<p>one.<sup><a href=#fn1>1</a></sup><ol><li id=fn1>javascript:ran(1)</ol>"
    result = as_markdown(source)
    assert result == "one.[^1]\n\n[^1]: javascript:ran(1) &#8203;"
    assert "<a" not in MarkdownIt("commonmark").render(result)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p><a href='/x?a=1&amp;lt;b'>y</a>", "[y](https://example.org/x?a=1&amp;lt;b)"),
        ("<p><a href='/x?a=1&amp;b=2'>y</a>", "[y](https://example.org/x?a=1&b=2)"),
        (
            "<p><img src=/x.png alt='\"a\" &lt;b> $c'>y",
            "![&quot;a&quot; &lt;b> \\$c](https://example.org/x.png) y",
        ),
    ],
)
def test_no_reference_is_read_into_an_address_or_an_alternative_text(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected
