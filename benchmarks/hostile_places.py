r"""Hostile pages, generated: what a dialect of Markdown could take for markup, in all places.

These are the places of a page from which text goes into Markdown.

`pages()` gives them by name. `ran(1)` in an attribute and `t.test` in an address must never come
out of a renderer: they are only ever text here. benchmarks/safety.py renders them with all set-ups
of benchmarks/renderers.py, tests/render/test_safe_markdown.py with one set-up each.
"""

from __future__ import annotations

from html import escape

import hostile

IMAGE = "<img src=x onerror=ran(1)>"
LINK = "[x](javascript:ran(1))"

TEXTS = {
    "tag": IMAGE,
    "script": "<script>ran(1)</script>",
    "svg": "<svg/onload=ran(1)>",
    "link in HTML": "<a href=javascript:ran(1)>x</a>",
    "end tags": f"</code></pre></td></p></div>{IMAGE}",
    "comment": f"<!-- x --><!--> {IMAGE} -->",
    "declarations": f"<![CDATA[ x ]]><?x ?><!X>{IMAGE}",
    "block": f"<div markdown=1>\n\n{IMAGE}\n\n</div>",
    "style": "<p style=position:fixed>x</p><b onclick=ran(1)>y</b>",
    "unfinished tag": "<img src=x onerror=ran(1) ",
    "unfinished comment": "<!-- ",
    "backslash": f"\\{IMAGE}",
    "two backslashes": f"\\\\{IMAGE}",
    "three backslashes": f"\\\\\\{IMAGE}",
    "backslash at the end": f"{IMAGE}\\",
    "two backslashes at the end": "x\\\\",
    "references": "&lt;img src=x onerror=ran(1)&gt; &#60;script&#62;ran(1)&#60;/script&#62;",
    "half a reference": "&lt &#60 &amp",
    "link": LINK,
    "link after a backslash": f"\\{LINK} \\\\{LINK}",
    "link with references": "[x](&#106;avascript&colon;ran(1)) [y](java&Tab;script:ran(1))",
    "link in angle brackets": "[x](<javascript:ran(1)>) [y](<https://t.test/>)",
    "link with a title": '[x](/y "" onclick=ran(1)") [x](/y \'"><img src=x onerror=ran(1)>\')',
    "image": '![x](https://t.test/a.png) ![" onerror="ran(1)](https://t.test/b.png)',
    "end of a link": "](javascript:ran(1)) x](https://t.test/)",
    "end of a link, then a link": f"](https://t.test/) {LINK}",
    "definition": "[x]: javascript:ran(1)",
    "definition and link": "[x]: javascript:ran(1)\n\n[x] [x][x] [x][]",
    "definition with a title": "[x]: /y '\" onclick=ran(1) '",
    "note": "[^1]: javascript:ran(1)",
    "bare address": "javascript:ran(1)",
    "address with a title": 'javascript:ran(1) "x"',
    "automatic link": "<javascript:ran(1)> <https://t.test/> <x@t.test> <data:text/html,x>",
    "wiki link": "[[javascript:ran(1)]] [[https://t.test/|x]]",
    "abbreviation": f"*[tamis]: {IMAGE}",
    "backtick": f"` {IMAGE}",
    "backticks": f"`` {IMAGE} ``` {IMAGE} `",
    "code": f"`{IMAGE}` {IMAGE}",
    "backslash before code": f"\\`{IMAGE}\\` \\\\`{IMAGE}`",
    "code across a link": "[x `](javascript:ran(1))` y](javascript:ran(1))",
    "fence": f"```\n{IMAGE}\n```\n\n{IMAGE}",
    "fence of tildes": f"~~~\n{IMAGE}\n~~~\n\n{IMAGE}",
    "fence in a line": f"x\r```\r{IMAGE}\r```\r\r{IMAGE}",
    "attributes": "{: onclick=ran(1) } {onclick=ran(1)}",
    "attributes of a mark": "*x*{: onclick=ran(1)} **y**{onclick=ran(1)} `z`{=html}",
    "attributes on a line": "x\n{: onclick=ran(1) style=color:red }",
    "admonition": f'!!! note "{IMAGE}"\n    {IMAGE}',
    "directive": f".. raw:: html\n\n   {IMAGE}",
    "container": f"::: note\n{IMAGE}\n:::",
    "formula": f"${IMAGE}$ $$ {IMAGE} $$ \\({IMAGE}\\)",
    "formula with a link": f"${LINK}_1$ and \\({LINK}\\)",
    "formula with half a link": "\\(x_1 [y\\) z](javascript:ran(1))",
    "formula with a definition": "$$[x]: javascript:ran(1)$$ and $x_1 = [x]$",
    "formula with a backtick": f"$x_1 ` y$ {IMAGE} `",
    "formula with dollars": f"\\(x$ {IMAGE} $\\)",
    "formula with attributes": "$x_1 *y*{: onclick=ran(1)} z$",
    "formula with a fence": f"$$\n```\n{IMAGE}\n```\n$$",
    "formula with a link in TeX": "$\\href{javascript:ran(1)}{x} \\url{javascript:ran(1)}$",
    "nul": f"\0<\0img src=x onerror=ran(1)>\0{IMAGE}",
    "start and end of text": f"\x02{IMAGE}\x03 `\x02` {IMAGE} `\x03\x02`",
    "nul in a link": "[x]\0(javascript:ran(1)) [y](java\0script:ran(1))",
    "line separator": f"x\u2028\u2028{IMAGE}\u2029\u2029    {IMAGE}",
    "next line": f"x\x85\x85{IMAGE}\x0b\x0b{IMAGE}\x0c\x0c{IMAGE}\x1c\x1d\x1e{IMAGE}",
    "carriage return": f"x\r\r{IMAGE}\r\n\r\n{IMAGE}",
    "line separator and a definition": "x\u2028\u2028[x]: javascript:ran(1)\u2028\u2028[x]",
    "line breaks": f"x\n\n{IMAGE}\n\n    {IMAGE}\n\n{LINK}",
    "quote": f"> {IMAGE}\n> > {LINK}",
    "list": f"- {IMAGE}\n1. {LINK}\n* {IMAGE}",
    "heading": f"# {IMAGE} {{#x onclick=ran(1)}}",
    "table": f"| x | {IMAGE} |\n|---|---|\n| {LINK} | `|{IMAGE}` |",
    "pipes": f"| `|` {IMAGE} \\| {LINK} |",
    "front matter": f"---\ntitle: {IMAGE}\n---\n",
    "byte order mark": f"\ufeff{IMAGE}",
    "quotes": f"\"'`>{IMAGE}",
    "handler": "\" onmouseover=ran(1) x=\"' onclick=ran(1) '",
    "soft hyphen": f"<\u00adimg src=x onerror=ran(1)> <\u200bscript> {IMAGE}",
    "right-to-left override": f"\u202e{LINK} {IMAGE}\u202c",
}
"""Text of a page. `escaped` makes it HTML that a browser shows as it is here."""

