"""Markdown: structure, and text that parses back to itself."""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

import tamis
from tamis.render import markdown
from tamis.render.outline import LEAF, Event

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
        ("<p>x<b>(a)</b>y", "x(a)y"),
        ("<p>under<b>stand</b>ing", "under**stand**ing"),
        ("<p>„<i>Nein</i>“, sagte sie", "„*Nein*“, sagte sie"),
        ("<p>これは<b>「強調」</b>です", "これは「強調」です"),
        ("<p>คำ<b>เน้น</b>ไทย", "คำ**เน้น**ไทย"),
    ],
)
def test_a_mark_that_would_not_be_read_as_one_is_left_out(
    as_markdown: Markdown, source: str, expected: str
) -> None:
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
        ("<pre>\na\n  b\n</pre>", "```\na\n  b\n```"),
        ('<pre><code class="language-python">x = 1</code></pre>', "```python\nx = 1\n```"),
        ('<div class="highlight-source-ts"><pre>x</pre></div>', "```ts\nx\n```"),
        ('<pre class="brush: js">x</pre>', "```js\nx\n```"),
        ("<pre data-lang=go>x</pre>", "```go\nx\n```"),
        ("<pre>a<br><br>b</pre>", "```\na\n\nb\n```"),
        ("<pre>```</pre>", "````\n```\n````"),
        (
            "<pre><span class=lineno>1</span>a\n<span class=lineno>2</span>b</pre>",
            "```\na\nb\n```",
        ),
        (
            "<table class=highlight><tr><td class=gutter><pre>1\n2</pre>"
            "<td class=code><pre>a\nb</pre></table>",
            "```\na\nb\n```",
        ),
        ("<pre>x <button>Copy</button></pre>", "```\nx\n```"),
    ],
)
def test_listings(as_markdown: Markdown, source: str, expected: str) -> None:
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


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<p>by <math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math> it', "by $x^2$ it"),
        (
            "<p>by <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
            '<annotation encoding="application/x-tex">x_1</annotation></semantics></math></span>'
            "<span class=katex-html aria-hidden=true>x1</span></span> it",
            "by $x_1$ it",
        ),
        ('<p>by <script type="math/tex">x_1</script> it', "by $x_1$ it"),
        (
            '<p>so<script type="math/tex; mode=display">x_1</script><p>it',
            "so$x_1$\n\nit",
        ),
        ('<p>by <math alttext="a<b\n\n```"><mi>a</mi></math> it', "by a&lt;b &#96;&#96;&#96; it"),
        ("<p>by $x_1$ and \\(y^2\\) it", "by $x_1$ and $y^2$ it"),
        ("<p>so<p>$$x_1$$<p>it", "so\n\n$$\nx_1\n$$\n\nit"),
        ("<p>$a_1`b$ and `c", "\\$a_1&#96;b$ and &#96;c"),
        ("<p>$f_1[x](y)$ of $5", "$f_1[x] (y)$ of \\$5"),
        ("<p>$\\href{javascript:x}{y}$", "$\\\\href\\{javascript:x}\\{y}$"),
    ],
)
def test_formulas_are_tex(as_markdown: Markdown, source: str, expected: str) -> None:
    assert as_markdown(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "<p>one.<sup><a href=#fn1>1</a></sup><ol><li id=fn1>Note. <a href=#r1>↩</a></ol>",
        "<p>one.<a href=#fn1><sup>[1]</sup></a><p id=fn1><a href=#r1>[1]</a> Note.",
        "<p>one.<sup><a href=#_ftn1>[1]</a></sup><p><a href=#_ftnref1>[1]</a> Note.",
        "<p>one.<sup>1</sup><hr><p><sup>1</sup> Note.",
        "<p>one.<sup>1</sup><ol><li id=footnote-1>Note.</ol>",
    ],
)
def test_footnotes(as_markdown: Markdown, source: str) -> None:
    result = as_markdown(source).replace("\n\n---", "")
    assert result == "one.[^1]\n\n[^1]: Note."


def test_two_marks_of_one_note_stay_two(as_markdown: Markdown) -> None:
    mark = "<sup><a href=#fn1>[1]</a></sup>"
    assert as_markdown(f"<p>one{mark}{mark}<p id=fn1>Note.") == "one[^1][^1]\n\n[^1]: Note."


def test_numbers_that_lead_elsewhere_are_no_footnotes(as_markdown: Markdown) -> None:
    source = "<p>see <a href=#eq>1</a>, 10<sup>6</sup><h2 id=eq>Equation</h2>"
    assert as_markdown(source) == "see [1](#eq), 10<sup>6</sup>\n\n## Equation"


def test_a_heading_loses_the_sign_that_links_to_it(as_markdown: Markdown) -> None:
    assert as_markdown("<h2>One<a href=#one>¶</a></h2>") == "## One"


def test_a_bracket_in_a_formula_does_not_end_a_link() -> None:
    result = tamis.extract("<a href=/x>$&lt;]$</a> <a href=/y>$a_[1]$</a>", method="baseline")
    assert result.markdown == "[\\$&lt;\\]\\$](/x) [$a_[1]$](/y)"


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


def test_a_rule_at_the_beginning_opens_no_front_matter() -> None:
    rule: Event = (LEAF, "rule", None, [])
    text: Event = (LEAF, "paragraph", None, [("", "title: x", ())])
    assert markdown.of_events([rule, text, rule]) == "***\n\ntitle: x\n\n---"


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
