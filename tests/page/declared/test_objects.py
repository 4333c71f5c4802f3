"""JSON in scripts, as broken as it may be, and the object that a page is about."""

from __future__ import annotations

import json

import pytest

from tamis.page.declared.objects import (
    flatten_objects,
    list_people,
    list_texts,
    read_json,
)
from tamis.page.reader import parse


@pytest.mark.parametrize(
    "text",
    [
        '{"headline": "River", "a": [1, 2,],}',
        '<!-- {"headline": "River"} -->',
        '//<![CDATA[\n{"headline": "River"}\n//]]>',
        '/* <![CDATA[ */ {"headline": "River"} /* ]]> */',
        '{"headline": "River", "text": "one\n\ttwo"}',
        '{"headline": "River", "text": "Ann\\\'s"}',
        '{"headline": "River"}; {"headline": "Lake"}',
        '{"headline": "River", "text": "she said "hello" to him"}',
    ],
)
def test_the_usual_faults_of_json_are_mended(text: str) -> None:
    assert read_json(text)["headline"] == "River"


@pytest.mark.parametrize("text", ["", "null", "var a = 1;", '{"a": ', '{"a": 1' + "0" * 9999])
def test_what_is_beyond_mending_is_nothing(text: str) -> None:
    assert read_json(text) is None


def test_deep_nesting_is_nothing_and_no_error() -> None:
    assert read_json("[" * 1_000_000) is None
    assert read_json('{"a":' * 200_000 + "1" + "}" * 200_000) is None
    assert flatten_objects(json.loads("[" * 500 + '{"@type": "Article"}' + "]" * 500), 10)


def test_json_ld_is_read_with_all_its_objects() -> None:
    declared = parse(
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"@type":'
        ' ["NewsArticle"], "author": {"@id": "#ann"}}, {"@id": "#ann", "name": "Ann"}]}</script>'
    ).declared
    assert declared.main["@type"] == ["NewsArticle"]
    assert list_people(declared.main, declared.objects) == ["Ann"]


def test_texts_come_from_every_shape_of_a_value() -> None:
    assert list_texts("  a  b ") == ["a b"]
    assert list_texts(
        [{"name": "a"}, {"@value": "b"}, "c", 7, True, None, {}, {"name": ["d"]}]
    ) == [
        "a",
        "b",
        "c",
        "7",
        "d",
    ]


def test_an_article_comes_before_the_page_that_it_is_on() -> None:
    def find_main(*kinds: str) -> object:
        data = json.dumps([{"@type": kind} for kind in kinds])
        return parse(f"<script type=application/ld+json>{data}</script>").declared.main

    article = {"@type": "BlogPosting"}
    assert find_main("WebPage", "Product", "BlogPosting", "NewsArticle") == article
    assert find_main("WebPage", "Product") == {"@type": "Product"}
    assert find_main("BreadcrumbList", "WebPage") == {"@type": "WebPage"}
    assert find_main("JobPosting", "BreadcrumbList") == {}
