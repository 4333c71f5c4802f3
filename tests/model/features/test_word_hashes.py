"""Words as hashes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.model.features.word_hashes import (
    MOST_BYTES,
    DeclaredWords,
    hash_pairs,
    hash_words,
    read_declared_words,
)
from tamis.page.reader import parse


def _words(text: str) -> list[int]:
    return hash_words(text.encode()).tolist()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Hello, World!", "hello world"),
        ("ÜBER straße", "über Straße"),
        ("ДЕНЬ", "день"),
        ("a&nbsp;b", "a b"),
        ("a&#39;b", "a b"),
        ("soft\u00adhyphen", "softhyphen"),
        ("今天。", "今 天"),
        ("สวัสดี", "ส ว ั ส ด ี"),
    ],
)
def test_texts_with_the_same_words_have_the_same_hashes(text: str, same: str) -> None:
    assert _words(text) == _words(same)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("…", 0), ("a", 1), ("a&b", 2), ("R&D", 2), ("a&amp;b", 2)]
)
def test_words_are_runs_of_letters_and_digits(text: str, count: int) -> None:
    assert len(_words(text)) == count


def test_escapes_are_resolved_in_json_only() -> None:
    raw = rb"caf\u00e9\nau \"lait\""
    assert hash_words(raw, escaped=1).tolist() == _words('café au "lait"')
    assert hash_words(raw).tolist() != _words('café au "lait"')


@given(st.binary(max_size=200))
def test_any_bytes_have_words(text: bytes) -> None:
    assert len(hash_words(text)) <= len(text)
    assert len(hash_words(text, escaped=1)) <= len(text)
    assert hash_words(text).all()


def test_pairs_keep_the_order() -> None:
    forward = hash_pairs(np.array(_words("a b c"), np.uint64))
    backward = hash_pairs(np.array(_words("c b a"), np.uint64))
    assert len(forward) == 2
    assert not set(forward) & set(backward)
    assert len(hash_pairs(np.zeros(0, np.uint64))) == 0


def _declared(html: str) -> DeclaredWords:
    return read_declared_words(parse(html))


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
