"""Meta tags, links, microdata, JSON-LD and addresses that a page declares."""

from __future__ import annotations

import json

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