PLACES = {
    "text": "<p>{0}",
    "text between": "<p>Some words {0} and more words.",
    "text after a break": "<p>Some words<br>{0}<br>{0}",
    "text in pieces": "<p>{1}",
    "text in marks": "<p>Some <b>{0}</b><i>{0}</i> and <del>{0}</del><sub>{0}</sub>",
    "text before code": "<p>Words {0}<code>{0}</code>{0}",
    "text around a link": "<p>Words {0}<a href=https://l.test/>{0}</a>{0}",
    "text around an image": "<p>Words {0}<img src=https://l.test/a.png alt='{0}'>{0}",
    "heading": "<h2>{0}</h2><p>Some words.",
    "heading of the page": "</article></main><h1>{0}</h1><p>Some words.",
    "item": "<ul><li>{0}<li>x<ul><li>{0}</ul></ul><ol><li>{0}<p>{0}</ol>",
    "definition": "<dl><dt>{0}<dd>{0}<dd><p>x<p>{0}</dl>",
    "quote": "<blockquote><p>{0}<p>x<blockquote>{0}</blockquote></blockquote>",
    "cell": "<table><tr><th>A<th>B<tr><td>{0}<td>{0}<tr><td>x<br>{0}<td><p>x<p>{0}</table>",
    "header of a table": "<table><tr><th>{0}<th>B<tr><td>1<td>2</table>",
    "caption of a table": "<table><caption>{0}</caption><tr><th>A<th>B<tr><td>1<td>2</table>",
    "caption": "<figure><img src=https://l.test/a.png><figcaption>{0}</figcaption></figure>",
    "link": "<p>A <a href=https://l.test/>{0}</a> and <a href=https://l.test/>x {0} y</a>.",
    "alternative text": "<p>A <img src=https://l.test/a.png alt='{0}'> picture.",
    "linked image": "<p><a href=/x><img src=https://l.test/a.png alt='{0}'></a> picture {0}.",
    "title of a link": "<p>A <a href=/x title='{0}'>link</a> <img src=/a.png title='{0}'>.",
    "code": "<p>Type <code>{0}</code> and <code>x</code>, <b><code>{0}</code></b>.",
    "code in a link": "<p>A <a href=/x><code>{0}</code></a> and <a href=/x>y <code>{0}</code></a>.",
    "code in a cell": "<table><tr><th><code>{0}</code><th>B<tr><td><pre>{0}</pre><td>2</table>",
    "code in a heading": "<h2>Of <code>{0}</code></h2><p>Some words.",
    "listing": "<pre>{0}</pre><p>After it.",
    "listing of lines": "<pre><code class=language-html>x = 1\n\n{0}\n\n{0}</code></pre>",
    "listing in a list": "<ul><li>Words<pre>{0}</pre><li>x<pre>y\n\n{0}</pre></ul>",
    "listing at the start of an item": "<ul><li><pre>{0}</pre></ul><ol><li><pre>x\n{0}</pre></ol>",
    "listing in a deep list": "<ol><li>a<ul><li>b<pre>{0}</pre>c</ul><pre>{0}</pre></ol>",
    "listing after a list": "<ul><li>Words<li>more</ul><pre>{0}</pre>",
    "listing in a quote": "<blockquote>Words<pre>x\n\n{0}</pre></blockquote>",
    "listing in a quote in a list": "<ul><li>a<blockquote><pre>{0}</pre></blockquote></ul>",
    "listing in a list in a quote": "<blockquote><ul><li>a<pre>{0}</pre></ul></blockquote>",
    "listing in a definition": "<dl><dt>a<dd>b<pre>{0}</pre></dl><pre>{0}</pre>",
    "language": "<pre><code class='language-{0}'>x = 1</code></pre><pre data-lang='{0}'>y</pre>",
    "formula": (
        "<p>Of <span class=katex><math><semantics><mi>x</mi><annotation"
        " encoding='application/x-tex'>{0}</annotation></semantics></math></span> it"
        " <math alttext='{0}'><mi>y</mi></math> is {0}."
    ),
    "formula of a script": "<p>Of <script type='math/tex'>{2}</script> it is.",
    "formula apart": "<p><math display=block alttext='{0}'><mi>y</mi></math><p>and [x] <p>{0}",
    "formula in a cell": (
        "<table><tr><th>A<th>B<tr><td><math alttext='{0}'><mi>y</mi></math><td>\\({0}\\)</table>"
    ),
    "text beside formulas": "<p>With \\(x_1\\) and \\([a\\) here: {0} and \\(y_2\\).<p>{0}",
    "footnote": (
        "<p>Words<sup><a href='#fn1' id=r1>1</a></sup> here.<ol class=footnotes><li id=fn1>{0}</ol>"
        "<p>After it."
    ),
    "footnote in a paragraph": (
        "<p>Words<sup><a href='#fn1' id=r1>1</a></sup> here.<p id=fn1><sup>1</sup> {0}"
    ),
    "listing in a footnote": (
        "<p>Words<sup><a href='#fn1' id=r1>1</a></sup> here.<ol class=footnotes><li id=fn1>"
        "<p>x<pre>{0}</pre></ol><pre>{0}</pre>"
    ),
    "after a rule": "<hr><p>{0}<hr>",
    "address": "<p>A <a href='{0}'>link</a>, <img src='{0}' alt=sieve>, <a href='/{0}'>more</a>.",
    "address with a scheme": (
        "<p>A <a href='https://l.test/{0}'>link</a> <img src='https://l.test/{0}'>"
    ),
    "embedded": (
        "<p>See <iframe src='https://l.test/{0}' title='{0}'></iframe> <video src='{0}'></video>"
    ),
}
"""Markup around it: {0} is the text, {1} the text with elements inside, {2} the text as it is."""

