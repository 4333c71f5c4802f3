"""Text, Markdown, HTML and JSON have the same words, and they are the page's.

But for icons: Markdown, HTML and JSON set the words beside one apart, plain text does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import turbohtml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import tamis
from tamis.page import tags
from tamis.render import clean_html, document, markdown, text

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCK_TAG = re.compile(r"</?(?!a\b|code|del|em|img|mark|q\b|s[tup]|span)\w+[^>]*>")
URL = "https://example.org/a/b"
OPTIONS = tamis.Options()

INLINE = ("b", "i", "em", "strong", "code", "del", "sub", "sup", "q", "span", "mark")
BLOCKS = (
    "p div h1 h3 ul ol li dl dt dd blockquote table tr td th caption figure figcaption pre"
    " section".split()
)
texts = st.text(st.sampled_from("ab1 9.*_[]()<>&`#-+!|~$\\:=\n\t \xa0é漢字ไทยלא"), max_size=12)


def escaped(string: str) -> str:
    return string.replace("&", "&amp;").replace("<", "&lt;")


def elements(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inside = st.lists(children, max_size=4).map("".join)
    names = st.sampled_from((*INLINE, *BLOCKS, "a href=/x", "ol start=7", "td colspan=3"))
    return st.builds(lambda name, body: f"<{name}>{body}</{name.split()[0]}>", names, inside)


leaves = st.one_of(
    texts.map(escaped),
    st.sampled_from(("<br>", "<hr>", "<img src=/i.png alt=x>", " ", "<br><br>", "word ")),
)
pages = st.lists(st.recursive(leaves, elements, max_leaves=30), min_size=1, max_size=6).map("".join)


def words(string: str) -> list[str]:
    return re.findall(r"[^\W_]+", string)


def text_of(tokens: list[Token]) -> Iterator[str]:
    """The text of parsed Markdown, a space between blocks."""
    for token in tokens:
        if token.type == "inline":
            yield from text_of(token.children or [])
        elif token.type in ("text", "code_inline", "fence", "code_block"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak") or token.block or token.content == "<br>":
            yield " "


def markdown_words(source: str) -> list[str]:
    return words("".join(text_of(PARSER.parse(source))))


def html_words(source: str) -> list[str]:
    return words(turbohtml.parse(BLOCK_TAG.sub(r" \g<0>", source)).text)


def json_words(document: list[dict[str, Any]]) -> list[str]:
    result: list[str] = []
    for block in document:
        result += words(block.get("text", "")) + json_words(block.get("children", []))
    return result


def has_icon(page: tamis.Page) -> bool:
    """Whether there is an empty `i`, which is how icon fonts are written."""
    nodes = page.nodes
    icons = (nodes.tag == tags.ID["i"]) & (nodes.first_text == nodes.end_text)
    return bool(icons.any())


@given(pages)
@example("<i><b>1</b>:<b>:1</b></i>1")
@example("<b>$&lt;1*1*$</b>")
@settings(max_examples=300, deadline=None)
def test_all_outputs_have_the_same_words(source: str) -> None:
    page = tamis.parse(source)
    assume(not has_icon(page))
    kept = np.ones(len(page.blocks), bool)
    expected = words(text.render(page, kept))
    assert markdown_words(markdown.render(page, kept, URL, OPTIONS)) == expected
    assert html_words(clean_html.render(page, kept, URL, OPTIONS)) == expected
    assert json_words(document.render(page, kept, URL, OPTIONS)) == expected


@given(pages, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_dropped_blocks_leave_no_word(source: str, random: Any) -> None:
    page = tamis.parse(source)
    assume(not has_icon(page))
    kept = np.array([random.random() < 0.5 for _ in range(len(page.blocks))], bool)
    expected = words(text.render(page, kept))
    assert markdown_words(markdown.render(page, kept, URL, OPTIONS)) == expected
    assert html_words(clean_html.render(page, kept, URL, OPTIONS)) == expected


@pytest.mark.parametrize(
    "source",
    [
        "<p>สวัสดี<b>ครับ</b> 漢<i>字</i>",
        "<p dir=rtl>שלום <b>עולם</b>, مرحبا",
        "<ul><li>one <p>two</p> three <ul><li>four</ul> five</ul>",
        "<table><tr><td>a<td>b<tr>c<td>d</table>",
        "<dl><dd>a<dt>b<dd>c</dl>",
        "<p>a<textarea>b\n\nc</textarea>d",
        "<details><summary>more</summary>text</details>",
    ],
)
def test_odd_pages_keep_their_words(source: str, as_text: Callable[[str], str]) -> None:
    page = tamis.parse(source)
    kept = np.ones(len(page.blocks), bool)
    expected = words(as_text(source))
    assert markdown_words(markdown.render(page, kept, URL, OPTIONS)) == expected
    assert html_words(clean_html.render(page, kept, URL, OPTIONS)) == expected
