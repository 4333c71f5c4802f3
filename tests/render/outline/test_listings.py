"""Listings: their language, their lines, and what is beside the code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Markdown = Callable[..., str]


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


def test_text_has_no_line_numbers_of_listings(as_text: Callable[[str], str]) -> None:
    source = "<p>a<pre><span class=lineno>1</span>b\n<span class=lineno>2</span>  c</pre>"
    assert as_text(source) == "a\nb\n  c"


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


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<div class=code-block><div>Python</div><pre>x = 1</pre></div>", "```python\nx = 1\n```"),
        ("<div class=code-block><div>Copy code</div><pre>x = 1</pre></div>", "```\nx = 1\n```"),
        ("<div class=box><div>Python</div><pre>x = 1</pre></div>", "Python\n\n```\nx = 1\n```"),
        (
            "<div class=code-block><div>Pythonic is a longer label here</div><pre>x = 1"
            "</pre></div>",
            "Pythonic is a longer label here\n\n```\nx = 1\n```",
        ),
        ("<pre class='brush: js;'>x</pre><p>a", "```js\nx\n```\n\na"),
        ("<pre data-lang='c#'>x</pre><p>a", "```c#\nx\n```\n\na"),
        ("<pre class='lang-text python'>x</pre><p>a", "```python\nx\n```\n\na"),
        (
            "<div class=highlight-python><p>one two</p><p>three four</p><p>five</p><pre>x"
            "</pre></div>",
            "one two\n\nthree four\n\nfive\n\n```\nx\n```",
        ),
        ("<pre><button>Copy</button>x</pre>", "```\nx\n```"),
        ("<pre><textarea>x</textarea></pre>", "```\nx\n```"),
        ("<pre><div class=code-header>python</div>x = 1</pre>", "```\nx = 1\n```"),
        ("<pre><span style='user-select: none'>1</span>x</pre>", "```\nx\n```"),
        ("<pre><span>1</span>x</pre>", "```\n1x\n```"),
        (
            "<table class=crayon><tr><td class=crayon-nums><div>1</div><div>2</div></td>"
            "<td><div class=crayon-pre><div class=crayon-line>a:</div>"
            "<div class=crayon-line></div><div class=crayon-line>&nbsp; b</div></div></td>"
            "</tr></table>",
            "```\na:\n\n  b\n```",
        ),
        (
            "<div class=CodeMirror><div><div class=CodeMirror-line>a</div>"
            "<div class=CodeMirror-line>  b</div></div></div>",
            "```\na\n  b\n```",
        ),
    ],
)
def test_only_the_code_of_a_listing_is_written(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected
