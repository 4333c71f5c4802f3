"""Title, authors, dates and the rest of pages that look like the web."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Any

import pytest
from tests.describe.metadata.pages import TEXT, page, read

import tamis
from tamis.describe.metadata.record import Metadata, describe_page
from tamis.page.reader import parse
from tamis.page.table import Page

ARTICLE = f"""<!doctype html><html lang="en-GB"><head>
<title>River floods the lower town | Harbour News</title>
<meta property="og:site_name" content="Harbour News">
<meta property="og:title" content="River floods the lower town - Harbour News">
<meta property="og:description" content="Boats in the streets.">
<meta property="og:image" content="/img/flood.jpg">
<meta property="article:tag" content="Floods"><meta property="article:tag" content="Weather">
<link rel="canonical" href="/2023/05/17/river">
<script type="application/ld+json">{{"@context": "https://schema.org", "@graph": [
 {{"@type": "WebSite", "name": "Harbour News"}},
 {{"@type": "NewsArticle", "headline": "River floods the lower town",
  "datePublished": "2023-05-17T06:30:00+01:00", "dateModified": "2023-05-18",
  "author": [{{"@id": "#ann"}}, {{"@type": "Person", "name": "Bo Ek"}}]}},
 {{"@type": "Person", "@id": "#ann", "name": "Ann Lee"}}]}}</script></head>
<body><div class="cookie-banner"><p>We use cookies. <button>Accept</button></p></div>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<main><article><h1>River floods the lower town</h1><p class="byline">By Ann Lee and Bo Ek</p>
{TEXT}</article><aside><h2>Related</h2><a href="/b">Bridge closed on 3 May 2021</a></aside></main>
<footer>© 2026 Harbour News</footer></body></html>"""


def test_an_article_that_says_everything_is_described_with_its_sources() -> None:
    values = read(ARTICLE, "https://www.harbour.example/2023/05/17/river?utm=x")
    assert values.to_dict() == {
        "title": "River floods the lower town",
        "authors": ["Ann Lee", "Bo Ek"],
        "published": "2023-05-17T06:30:00+01:00",
        "modified": "2023-05-18",
        "site_name": "Harbour News",
        "language": "en-GB",
        "canonical": "https://www.harbour.example/2023/05/17/river",
        "description": "Boats in the streets.",
        "image": "https://www.harbour.example/img/flood.jpg",
        "tags": ["Floods", "Weather"],
        "product": None,
        "sources": {
            "title": "html",
            "authors": "json-ld",
            "published": "json-ld",
            "modified": "json-ld",
            "site_name": "opengraph",
            "language": "html",
            "canonical": "html",
            "description": "opengraph",
            "image": "opengraph",
            "tags": "opengraph",
        },
    }
    assert (values.author, values.date) == ("Ann Lee, Bo Ek", values.published)
    json.dumps(values.to_dict())


def test_a_page_that_says_nothing_is_described_by_what_it_shows() -> None:
    values = read(
        "<title>Harbour News: home</title><div class=top><a href=/>Harbour News</a></div>"
        "<h1>Der Fluss steigt</h1><p>Von Ann Lee</p><p>17. Mai 2023, 9.30 Uhr</p>"
        "<p>Der Fluss stieg in der Nacht, und am Morgen stand die Unterstadt unter Wasser. Das"
        " hatten die Leute im Tal schon gesehen, aber nie im Mai und nie so schnell.</p>"
    )
    assert values.authors == ("Ann Lee",)
    assert values.published == "2023-05-17"
    assert values.language == "de"
    assert values.sources["authors"] == "html"
    assert values.sources["published"] == values.sources["language"] == "text"


def test_an_empty_page_has_no_metadata() -> None:
    assert read("") == Metadata()
    assert read("<p>").to_dict()["authors"] == []


def test_addresses_that_are_not_of_the_web_are_dropped() -> None:
    head = (
        '<link rel=canonical href="javascript:alert(1)"><meta property="og:image" content="data:x">'
    )
    values = read(page(head), "https://harbour.example/")
    assert (values.canonical, values.image) == ("", "")
    assert read(page("<link rel=canonical href='http://[broken'>")).canonical == ""
    assert read(page("<link rel=canonical href='//[broken'>"), "https://a.example").canonical == ""


def counted(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """The function, which leaves its name in `calls` each time."""

    def count(*arguments: Any) -> Any:
        calls.append(function.__name__)
        return function(*arguments)

    return count


@pytest.mark.parametrize(
    "html",
    [
        "<script type='application/ld+json'>" + '{"@type":"Article","author":' * 50_000,
        "<script type='application/ld+json'>" + json.dumps([{"@type": "Article"}] * 100_000),
        "<meta name=author content='" + "Ann Lee, " * 500_000 + "'>",
        "<title>" + "Floods | " * 200_000,
        "<h1>" + "<b>Floods</b> " * 200_000,
        "<h1>Floods</h1>" + "<p class=author>By Ann</p>" * 50_000,
        "<time datetime=2023-05-17>May</time>" * 50_000,
        "<p>" + "1" * 3_000_000,
        "<div itemprop='description datePublished'>" * 1_900 + "word " * 1_000,
        "<html lang='" + "e" * 1_000_000 + "'><p>" + "- " * 100_000,
    ],
)
def test_little_of_a_hostile_page_is_read_for_its_description(
    html: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = parse(html)
    read: list[str] = []
    for name in ("text", "block_text", "node_text", "attribute"):
        monkeypatch.setattr(Page, name, counted(getattr(Page, name), read))
    values = describe_page(table, "https://harbour.example/")
    assert len(read) < 1_000
    assert values == describe_page(table, "https://harbour.example/")
    assert all(len(value) < 10_000 for value in (values.title, values.author, values.description))


def test_metadata_is_found_in_few_modules_and_shallow_calls() -> None:
    """A reader follows at most 14 files and a stack of 8 calls from `Result.metadata`."""
    package = str(Path(tamis.__file__).parent)
    url = "https://www.harbour.example/2023/05/17/river"
    result = tamis.extract(ARTICLE, url=url)
    files: set[str] = set()
    deepest = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal deepest
        if event == "call" and frame.f_code.co_filename.startswith(package):
            files.add(frame.f_code.co_filename)
            own = [f for f, _ in walk_stack(frame) if f.f_code.co_filename.startswith(package)]
            deepest = max(deepest, len(own))

    tamis.extract(ARTICLE).metadata  # noqa: B018 - modules are imported at the first call
    sys.setprofile(watch)
    try:
        assert result.metadata.title
    finally:
        sys.setprofile(None)
    assert len(files) <= 14, sorted(files)
    assert deepest <= 8
