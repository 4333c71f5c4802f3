"""HTML: the same structure, in few tags, and nothing that a page could smuggle in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Html = Callable[..., str]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<h1 class=x>One</h1><p style=y>a <b onclick=z>b</b>",
         "<h1>One</h1>\n<p>a <strong>b</strong></p>"),
        ("<p>a<br>b<p>1 &lt; 2 &amp; 3", "<p>a<br>\nb</p>\n<p>1 &lt; 2 &amp; 3</p>"),
        ("<ol start=3><li>a<li>b<ul><li>c</ul></ol>",
         '<ol start="3"><li>a</li>\n<li>b<ul><li>c</li>\n</ul>\n</li>\n</ol>'),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt>\n<dd>b</dd>\n</dl>"),
        ("<table><tr><th colspan=2>a<th>b<tr><td>1<td rowspan=3>2<td>3</table>",
         '<table><tr><th colspan="2">a</th><th>b</th></tr>'
         '<tr><td>1</td><td rowspan="3">2</td><td>3</td></tr></table>'),
        ("<p>a<figure><img src=/i.png alt='\"'><figcaption>b</figcaption></figure>",
         '<p>a</p>\n<figure><p><img src="https://example.org/i.png" alt="&quot;"></p>\n'
         "<figcaption>b</figcaption>\n</figure>"),
        ("<pre class=language-c>a &lt; <a href='#x'>b</a>\n c</pre>",
         '<pre><code class="language-c">a &lt; <a href="#x">b</a>\n c</code></pre>'),
        ("<p>x<sup>2</sup> <mark>y</mark> <q>z</q>",
         "<p>x<sup>2</sup> <mark>y</mark> <q>z</q></p>"),
        ('<p>by <math alttext="a<b"><mi>a</mi></math>',
         '<p>by <span class="math inline">\\(a&lt;b\\)</span></p>'),
        ("<p>a<sup><a href=#fn1>1</a></sup><ol><li id=fn1>b</ol>",
         '<p>a<sup><a href="#fn1">1</a></sup></p>\n<ol><li id="fn1">b</li>\n</ol>'),
    ],
)  # fmt: skip
def test_structure(as_html: Html, source: str, expected: str) -> None:
    assert as_html(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "<p>a<script>evil()</script><img src=x onerror=evil()>b",
        "<p><a href='javascript:evil()'>a</a> <a href='JaVa&#10;Script:evil()'>b</a>",
        "<p><a href='vbscript:evil()'>a</a><img src='javascript:evil()'>b",
        "<p>a<img src='data:image/svg+xml,evil()'>b",
        "<p>a<svg onload=evil()><text>b</text></svg><iframe srcdoc='evil()'></iframe>c",
        "<pre class='language-\"onload=evil()'>a</pre>",
        "<p>a<sup><a href=#evil()>1</a></sup><p id='evil()'><sup>1</sup> b",
        "<base href='javascript:evil()//'><p><a href='/x'>a</a>",
    ],
)
def test_nothing_runs(as_html: Html, source: str) -> None:
    result = as_html(source)
    assert "evil()" not in result
    assert "<script" not in result and " on" not in result


def test_a_note_with_a_dangerous_name_gets_another_one(as_html: Html) -> None:
    source = "<p>a<sup><a href=#location>1</a></sup><p id=location><sup>1</sup> b"
    assert 'id="fn-location"' in as_html(source)
