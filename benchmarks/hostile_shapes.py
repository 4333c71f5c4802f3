"""Hostile pages by composition: every construct that a view knows, in every shape that may hurt.

A *construct* is a piece of markup with a place for content. A *shape* says how it grows: side by
side, inside itself, with long content, with a long attribute over many children, or as one long
piece above many short ones. A *payload* is text that means something to a renderer. `COMPOSED`
crosses them, so that a new line in one of the tables below is tried in all shapes.
benchmarks/hostile_kinds.py has the pages that were written by hand.
"""

from __future__ import annotations

from collections.abc import Callable

Kind = Callable[[int], bytes]

# "@" is the place of the content.
CONSTRUCTS: dict[str, str] = {
    "paragraph": "<p>@</p>",
    "heading": "<h2>@</h2>",
    "section": "<section><h3>x</h3><p>@</p></section>",
    "quote": "<blockquote><p>@</p></blockquote>",
    "item": "<ul><li>@</li></ul>",
    "numbered item": "<ol start=7><li>@</li></ol>",
    "task": "<ul><li><input type=checkbox> @</li></ul>",
    "definition": "<dl><dt>x</dt><dd>@</dd></dl>",
    "term": "<dl><dt>@</dt><dd>x</dd></dl>",
    "cell": "<table><tr><th>x</th></tr><tr><td>@</td></tr></table>",
    "header cell": "<table><tr><th>@</th><th>y</th></tr><tr><td>x</td></tr></table>",
    "spanning cell": "<table><tr><th>a<th>b<tr><td rowspan=900>@<td>x<tr><td>y<tr><td>z</table>",
    "caption of a table": "<table><caption>@</caption><tr><td>x</td></tr></table>",
    "listing": "<pre><code class=language-html>@</code></pre>",
    "listing in an item": "<ul><li>i<pre>@</pre></li></ul>",
    "code": "<p>a <code>@</code></p>",
    "keys": "<p>a <kbd>@</kbd></p>",
    "link": "<p>a <a href=/x>@</a></p>",
    "emphasis": "<p>a <b>@</b> <i>x</i></p>",
    "deletion": "<p><del>@</del></p>",
    "ruby": "<p><ruby>@<rt>x</rt></ruby></p>",
    "superscript": "<p>a<sup>@</sup></p>",
    "figure": "<figure><img src=/a.jpg alt=x><figcaption>@</figcaption></figure>",
    "image": '<p>x <img src=/a.jpg alt="@"> y</p>',
    "formula image": '<p>x <img class=tex src=/latex.png alt="@"> y</p>',
    "formula address": '<p>x <img src="/cgi-bin/mathtex.cgi?@"> y</p>',
    "TeX": "<p>x \\(@\\) y</p>",
    "TeX between dollars": "<p>x $@$ y</p>",
    "displayed TeX": "<p>$$@$$</p>",
    "TeX script": "<p>x <script type=math/tex>@</script> y</p>",
    "MathML": "<p>x <math><mrow><mi>@</mi></mrow></math></p>",
    "MathML alttext": '<p>x <math alttext="@"><mi>x</mi></math></p>',
    "KaTeX": "<p><span class=katex><math><mi>x</mi><annotation encoding='application/x-tex'>@"
    "</annotation></math></span></p>",
    "footnote": "<p>a<sup><a href=#fn1>1</a></sup></p><ol><li id=fn1>@</li></ol>",
    "footnote mark": "<p>a<sup><a href=#fn1>@</a></sup></p><ol><li id=fn1>x</li></ol>",
    "note with a way back": "<p id=r>a<a href=#n>[1]</a></p><p id=n>@ <a href=#r>\u21a9</a></p>",
    "callout": "<div class='admonition note'><p class=admonition-title>Note</p><p>@</p></div>",
    "callout title": "<div class='admonition note'><p class=admonition-title>@</p><p>x</p></div>",
    "details": "<details><summary>@</summary><p>x</p></details>",
    "video": "<iframe src=https://example.org/embed/x title='@'></iframe><p>x</p>",
    "comment": "<div class=comment id=c1><a class=author href=/u/a>Ann</a> <time>5 May 2020</time>"
    "<p>@</p></div>",
    "post": "<div class=post id=post-1><a class=username href=/members/a>Ann</a>"
    "<span class=date>5 May 2020, 10:12</span><div class=content>@</div></div>",
    "author of a post": "<div class=post id=p1><a class=username>@</a><p>Words of hers.</p></div>",
    "date of a post": "<div class=post id=p1><span class=date>@</span><p>Words of hers.</p></div>",
    "signature": "<div class=post><p>Words.</p><div class=signature>@</div></div>",
    "quoted post": "<div class=post><blockquote class=quote><cite>Ann wrote:</cite>@"
    "</blockquote><p>Words.</p></div>",
    "teaser": "<article class=teaser><h3><a href=/x>@</a></h3><p>A few words.</p></article>",
    "product": "<div class=product><a href=/x>@</a><span class=price>$5.00</span></div>",
    "navigation": "<nav class=menu><a href=/x>@</a></nav>",
    "breadcrumb": "<div class=breadcrumb><a href=/>Home</a> &gt; <a href=/x>@</a></div>",
    "advertisement": "<div class=ad>@</div>",
    "byline": "<p class=byline>By <span class=author>@</span></p>",
    "time": "<p>x <time datetime=2020-05-05>@</time></p>",
    "datetime": '<p>x <time datetime="@">5 May</time></p>',
    "title": "<title>@</title><h1>x</h1>",
    "meta": '<meta name=description content="@"><p>x</p>',
    "meta author": '<meta name=author content="@"><p>x</p>',
    "meta date": '<meta property=article:published_time content="@"><p>x</p>',
    "language": "<p lang='@'>x</p>",
    "canonical address": '<link rel=canonical href="https://example.org/@"><p>x</p>',
    "address of a link": '<p>x <a href="/@">y</a></p>',
    "address with a step up": '<p>x <a href="../@">y</a></p>',
    "srcset": '<p>x <img srcset="/@ 2x"> y</p>',
    "class": '<p class="@">x</p>',
    "id": '<div id="@">x</div>',
    "style": '<p style="@">x</p>',
    "data attribute": '<div data-x="@"><p>x</p></div>',
    "declared data": '<script type="application/ld+json">{"@type":"Article","headline":"@",'
    '"author":{"name":"@"},"datePublished":"@"}</script><p>x</p>',
    "microdata": "<div itemscope itemtype=https://schema.org/Comment><p itemprop=text>@</p></div>",
    "text for no scripts": "<noscript><p>@</p></noscript><p>x</p>",
    "hidden text": "<div hidden>@</div><p>x</p>",
}

