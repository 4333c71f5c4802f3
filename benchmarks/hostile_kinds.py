"""Hostile pages of any size, by kind: each grows in one thing that costs a reader or a view work.

`KINDS` gives for each name a function from a size in bytes to a page. benchmarks/growth.py measures
what they cost, benchmarks/fuzz.py reads them between its other inputs, and tests/test_growth.py
counts the work of the views on small ones. benchmarks/hostile_shapes.py composes more of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

Kind = Callable[[int], bytes]


def repeated(piece: str, before: str = "") -> Kind:
    """A page of one piece over and over."""
    unit = piece.encode()
    return lambda size: (before.encode() + unit * (size // len(unit) + 1))[:size]


def numbered(pattern: str, before: str = "") -> Kind:
    """The same with a number in each piece; letters, so that it can be a name."""

    def make(size: int) -> bytes:
        pieces, length = [before.encode()], len(before)
        for number in itertools.count():
            name = format(number, "x").translate(str.maketrans("0123456789", "ghijklmnop"))
            piece = pattern.replace("%s", name).encode()
            pieces.append(piece)
            length += len(piece)
            if length >= size:
                return b"".join(pieces)[:size]
        raise AssertionError

    return make


def halves(first: str, between: str, second: str, before: str = "", after: str = "") -> Kind:
    """One thing that is long, and then many of another: what looks at the one for each of the many
    does not show with either alone."""

    def make(size: int) -> bytes:
        rest = size // 2 - len(before.encode())
        long = before.encode() + first.encode() * (rest // len(first.encode()))
        many = second.encode() * ((size - len(long)) // len(second.encode()))
        return long + between.encode() + many + after.encode()

    return make


READING: dict[str, Kind] = {
    "deep div": repeated("<div>"),
    "deep b": repeated("<b>"),
    "deep div, a letter each": repeated("<div>x"),
    "p siblings": repeated("<p>x"),
    "b siblings": repeated("<b>x</b>"),
    "br": repeated("<br>"),
    "attributes on one tag": numbered("%s=1 ", "<p "),
    "one attribute, one tag": repeated("class=x ", "<p "),
    "attributes on many tags": repeated("<p class=x id=y title=z>"),
    "style on many tags": repeated("<p style='margin:nil;display:inline'>"),
    "one Latin text": repeated("The quick brown fox jumps over the lazy dog. "),
    "one Thai text": repeated("ภาษาไทยไม่เว้นวรรคระหว่างคำ"),
    "one word": repeated("a"),
    "white space": repeated(" \n\t"),
    "comment not closed": repeated("a - comment -- that never ends ", "<!--"),
    "<!-- repeated": repeated("<!--"),
    "<!--> repeated": repeated("<!-->"),
    "--!> repeated": repeated("<!--x--!>"),
    "<! repeated": repeated("<!"),
    "<? repeated": repeated("<?"),
    "< repeated": repeated("<"),
    "</ repeated": repeated("</"),
    "& repeated": repeated("&"),
    "&a repeated": repeated("&a"),
    "&# repeated": repeated("&#"),
    "one long number": repeated("0", "&#"),
    "references": repeated("&amp;&notin;&copy"),
    "<a<a<a": repeated("<a"),
    "quote not closed": repeated("a very long title ", '<p title="'),
    "quotes never closed": repeated("<p title=\"'>"),
    "deep table": repeated("<table><tr>"),
    "deep table with cells": repeated("<table><tr><td>"),
    "cells": repeated("<td>x", "<table><tr>"),
    "</p> repeated": repeated("</p>"),
    "</br> repeated": repeated("</br>"),
    "<a><div></a>": repeated("<a><div></a>"),
    "<a href><div>x</a>": repeated("<a href=x><div>x</a>"),
    "<b><p></b>": repeated("<b><p></b>"),
    "stray end tags": repeated("</section>", "<div>" * 10_000),
    "end tags out of reach": repeated("</span>", "<span>" + "<div>" * 10_000),
    "headings": repeated("</h1>", "<h2>" + "<div>" * 10_000),
    "li in li": repeated("<li><ul>"),
    "li siblings in depth": repeated("<li>x", "<div>" * 10_000 + "<ul>"),
    "script not closed": repeated("<!--<script ", "<script>"),
    "script in script": repeated("<script><!--<script></script>"),
    "almost the end of script": repeated("</scrip", "<script>"),
    "scripts not closed": repeated("<script src=x>y"),
    "frames not closed": repeated("<iframe src=x>y"),
    "frames not closed, for no scripts": repeated("<noscript><iframe src=x></noscript>y"),
    "noscript not closed": repeated("<noscript><p>x"),
    "titles not closed": repeated("<title>x"),
    "textarea not closed": repeated("</texta", "<textarea>"),
    "svg with CDATA": repeated("<![CDATA[x]]>", "<svg>"),
    "svg, CDATA not closed": repeated("<svg><![CDATA["),
    "svg and out again": repeated("<svg><g><p>"),
    "distinct tag names": numbered("<%s>"),
    "distinct tag names, closed": numbered("<%s></x>"),
    "select and option": repeated("<select><option>x"),
    "option": repeated("<option>x", "<select>"),
    "optgroup": repeated("<optgroup><option>"),
    "form in form": repeated("<form>"),
    "form closed early": repeated("<form><div></form>"),
    "button in button": repeated("<button>"),
    "template": repeated("<template>"),
    "noscript in head": repeated("<noscript>x"),
    "hidden and shown": repeated("<span hidden>x</span>y"),
    "pre, white space": repeated("<b> </b>", "<pre>x"),
    "NUL": repeated("\0", "<p>"),
    "not UTF-8": lambda size: (b"\xe0\xb8<p>" * (size // 5 + 1))[:size],
    "UTF-16": lambda size: b"\xff\xfe" + ("<p>x" * (size // 8 + 1)).encode("utf-16-le")[: size - 2],
    "meta without end": repeated("<meta a='"),
    "xml declaration": repeated("encodin ", "<?xml "),
    "late charset": repeated("<meta charse=t>\xff"),
}
"""What costs a reader of the page work."""

_LD = '<script type="application/ld+json">'
_LINE = "The quick brown fox jumps over the lazy dog. "

VIEWING: dict[str, Kind] = {
    # Structure of a document
    "attributes over listings": halves("a=1 ", ">", "<pre>1</pre>", "<div "),
    "attributes over line numbers": halves("a=1 ", "><code>", "<i><b>1</b></i>", "<pre "),
    "classes over line numbers": halves("x ", "'>", "<b>1</b>\n", "<pre class='"),
    "languages over listings": halves("lang-text ", "'>", "<pre>1</pre>", "<div class='"),
    "languages of listings": repeated("<pre class=language-python><code class=x>x</code></pre>"),
    "line numbers": repeated("<span class=lineno>1</span>x\n", "<pre>"),
    "numbers between listings": repeated("<pre>1</pre>1", "<div>"),
    "listings in listings": repeated("<pre>x"),
    "buttons in listings": repeated("<button>copy</button>x\n", "<pre>"),
    "line breaks in a listing": repeated("<br>x", "<pre>"),
    "lines in a deep list": repeated("\nx", "<ol start=10000000><li>" * 6 + "<pre>"),
    "katex around katex": halves("<span class=katex>", "", "<math>x</math>"),
    "katex over attributes": halves("<i class=katex>", "<math ", "a=1 ", after="><mi>x"),
    "katex over empty TeX": halves(
        "<i class=katex>", "<math><annotation encoding=tex>", "&nbsp;", "<p>x"
    ),
    "katex over attributes of TeX": halves(
        "<i class=katex>", "<math>x<annotation ", "a=1 ", after=">x"
    ),
    "katex over long TeX": halves("<i class=katex>", "<math><annotation encoding=tex>", "x "),
    "math and katex": repeated("<math><mi>x</mi></math><span class=katex>y</span>", "<p>"),
    "TeX in scripts": repeated("<script type=math/tex>x</script>y", "<p>"),
    "TeX in attributes": repeated("<math alttext=x><mi>y</math>z", "<p>"),
    "nested sup": halves("<sup>", "1", "</sup>", "<p>a"),
    "nested sup with a note": halves("<sup>", "1<p><b>1</b>", "x ", "<p>a"),
    "nested sup over a long text": halves("<sup>", "1", "&#49;", "<p>a"),
    "sup and sub": repeated("a<sup>1</sup><sub>2</sub>", "<p>"),
    "marks without links": repeated("a<sup>1</sup> ", "<ol><li><sup>1</sup>b</ol><p>"),
    "marks and notes": numbered("<p>a<sup><a href=#fn%s>1</a></sup><ol><li id=fn%s>1 b</ol>"),
    "marks of one note": repeated("<sup><a href=#n>1</a></sup>a", "<p>"),
    "marks of one long note": halves("<sup><a href=#n>1</a></sup>a", "<p id=n>", "x ", "<p>"),
    "marks of a long note with a number": halves(
        "<sup><a href=#n>1</a></sup>a", "<p id=n>1 ", "x ", "<p>"
    ),
    "classes over marks": halves("x", ">a", "<a href=#n>1</a> ", "<p class="),
    "nested marks": repeated("<svg><foreignObject><a href=#n>1</a>"),
    "back links": repeated("<a href=#fnref1>\u21a9</a>x"),
    "links into the page": numbered("<a href=#%s>x</a> <a name=%s></a>", "<p>"),
    "one link around blocks": repeated("<p>y", f"<a href=/{'x' * 100}>"),
    "one long link around blocks": halves("x", ">", "<p>y", "<a href=/"),
    "links in tables in links": repeated("<a href=x><table><tr><td>x"),
    "links in drawings": repeated("<svg><a href=#x>1"),
    "code with marks inside": repeated("<i>x</i>y", "<p><code>"),
    "code spans": repeated("<code>`</code> a", "<p>"),
    "backticks": repeated("`", "<pre>"),
    "runs of backticks": numbered("`%s``", "<p><code>"),
    "emphasis that falls in a row": lambda size: (
        b"<p><b>x)</b>" + b"<i>x)</i><b>x)</b>" * (size // 18) + b"y"
    ),
    "emphasis around brackets": repeated("<b>(</b>a", "<p>"),
    "emphasis around spaces": repeated("<b>&nbsp;</b>", "<p>x"),
    "every mark": repeated("<b><i><del><sub><sup><q><mark><code>x</code></mark></q>y", "<p>"),
    "stars": repeated("*", "<p>"),
    "underscores": repeated("_", "<p>"),
    "brackets": repeated("[", "<p>"),
    "dollars": repeated("$x ", "<p>"),
    "TeX that does not end": repeated("\\(a \\[b ", "<p>"),
    "beginnings of lists": repeated("<br># x<br>- y<br>1. z", "<p>"),
    "dashes": repeated("- ", "<p>"),
    "nested lists": repeated("<ul><li>x"),
    "nested quotes": repeated("<blockquote>x"),
    "nested details": repeated("<details><summary>x</summary>"),
    "nested ruby": repeated("<ruby>x<rt>"),
    "nested svg": repeated("<svg><g>x"),
    "nested math": repeated("<math><mrow>x"),
    "nested captions": repeated("<figcaption>x"),
    "nested figures": repeated("<figure><img src=x>y"),
    "nested sections": repeated("<section><h2>x</h2><p>y"),
    "nested articles": repeated("<article><p>x"),
    "nested definitions": repeated("<dl><dt>x<dd>"),
    "nested everything": repeated("<p><b><a href=x><i class='y'><ul><li><table><tr><td>x"),
    "definitions": repeated("<dt>x<dd>y", "<dl>"),
    "terms": repeated("<dt>x", "<dl>"),
    "lists of definitions": repeated("<dl><dt>x<dd>y</dl>"),
    "dialogs": repeated("<dialog open><p>x</dialog>"),
    "dialogs with terms": repeated("<dialog><dl><dt>x"),
    "huge spans of cells": repeated("<tr><td colspan=999999999>x<td rowspan=65534>y", "<table>"),
    "rows": repeated("<tr><td>x<td>y", "<table>"),
    "tables": repeated("<table><tr><th>x<td>y<tr><td>z<td>w</table>"),
    "tables with headings": repeated("<table><tr><td><h2>x</h2><td>y</table>"),
    "captions of tables": repeated("<caption>x", "<table>"),
    "cells with pipes": repeated("<td>|", "<table><tr><th>x<tr>"),
    "headings of three levels": repeated("<h1>x<h2>x<h3>x"),
    "headings by role": repeated("<div role=heading aria-level=3>x</div>"),
    "headings that link to themselves": repeated("<h2>x <a href=#x>#</a></h2>"),
    "rules": repeated("<hr>x"),
    "line breaks": repeated("<br>x", "<p>"),
    "images": repeated("<img src=x alt=y>z", "<p>"),
    "images without text": repeated("<img src=x>", "<p>a<p>"),
    "images that load late": repeated("<img data-original=x>y", "<p>"),
    "images of data": repeated("<img src=data:image/png;base64,AAAA>a", "<p>"),
    "pictures": repeated("<picture><source srcset=a><img src=b></picture>x", "<p>"),
    "srcset of many": repeated("<img srcset='a.png 1x, b.png 2x, c.png 3x'>a", "<p>"),
    "one srcset": repeated("a 1x, ", "<p>x<img srcset='"),
    "figures": repeated("<figure><img src=x><figcaption>y</figcaption></figure>"),
    "long base": halves("a/", ">", "<a href=x>y</a> ", "<base href=https://example.org/"),
    "base of steps up": halves("../", ">", "<a href=../x>y</a> ", "<base href=https://a.org/"),
    "links of steps": repeated(f"<a href={'a/../' * 40}x>y</a> ", "<p>"),
    "iframes": repeated("<iframe src=x></iframe>y"),
    "templates": repeated("<template><p>x</template>y"),
    "text for no scripts": repeated("<noscript><img src=x>y</noscript>z", "<p>"),
    "forms": repeated("<form><input value=x><label>y</label><button>z</button></form>"),
    "control characters": repeated("a\x01\x1f\x7f\x0b ", "<p>"),
    "two directions": repeated("\u05e9\u05dc\u05d5\u05dd abc \u0645\u0631\u062d\u0628\u0627 "),
    # Found by an attack on version 0.2
    "a long header over rows": halves("x ", "<tr><td>y", "<tr><td>z", "<table><tr><th>"),
    "a long cell that spans rows": halves(
        "x ", "<td>y", "<tr><td>z", "<table><tr><th>a<th>b<tr><td rowspan=65534>"
    ),
    "a long heading over paragraphs": halves("x ", "</h2>", f"<p>{_LINE}", "<h2>"),
    "unknown tags in a listing": repeated("&lt;zz a ", "<ul><li>i<pre>"),
    "blank lines in a listing": repeated("\n", "<ul><li>i<pre>&lt;zz a ](x"),
    "braces of a formula": repeated("{", "<p>x<img class=tex src=/latex.png alt='"),
    "class names over dates": halves("x ", "'>", "<b>5 Jan 2020</b>", "<div class='"),
    "a long tag name over dates": halves("a", ">", "<b>5 Jan 2020</b>", "<x"),
    "kinds of items": numbered("<i itemscope itemtype=http://a.org/%s>5 Jan 2020</i>"),
    # What is known of blocks and of the page
    "like siblings": repeated("<div class=a><p>the same words</div>"),
    "long siblings": repeated(f"<p class=a>{_LINE}</p>\n"),
    "distinct classes": numbered("<p class=%s>x"),
    "distinct ids": numbered("<p id=%s>x"),
    "class names of one element": numbered("%s ", "<p>x<p class='"),
    "class names over blocks": halves("x ", "'>", "<p>y", "<div class='comment "),
    "a long tag name over blocks": halves("a", ">", "<p>x", "<x"),
    "distinct paths": numbered("<x%s><p>a</x%s>"),
    "meta": repeated("<meta name=author content='a b'>"),
    "distinct meta": numbered("<meta property=article:tag content=%s>"),
    "one long description": repeated(_LINE, "<meta name=description content='"),
    "descriptions and blocks": halves(
        _LINE, "'>", f"<p>{_LINE}", "<meta name=description content='"
    ),
    "one long title": repeated(_LINE, "<title>"),
    "title and headings": halves("x - ", "</title>", "<h1>x</h1>", "<title>"),
    "declared articles": repeated(_LD + '{"@type":"Article","headline":"x"}</script><p>x'),
    "declared authors": repeated('{"name":"A B"},', _LD + '{"@type":"Article","author":['),
    "declared graph": lambda size: (
        (_LD + '{"@graph":[').encode()
        + b'{"@type":"Article","name":"x","author":{"name":"A B"}},' * (size // 56)
        + b"{}]}</script><p>x"
    ),
    "deep declared data": lambda size: (
        _LD.encode() + b'{"a":' * (size // 6) + b"1" + b"}" * (size // 6) + b"</script><p>x"
    ),
    "broken declared data": repeated(_LD + '{"a":'),
    "a body in the data": repeated("<p>x ", _LD + '{"@type":"Article","articleBody":"'),
    "data of an application": lambda size: (
        b'<script id=__NEXT_DATA__ type="application/json">{"a":['
        + b'{"html":"<p>Some words of a text.</p>"},' * (size // 41)
        + b"1]}</script>"
    ),
    "microdata": repeated(
        "<div itemscope itemtype=https://schema.org/Person itemprop=author>x</div>"
    ),
    "nested microdata": repeated("<div itemscope itemprop=author><b itemprop=name>x</b>"),
    "bylines": repeated("<p class=byline>By <a rel=author href=x>A B</a>"),
    "dates": repeated("<p>January 5, 2020, <time datetime=2020-01-05>5 Jan</time>"),
    "digits": repeated("2020-01-05 12:30 "),
    "languages": repeated("<p lang=de>x<p lang=fr>y"),
    "canonical addresses": repeated("<link rel=canonical href=https://a.org/x>"),
    "breadcrumbs": repeated("<nav class=breadcrumb><a href=x>y</a> &gt; </nav>"),
    "comments": repeated("<div class=comment id=c><p>Some words by a reader.</div>"),
    "nested comments": repeated("<div class=comment><p>Some words by a reader."),
    "posts": repeated(
        "<div class=post><a class=author>A</a><time>5 Jan 2020</time><p>Words.</div>"
    ),
    "teasers": numbered("<li><h3><a href=/%s>A title of some words</a></h3><p>A teaser of it."),
    "products": numbered("<div class=product><a href=/%s><img src=x>Sieve</a><b>$5.00</b></div>"),
    "links": numbered("<a href=/%s>x</a> "),
    "links to one page": repeated("<li><a href=/x>the same title</a>"),
    "distinct words": numbered("%s "),
    "distinct words in blocks": numbered("<p>%s and more"),
    "Chinese": repeated("\u6f22\u5b57\u6587\u7ae0", "<p>"),
    "hidden blocks": repeated("<div hidden><p>x</div><p>y"),
    "aria-hidden texts": repeated("<span aria-hidden=true>x</span>y", "<p>katex"),
}  # fmt: skip
"""What costs a view of the result work."""

KINDS = READING | VIEWING
