"""Hostile pages: what comes out of them has no script, no handler and no address but plain ones.

benchmarks/safety.py opens the same pages, and ten thousand more, in a real browser.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
import turbohtml
from markdown_it import MarkdownIt

import tamis
from tamis.render import clean_html, markdown

URL = "https://example.org/sieves/silk.html"

TAGS = frozenset(
    "html head body a blockquote br caption code dd del dl dt em figcaption figure h1 h2 h3 h4 h5"
    " h6 hr img li mark ol p pre q span strong sub sup table tbody td th tr ul".split()
)
ATTRIBUTES = {
    "a": {"href"},
    "code": {"class"},
    "dd": {"id"},
    "img": {"alt", "src"},
    "li": {"id"},
    "ol": {"start"},
    "p": {"id"},
    "span": {"class"},
    "td": {"colspan", "rowspan", "id"},
    "th": {"colspan", "rowspan"},
}
SCHEMES = {"a": {"", "http", "https", "mailto", "tel", "ftp"}, "img": {"", "http", "https"}}


def hostile() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "hostile.py"
    spec = importlib.util.spec_from_file_location("hostile", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOSTILE = hostile()
PAGES: dict[str, bytes] = HOSTILE.pages()


def rendered(page: bytes, url: str | None = URL) -> tuple[str, str]:
    """HTML and Markdown of the whole page."""
    table = tamis.parse(page)
    shared = (table, np.ones(len(table.blocks), bool), url, tamis.Options())
    return clean_html.render(*shared), markdown.render(*shared)


def elements(source: str) -> Iterator[Any]:
    todo: list[Any] = [turbohtml.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, turbohtml.Element):
            yield node
        todo += getattr(node, "children", ())


def check_html(source: str) -> None:
    for element in elements(source):
        assert element.tag in TAGS
        assert set(element.attrs) <= ATTRIBUTES.get(element.tag, set())
        for name in ("href", "src"):
            if name in element.attrs:
                assert scheme(element.attrs[name]) in SCHEMES[element.tag]


def check_markdown(source: str) -> None:
    for token in MarkdownIt("commonmark", {"html": True}).enable("table").parse(source):
        assert token.type != "html_block"
        for child in token.children or ():
            assert child.type != "html_inline" or child.content in (
                "<br>",
                "<sub>",
                "</sub>",
                "<sup>",
                "</sup>",
            )
            for name, tag in (("href", "a"), ("src", "img")):
                if name in child.attrs:
                    assert scheme(str(child.attrs[name])) in SCHEMES[tag]


def scheme(address: str) -> str:
    """The scheme as a browser sees it, which drops controls before it and breaks inside it."""
    bare = "".join(character for character in address if character > " ")
    try:
        return urlsplit(bare).scheme
    except ValueError:
        return bare.partition(":")[0].lower()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_hostile_comes_out(name: str) -> None:
    as_html, as_markdown = rendered(PAGES[name])
    check_html(as_html)
    check_markdown(as_markdown)


@pytest.mark.parametrize("url", [*HOSTILE.URLS, None])
def test_a_hostile_address_of_the_page_does_no_harm(url: str | None) -> None:
    page = HOSTILE.page("<p>A <a href=x>link</a>, <a href='#y'>another</a>, <img src=z alt=w>.")
    as_html, as_markdown = rendered(page, url)
    check_html(as_html)
    check_markdown(as_markdown)


def test_the_words_of_the_article_are_kept_beside_most_of_the_hostile_markup() -> None:
    lost = [name for name, page in PAGES.items() if "A tamis is a sieve" not in rendered(page)[1]]
    # UTF-16 that a declaration contradicts.
    assert len(lost) < 5


def test_a_script_in_the_text_of_a_page_stays_text() -> None:
    page = HOSTILE.page("<p>Write &lt;script&gt;ran(1)&lt;/script&gt; into the page.")
    as_html, as_markdown = rendered(page)
    assert "&lt;script&gt;ran(1)&lt;/script&gt;" in as_html
    parsed = MarkdownIt("commonmark").render(as_markdown)
    assert "&lt;script&gt;ran(1)&lt;/script&gt;" in parsed