PAYLOADS: dict[str, str] = {
    "words": "The quick brown fox jumps over it. ",
    "letters": "x",
    "capitals": "Ab Cd ",
    "digits": "1",
    "dates": "5 May 2020, ",
    "slashes": "1/2/3/",
    "times": "10:12 ",
    "spaces": " ",
    "blank lines": "\n",
    "indented lines": "\n    x",
    "unknown tags": "&lt;zz a ",
    "known tags": "&lt;p on=",
    "less-than signs": "&lt;",
    "ampersands": "&amp;#x",
    "brackets": "[",
    "closing brackets": "]",
    "links": "[a](b ",
    "definitions": "[a]: b\n",
    "notes": "[^1] ",
    "braces": "{",
    "pairs of braces": "{}",
    "attributes in braces": "{style= ",
    "backslashes": "\\",
    "TeX commands": "\\frac{a}{",
    "openings of TeX": "\\( \\[ ",
    "dollars": "$x ",
    "backticks": "`",
    "tildes": "~~",
    "stars": "*",
    "underscores": "_a",
    "pipes": "|",
    "dashes": "- ",
    "equal signs": "=",
    "hashes": "# ",
    "colons": ": ",
    "quotes": "\u201c\u00ab",
    "full stops": ". ",
    "ellipses": "\u2026",
    "at signs": "a@b.",
    "addresses": "http://a/ ",
    "percent signs": "%2",
    "handlers": "onx ",
    "equal handlers": "on=",
    "commas": "a, ",
    "numbers in words": "twenty-two ",
    "hyphens": "a-",
    "apostrophes": "l'",
    "Chinese": "\u6f22\u5b57\u3002",
    "Thai": "\u0e20\u0e32\u0e29\u0e32",
    "Arabic": "\u0645\u0631\u062d\u0628\u0627 ",
    "combining signs": "e\u0301",
    "control characters": "\x01\u2028",
}

