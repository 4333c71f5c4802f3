"""Meta tags, links, microdata, JSON-LD and addresses that a page declares."""

from __future__ import annotations

import json

import pytest

from tamis.page.declared import (
    flatten_objects,
    list_people,
    list_texts,
    read_json,
)
from tamis.page.reader import parse


def read(page: str) -> dict[str, list[str]]:
    declared = parse(page).declared
    return {name: [*declared.contents(name)] for name in declared.meta}


def test_meta_elements_are_found_by_name_and_by_property() -> None:
    contents = read(
        '<meta property="OG:Title" content="A  river&amp;a town"><meta name=author content=Ann>'
        '<meta name="viewport" content="width=device-width"><meta name=author content=Bo>'
    )
    assert contents == {
        "og:title": ["A river&a town"],
        "author": ["Ann", "Bo"],
        "viewport": ["width=device-width"],
    }


def test_a_value_that_was_escaped_twice_is_resolved() -> None:
    contents = read('<meta name=description content="Ann&amp;#39;s boat">')
    assert contents["description"] == ["Ann's boat"]


def test_a_name_with_a_reference_in_it_is_found() -> None:
    contents = read('<meta property="og:article&#x3A;published_time" content="2023-05-17">')
    assert contents["og:article:published_time"] == ["2023-05-17"]


def test_links_and_microdata_are_found_by_each_word() -> None:
    page = parse(
        '<link rel="shortlink canonical" href="/a"><p itemprop="text description">A river</p>'
        '<time datetime="2023-05-17">in May</time><meta itemprop=datePublished content=2023>'
    )
    declared = page.declared
    assert declared.canonical == ["/a"]
    assert list(declared.of_properties("datePublished", "description")) == [
        ("A river", "microdata"),
        ("2023", "microdata"),
    ]
    assert [value for _, value in declared.times] == ["2023-05-17"]


def test_a_page_is_read_once_for_all_who_ask() -> None:
    page = parse("<meta name=author content=Ann><p>River")
    assert page.declared is page.declared
    assert page.declared.objects is page.declared.objects


def test_the_rows_of_the_head_come_first() -> None:
    page = parse(
        "<head><meta name=author content=Ann><link rel=icon href=/i><a name=x></a></head>"
        "<body><input name=q><a rel=next></a><p itemprop=text>River <time datetime=2023>now</time>"
    )
    names = [page.tag_name(row[0]) for row in page.declared.rows.tolist()]
    assert names[: page.declared.head] == ["meta", "link"]
    assert names[page.declared.head :] == ["p", "time"]


def test_the_host_is_that_of_the_canonical_link_or_else_of_og_url() -> None:
    link = "<link rel=canonical href=https://www.harbour.example/a>"
    meta = "<meta property=og:url content=https://m.harbour.example/a>"
    assert parse(meta + link).declared.host == "harbour.example"
    assert parse(meta + "<link rel=canonical href=/a>").declared.host == "m.harbour.example"
    assert parse("<p>River").declared.host == ""


def test_of_five_megabytes_of_json_ld_and_a_hundred_thousand_metas_so_much_is_read() -> None:
    body = json.dumps({"@type": "Article", "headline": "River", "articleBody": "word " * 1_000_000})
    page = parse(
        f'<script type="application/ld+json">{body}</script>'
        + "<meta name=author content=Ann>" * 100_000
    )
    assert [described["headline"] for described in page.declared.objects] == ["River"]
    assert 0 < len(page.declared.meta["author"]) <= 20_000


def test_scripts_beyond_eight_megabytes_are_left_out() -> None:
    large = json.dumps({"@type": "Article", "articleBody": "word " * 1_200_000})
    page = parse(f'<script type="application/ld+json">{large}</script>' * 3)
    assert len(page.declared.objects) == 1


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
