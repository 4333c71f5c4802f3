"""What a page declares about itself."""

from __future__ import annotations

import pytest

from tamis.model.features.declared import MOST_BYTES, DeclaredWords, declared
from tamis.page.read import parse


def _declared(html: str) -> DeclaredWords:
    return declared(parse(html))


def test_all_descriptions_are_read() -> None:
    html = (
        "<meta name=Description content='one two'><meta property=og:description content=three>"
        "<meta name=twitter:description content='four &amp; five'><meta name=keywords content=six>"
    )
    assert _declared(html).description_words == 5


def test_an_element_with_two_names_is_one_description() -> None:
    html = "<meta name=description property=og:description content='one two'>"
    assert _declared(html).description_words == 2


def test_other_elements_describe_nothing() -> None:
    assert _declared("<p name=description content='one two'>").description_words == 0
    assert _declared("<p type=application/ld+json>one two").data_words == 0


def test_a_description_without_content_is_none() -> None:
    assert _declared("<meta name=description>").description_words == 0


@pytest.mark.parametrize("kind", ["article", "Article", "news.article"])
def test_the_kind_of_page_is_read(kind: str) -> None:
    assert _declared(f"<meta property=og:type content={kind}>").is_article
    assert not _declared("<meta property=og:type content=website>").is_article


def test_an_article_in_the_data_is_seen() -> None:
    kind = '<script type="application/ld+json; charset=utf-8">{"@type": "NewsArticle"}</script>'
    assert _declared(kind).has_article
    assert not _declared(kind.replace("News", "").replace("Article", "Person")).has_article


@pytest.mark.parametrize(
    "data", ["", "{", "\\", "\\u", "\\u12", "\\ud83d\\ude00", '"\\u0000', "<!--"]
)
def test_broken_data_does_not_matter(data: str) -> None:
    html = f"<script type=application/ld+json>{data}</script><p>x"
    assert _declared(html).data_words <= 2
    assert _declared(html[: html.find("</")]).data_words <= 2


def test_megabytes_of_data_are_cut() -> None:
    script = "<script type=application/ld+json>" + "word " * 400_000 + "</script>"
    assert 0 < _declared(script * 3).data_words <= MOST_BYTES // 5 + 2


def test_thousands_of_descriptions_are_cut() -> None:
    html = "<meta name=description content='" + "word " * 100 + "'>"
    assert 0 < _declared(html * 3000).description_words <= MOST_BYTES // 5 + 101


def test_hundreds_of_thousands_of_pieces_are_read_in_one_go() -> None:
    declared_words = _declared("<meta name=description content=a>" * 150_000)
    assert declared_words.description_words == MOST_BYTES // 2
