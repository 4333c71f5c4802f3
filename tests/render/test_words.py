"""Whole pages: the renderings have the same words, and they are the page's own.

benchmarks/fidelity.py checks it on all pages of the data sets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import tamis
from tamis.render import clean_html, document, markdown, text

WITHOUT_IMAGES = tamis.Options(images=False)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])

WORDS = (
    "sieve", "the", "Mehl", "été", "ตะแกรง", "ร่อน", "篩", "절구", "غربال", "x_y", "2*3", "a|b",
    "C#", "[1]", "`tick`", "<b>", "&amp;", "https://example.org/a_b", "1.", "-", "#", ">", "$5",
    "\\", "~~no~~", "_", "**", "!", "![x]", "](y)", "e\u0301", "\u00a0", "\u200b", "AT&T", "---",
)  # fmt: skip
INLINE = ("b", "em", "code", "a", "span", "sup", "sub", "del", "mark", "q", "kbd")
BLOCKS = (
    "p", "div", "li", "ul", "ol", "blockquote", "h2", "h6", "pre", "td", "th", "tr", "table", "dl",
    "dt", "dd", "figure", "figcaption", "section",
)  # fmt: skip

Reader = Callable[[str], list[str]]


def words(rendered: str) -> list[str]:
    """What white space separates, punctuation left out: Markdown may write it otherwise."""
    return re.sub(r"[^\w\s\u0300-\u036f\u0e00-\u0eff]|_", "", rendered).split()


def json_text(blocks: Sequence[dict[str, Any]]) -> str:
    return "\n".join(
        block.get("text", "") + "\n" + json_text(block.get("children", ())) for block in blocks
    )


def text_of_markdown(blocks: Sequence[dict[str, Any]]) -> str:
    """What Markdown has of a document: not what only leads back, but the kinds of callouts."""
    pieces = []
    for block in blocks:
        if not block.get("titled", True):
            pieces.append(block["callout"].capitalize())
        spans = block.get("spans", [{"text": block.get("text", "")}])
        left_out = {"label", "back"}
        pieces.append(
            "".join(
                s.get("tex", s.get("text", ""))
                for s in spans
                if not left_out & set(s.get("marks", ()))
            )
        )
        pieces.append(text_of_markdown(block.get("children", ())))
    return "\n".join(pieces)


def markdown_text(source: str) -> str:
    pieces = []
    source = re.sub(r"^([> ]*)\[!\w+\][+-]? ", r"\1", source, flags=re.MULTILINE)
    for token in MARKDOWN.parse(source):
        pieces.append(" ")
        for child in token.children or [token]:
            breaks = child.type in ("softbreak", "hardbreak") or child.content == "<br>"
            pieces.append(" " if breaks else "" if child.type == "html_inline" else child.content)
    return "".join(pieces)


def check(page: tamis.Page, words_seen: Reader) -> list[str]:
    """Render a whole page in all ways and give its words."""
    kept = np.ones(len(page.blocks), bool)
    shared = (page, kept, "https://example.org/", WITHOUT_IMAGES)
    expected = words(text.render(page, kept))
    blocks = document.render(*shared)
    structured = words(json_text(blocks))
    assert words(markdown_text(markdown.render(*shared))) == words(text_of_markdown(blocks))
    assert words(" ".join(words_seen(clean_html.render(*shared)))) == structured
    assert rejoined(structured, expected) == expected
    return expected


def rejoined(apart: list[str], expected: list[str]) -> list[str]:
    """Words that only styles set apart, see `find_word_gaps`, as they are in the source."""
    rest = iter(apart)
    joined = []
    for word in expected:
        parts = ""
        while len(parts) < len(word):
            parts += next(rest, word)
        joined.append(parts)
    return [*joined, *rest]


def test_the_renderings_of_a_page_have_the_words_of_the_page(
    folder: Path, words_seen: Reader, words_written: Reader
) -> None:
    source = (folder / "source.html").read_text("utf-8", "replace")
    rest = iter(words(" ".join(words_written(source))))
    page_words = check(tamis.parse(source), words_seen)
    assert not [word for word in page_words if word not in rest]


elements = st.recursive(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    lambda inside: st.builds(
        lambda name, children, glue: f"<{name}>{glue.join(children)}</{name}>",
        st.sampled_from(INLINE + BLOCKS),
        st.lists(inside, min_size=1, max_size=3),
        st.sampled_from(("", " ", "<br>", "\n")),
    ),
    max_leaves=12,
)


@given(body=st.lists(elements, min_size=1, max_size=4).map("\n".join))
def test_no_markup_loses_doubles_glues_or_splits_words(body: str, words_seen: Reader) -> None:
    check(tamis.parse(f"<!doctype html><body>{body}"), words_seen)


@pytest.mark.parametrize(
    "body",
    [
        "<p>one<b>two</b>three <i>four</i>five",
        "<p>one<br>two<br><br>three",
        "<ul><li>one<ul><li>two</ul>three<li>four</ul>",
        "<table><tr><td>one<p>two<td>three<ul><li>four</ul></table>",
        "<p>ตะแกรง<b>ร่อน</b>แป้ง<p>篩<b>子</b>",
        "<p dir=rtl>غربال <b>ناعم</b> من الحرير",
        "<pre>one\n  two\n\tthree</pre>",
        "<h2><pre>one <b> two</pre></h2>",
        "<p><mark>one two</mark>",
        "<p>*one* _two_ `three` [four](five) <code>`six`</code> # seven",
        "<p>1. one<p># two<p>- three<p>> four<p>+ five<p>```<p>===",
    ],
)
def test_the_words_are_the_same_in(body: str, words_seen: Reader) -> None:
    check(tamis.parse(f"<!doctype html><body>{body}"), words_seen)
