"""Meta tags, links, microdata and JSON-LD out of the page table."""

from __future__ import annotations

import json
import time

import pytest

from tamis.describe.structured import (
    Structured,
    flattened,
    main_object,
    people,
    property_value,
    read_json,
    structured,
    texts,
)
from tamis.page.read import parse

NAMES = frozenset((b"og:title", b"author", b"description", b"og:article:published_time"))


def read(page: str) -> Structured:
    return structured(parse(page), NAMES)


def test_meta_elements_are_found_by_name_and_by_property() -> None:
    said = read(
        '<meta property="OG:Title" content="A  river&amp;a town"><meta name=author content=Ann>'
        '<meta name="viewport" content="width=device-width"><meta name=author content=Bo>'
    )
    assert said.meta == {"og:title": ["A river&a town"], "author": ["Ann", "Bo"]}


def test_a_value_that_was_escaped_twice_is_resolved() -> None:
    said = read('<meta name=description content="Ann&amp;#39;s boat">')
    assert said.meta["description"] == ["Ann's boat"]


def test_a_name_with_a_reference_in_it_is_found() -> None:
    said = read('<meta property="og:article&#x3A;published_time" content="2023-05-17">')
    assert said.meta["og:article:published_time"] == ["2023-05-17"]


def test_links_and_microdata_are_found_by_each_word() -> None:
    page = parse(
        '<link rel="shortlink canonical" href="/a"><p itemprop="text description">A river</p>'
        '<time datetime="2023-05-17">in May</time><meta itemprop=datePublished content=2023>'
    )
    said = structured(page, NAMES)
    assert [page.attribute(node, "href") for node in said.canonical] == ["/a"]
    assert property_value(page, said.properties["description"][0]) == "A river"
    assert property_value(page, said.properties["datePublished"][0]) == "2023"
    assert [value for _, value in said.times] == ["2023-05-17"]


def test_json_ld_is_read_with_all_its_objects() -> None:
    said = read(
        '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"@type":'
        ' ["NewsArticle"], "author": {"@id": "#ann"}}, {"@id": "#ann", "name": "Ann"}]}</script>'
    )
    article = main_object(said.objects)
    assert article["@type"] == ["NewsArticle"]
    assert people(article, said.objects) == ["Ann"]


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
    assert flattened(json.loads("[" * 500 + '{"@type": "Article"}' + "]" * 500), 10)


def test_texts_come_from_every_shape_of_a_value() -> None:
    assert texts("  a  b ") == ["a b"]
    assert texts([{"name": "a"}, {"@value": "b"}, "c", 7, True, None, {}, {"name": ["d"]}]) == [
        "a",
        "b",
        "c",
        "7",
        "d",
    ]


def test_an_article_comes_before_the_page_that_it_is_on() -> None:
    objects = [{"@type": "WebPage"}, {"@type": "Product"}, {"@type": "BlogPosting"}]
    assert main_object(objects) is objects[2]
    assert main_object(objects[:2]) is objects[1]
    assert main_object([{"@type": "BreadcrumbList"}, {"@id": "#x"}]) == {}


def test_five_megabytes_of_json_ld_and_a_hundred_thousand_metas_are_read_in_time() -> None:
    body = json.dumps({"@type": "Article", "headline": "River", "articleBody": "word " * 1_000_000})
    page = parse(
        f'<script type="application/ld+json">{body}</script>'
        + '<meta name=author content="Ann">' * 100_000
    )
    started = time.perf_counter()
    said = structured(page, NAMES)
    assert time.perf_counter() - started < 5
    assert main_object(said.objects)["headline"] == "River"
    assert 0 < len(said.meta["author"]) < 100_000