_STORY = "<p>A story of a sieve, and of flour, as it was told to me by a cook. </p>"


def _fill(construct: str, content: str) -> str:
    return construct.replace("@type", "%type").replace("@", content).replace("%type", "@type")


def _repeat(piece: str, size: int) -> str:
    return piece * max(1, size // len(piece.encode()))


def grow_beside(construct: str) -> Kind:
    """One after the other."""
    return lambda size: (_STORY + _repeat(_fill(construct, "Some words"), size)).encode()


def grow_inside(construct: str) -> Kind:
    """Each inside the one before."""
    return lambda size: _nest(construct, "y", size)


def grow_around_long(construct: str) -> Kind:
    """The same, with long content in the last: both in half of the page."""
    return lambda size: _nest(construct, _repeat("ab ", size // 2), size // 2)


def _nest(construct: str, content: str, size: int) -> bytes:
    before, _, after = _fill(construct, "\0").partition("\0")
    before, after = f"{before}x ", after.rpartition("\0")[2]
    depth = max(1, size // len((before + after).encode()))
    return (_STORY + before * depth + content + after * depth).encode()


def grow_content(construct: str, payload: str) -> Kind:
    """One, with long content."""
    return lambda size: (_STORY + _fill(construct, "a " + _repeat(payload, size) + "b")).encode()


def grow_above(construct: str, payload: str, below: str) -> Kind:
    """One with long content, and then many of another: both in half of the page."""

    def make(size: int) -> bytes:
        long = _fill(construct, _repeat(payload, size // 2))
        return (_STORY + long + _repeat(_fill(below, "x"), size // 2)).encode()

    return make


def grow_around(attribute: str, construct: str) -> Kind:
    """Many of a construct in an element with a long attribute: both in half of the page."""

    def make(size: int) -> bytes:
        long = _repeat("ab ", size // 2)
        many = _repeat(_fill(construct, "5 May 2020"), size // 2)
        return f'{_STORY}<div {attribute}="{long}">{many}</div>'.encode()

    return make


def _compose() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {}
    names, payloads = list(CONSTRUCTS), list(PAYLOADS.items())
    around = ("class", "id", "href", "style", "title", "data-x", "itemtype")
    for number, (name, construct) in enumerate(CONSTRUCTS.items()):
        kinds[f"{name} beside {name}"] = grow_beside(construct)
        kinds[f"{name} inside {name}"] = grow_inside(construct)
        kinds[f"{name} around long words"] = grow_around_long(construct)
        # Five of the payloads and two of the neighbours each: all of them meet every few lines.
        for step in range(5):
            what, payload = payloads[(5 * number + step * (number % 7 + 1)) % len(payloads)]
            kinds[f"{name} of {what}"] = grow_content(construct, payload)
        for step in (3, 11):
            below = names[(number * step + step) % len(names)]
            kinds[f"long {name} above {below}"] = grow_above(construct, "ab ", CONSTRUCTS[below])
        attribute = around[number % len(around)]
        kinds[f"{name} in a long {attribute}"] = grow_around(attribute, construct)
    return kinds


COMPOSED = _compose()
"""About seven hundred kinds of page, each a function from a size in bytes to a page."""