HEADS = {
    "base": "<base href='https://l.test/{0}/'>",
    "host of the base": "<base href='https://{0}/x/'>",
    "canonical": (
        "<link rel=canonical href='https://l.test/{0}'><meta property=og:url content='{0}'>"
    ),
    "title": (
        "<title>{0}</title><meta name=description content='{0}'><meta name=author content='{0}'>"
    ),
}
"""The same for the head, with relative addresses in the body."""

TARGETS = (
    "&#106;avascript:ran(1)", "&#x6a;avascript&colon;ran(1)", "&amp;#106;avascript:ran(1)",
    "javascript&colon;ran(1)", "java&Tab;script:ran(1)", "java&NewLine;script:ran(1)",
    "javascript%3Aran(1)", "%6Aavascript:ran(1)", "%256Aavascript%253Aran(1)",
    "&#37;6Aavascript:ran(1)", "java%0Ascript:ran(1)", "java%00script:ran(1)",
    "\\javascript:ran(1)", "java\\script:ran(1)", "&bsol;javascript:ran(1)", "javascript\\:ran(1)",
    "&#1;javascript:ran(1)", "%01javascript:ran(1)", "&lt;javascript:ran(1)&gt;",
    "data&colon;text/html,&lt;script&gt;ran(1)&lt;/script&gt;", "vbscript&colon;x",
    "x&quot; onclick=ran(1) x=&quot;", "x&#34;&#62;&lt;img src=x onerror=ran(1)&gt;",
    "?x=&quot;&gt;&lt;script&gt;ran(1)&lt;/script&gt;", "#&quot; onclick=ran(1)",
    "mailto:&quot; onclick=ran(1)", "tel:&lt;script&gt;", '//t"onclick=ran(1)/',
    "/x&copy;&colon;&lpar;", "&sol;&sol;l.test", "*x* _y_ `z`",
)  # fmt: skip
"""Values of attributes, after the references of HTML are read once."""


RELATIVE = "<p>A <a href=x>link</a>, <a href=/y>more</a>, <a href='#z'>and</a> <img src=w>."


def pages() -> dict[str, bytes]:
    """The generated pages by name."""
    made = {}
    for name, text in TEXTS.items():
        plain = escaped(text)
        parts = "".join(f"{escaped(character)}<b></b>" for character in text)
        for place, markup in PLACES.items():
            content = markup.replace("{0}", plain).replace("{1}", parts).replace("{2}", text)
            made[f"{place}: {name}"] = hostile.page(content)
        for place, markup in HEADS.items():
            content = (
                "<p>A <a href=x>link</a>, <a href=/y>more</a>, <a href='#z'>and</a> <img src=w>."
            )
            made[f"{place}: {name}"] = hostile.page(content, markup.replace("{0}", plain))
    for target in TARGETS:
        value = escaped(target)
        content = (
            f"<p>A <a href='{value}'>link</a> or <a href='/{value}'>two</a> <img src='{value}'>."
        )
        made[f"target: {target}"] = hostile.page(content)
        made[f"target without base: {target}"] = hostile.page(content, "<base href='about:blank'>")
        made[f"base: {target}"] = hostile.page(RELATIVE, f"<base href='https://l.test/{value}'>")
    return made


def escaped(text: str) -> str:
    """HTML that shows the text; a carriage return would be a line break otherwise."""
    return escape(text).replace("\r", "&#13;")
