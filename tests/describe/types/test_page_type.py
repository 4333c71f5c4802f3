"""The type of a page."""

from __future__ import annotations

import math
from pathlib import Path
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
import pytest
from tests.uncompiled import from_source

import tamis
from tamis.describe.metadata import record as metadata
from tamis.describe.types import page_type
from tamis.describe.types.page_type import (
    COLUMNS,
    FORESTS,
    NUMBERS,
    OVERVIEW,
    PLACES,
    SPEC,
    TYPES,
    Description,
    PageTypeModel,
    decide_places,
    decide_type,
    describe,
    estimate_types,
    is_likely_forum,
    is_overview,
    is_overview_at,
    sum_overview,
)
from tamis.errors import WeightsError
from tamis.model.weights.load import load, path_of_shipped
from tamis.page.reader import parse

TOP = """<div id="cookie-banner"><p>We use cookies.</p><button>Accept</button></div>
<nav class="menu"><ul><li><a href="/">Home</a><li><a href="/all">All</a></ul></nav>"""
BOTTOM = '<footer class="site-footer"><p><a href="/imprint">Imprint</a> © 2026</p></footer>'
SENTENCE = "The river rose by two metres in a single night, and the mill stood in the water. "

ARTICLE = f"""<html><head><title>The flood</title><meta property="og:type" content="article">
<meta property="article:published_time" content="2026-03-01"><script type="application/ld+json">
{{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "The flood"}}</script>
</head><body class="single single-post">{TOP}<main><article class="entry post"><h1>The flood</h1>
<span class="byline author">By Ann Miller</span> <time datetime="2026-03-01">1 March</time>
<div class="entry-content">{f"<p>{SENTENCE * 4}</p>" * 9}</div></article></main>{BOTTOM}"""

SHOP = f"""<html><head><title>Sieves</title><meta property="og:type" content="website"></head>
<body class="archive tax-product_cat woocommerce">{TOP}<main><h1>Sieves</h1>
<ul class="products columns-4">{
    "".join(
        f'<li class="product type-product"><a href="/p/{n}"><img src="{n}.jpg" alt="">'
        f'<h2 class="woocommerce-loop-product__title">Sieve {n}</h2><span class="price">'
        f'<span class="amount">{n}.90 €</span></span></a> <a class="button add_to_cart_button"'
        f' href="?add={n}">Add to cart</a></li>'
        for n in range(24)
    )
}</ul><nav class="woocommerce-pagination"><a href="?page=2">2</a></nav></main>{BOTTOM}"""

PAGES = Path(__file__).parents[2] / "pages"


def bag(described: Description, number: int) -> set[int]:
    """The hashes of the names of one bag."""
    return {place for place in described.places.tolist() if place // PLACES == number}


DECLARED, ADDRESS = 1, 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((f"news-{language}", "article") for language in ("ar", "de", "en", "ko", "th", "zh")),
        ("recipe-fr", "article"),
        ("blog-hi", "article"),
        ("blog-ja", "article"),
        ("table-layout-1999", "article"),
        ("docs-en", "documentation"),
        ("forum-en", "forum"),
        ("forum-th", "forum"),
        ("listing-en", "listing"),
        ("shop-th", "product"),
    ],
)
def test_plain_cases_have_their_type_in_any_language(name: str, expected: str) -> None:
    page = parse((PAGES / name / "source.html").read_bytes())
    assert next(iter(estimate_types(page))) == expected


def test_a_category_of_a_shop_is_an_overview_page() -> None:
    for url in (None, "https://example.org/product-category/sieves/"):
        types = estimate_types(parse(SHOP), url)
        assert types["collection"] + types["listing"] > 0.5


def test_an_overview_page_is_decided_before_it_gets_one_of_two_names() -> None:
    rest = dict.fromkeys(TYPES, 0.0)
    assert decide_type({**rest, "service": 0.4, "collection": 0.25, "listing": 0.35}) == "listing"
    assert decide_type({**rest, "service": 0.4, "collection": 0.3, "listing": 0.3}) in OVERVIEW
    assert decide_type({**rest, "service": 0.6, "collection": 0.1, "listing": 0.3}) == "service"


def test_a_page_that_is_no_overview_page_has_none_of_their_types() -> None:
    rest = dict.fromkeys(TYPES, 0.0)
    types = {**rest, "listing": 0.46, "article": 0.3, "service": 0.24}
    assert decide_type(types) == "article"
    assert not is_overview(sum_overview(types))
    assert decide_type({**rest, "listing": 0.5, "service": 0.5}) == "service"


def test_type_and_overview_are_one_decision() -> None:
    random = np.random.default_rng(0)
    chances = np.concatenate(
        [random.dirichlet(np.full(len(TYPES), scale), 2000) for scale in (0.2, 1.0, 5.0)]
        + [random.multinomial(4, np.full(len(TYPES), 1 / len(TYPES)), 500) / 4]
    )
    places = decide_places(chances)
    at = is_overview_at(chances)
    assert 0.05 < at.mean() < 0.95
    for row, place, overview in zip(chances.tolist(), places.tolist(), at.tolist(), strict=True):
        types = dict(zip(TYPES, row, strict=True))
        assert decide_type(types) == TYPES[place]
        assert is_overview(sum_overview(types)) == overview == (TYPES[place] in OVERVIEW)


def test_all_views_of_a_page_agree_whether_it_is_an_overview_page(
    sources: dict[str, bytes],
) -> None:
    pages = [*sources.values(), *(page.encode() for page in (ARTICLE, SHOP, NEWS_2005))]
    for source in pages:
        result = tamis.extract(source)
        overview = result.page_type in OVERVIEW
        assert (result.overview > 0.5) == overview
        assert bool(result.items) <= overview
        assert result.to_dict()["overview"] == result.overview
        skipped = tamis.extract(source, overview="skip")
        assert (skipped.text == "") == (overview or result.text == "")


# News of 2005: no class names, no declarations, tables for the layout, many links around the text.
LINKS_2005 = "".join(f'<a href="/section{n}.html">Section {n}</a><br>' for n in range(25))
NEWS_2005 = f"""<html><head><title>Mill stands in water - The Valley Post</title></head>
<body bgcolor="#ffffff"><table width=760 border=0><tr><td colspan=3><img src="logo.gif"></td></tr>
<tr valign=top><td width=120><font size=1>{LINKS_2005}</font></td><td width=440>
<font size=4><b>Mill stands in water</b></font><br><font size=1>By Ann Miller, March 1, 2005</font>
<p>{SENTENCE * 4}</p>{
    f"<p>{SENTENCE * 3}</p>" * 7
}<p><a href="/print?id=7">Print this story</a></td>
<td width=200><b>More headlines</b><br>{
    "".join(
        f'<li><a href="/story{n}.html">Ferry {n} runs again after the long flood</a>'
        for n in range(12)
    )
}</td></tr></table></body></html>"""


def test_an_article_of_2005_is_no_overview_page() -> None:
    for html in (NEWS_2005, NEWS_2005.replace("<p>", "<br><br>").replace("</p>", "")):
        types = estimate_types(parse(html))
        assert decide_type(types) == "article"
        assert types["collection"] + types["listing"] < 0.2


def test_a_front_page_of_2005_is_an_overview_page() -> None:
    stories = "".join(
        f'<tr><td><a href="/story{n}.html"><b>Ferry {n} runs again</b></a><br><font size=1>'
        f"March {n + 1}, 2005</font><br>The water fell in the valley. <a href=/story{n}.html>More"
        "</a></td></tr>"
        for n in range(20)
    )
    page = NEWS_2005[: NEWS_2005.index("<font size=4>")] + f"<table>{stories}</table></table>"
    types = estimate_types(parse(page), "http://www.valleypost.example/")
    assert types["collection"] + types["listing"] > 0.5


def test_the_shape_of_a_page_is_seen_without_any_name() -> None:
    def numbers(html: str) -> dict[str, float]:
        return dict(zip(NUMBERS, describe(parse(html)).numbers.tolist(), strict=True))

    article, front = numbers(NEWS_2005), numbers(SHOP)
    assert article["cluster.of_text"] > 0.9
    assert article["run.of_text"] > 0.9
    assert article["headlines"] == 12 + 1  # and the cell with the sections, one block of links
    assert front["cluster.words"] == 0
    assert front["prices"] == 24
    assert front["h1.words_to_text"] == -1
    headed = numbers(ARTICLE)
    assert headed["h1.words"] == 2
    assert headed["h1.near_links"] == 0
    assert headed["headings.with_text"] == 1


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<",
        "text",
        "<title>x</title>",
        "<p>" * 3000,
        "<body class>",
        ARTICLE,
        SHOP,
        "<a href=x>",
    ],
)
@pytest.mark.parametrize("url", [None, "", "http://[", "no address", "https://x/" + "a/" * 9999])
def test_any_page_has_probabilities_of_all_types_that_add_up_to_1(
    html: str, url: str | None
) -> None:
    types = estimate_types(parse(html), url)
    assert set(types) == set(TYPES)
    assert math.isclose(sum(types.values()), 1)
    assert all(0 <= chance <= 1 for chance in types.values())
    assert list(types.values()) == sorted(types.values(), reverse=True)


def test_an_address_that_the_page_declares_stands_in_for_one_that_is_not_given() -> None:
    url = "https://example.org/shop/sieve-42?color=red"
    silent = parse(f"<head></head><body>{SHOP}")
    canonical = parse(f'<head><link rel="canonical" href="{url}"></head><body>{SHOP}')
    og_url = parse(f'<head><meta property="og:url" content="{url}"></head><body>{SHOP}')
    with_address = describe(silent, url)
    for page in (canonical, og_url):
        assert bag(describe(page), ADDRESS) == bag(with_address, ADDRESS)
    assert not bag(describe(silent), ADDRESS)
    elsewhere = describe(canonical, "https://example.org/")
    assert bag(elsewhere, ADDRESS) != bag(describe(canonical), ADDRESS)


def test_the_words_of_the_text_do_not_matter_but_their_number_does() -> None:
    english = parse(ARTICLE)
    shuffled = parse(ARTICLE.replace("river", "eirrv").replace("night", "thgin"))
    assert estimate_types(english) == estimate_types(shuffled)


def test_types_of_structured_data_and_generators_are_read() -> None:
    def declared(head: str) -> set[int]:
        return bag(describe(parse(f"<head>{head}</head><body>x")), DECLARED)

    script = '<script type="application/ld+json">{}</script>'
    product = declared(script.format('{"@type": "Product"}'))
    assert product == declared(script.format('{"a": 1, "@type" : [ "product", 2]}'))
    assert product != declared(script.format('{"@type": "NewsArticle"}'))
    assert declared(script.format('{"@type": ')) == set()
    assert declared('<meta name="generator" content="Discourse 3.1">') == declared(
        '<meta name="GENERATOR" content="discourse 2">'
    )


def test_numbers_are_finite_and_as_many_as_they_have_names() -> None:
    for html in ("", ARTICLE, SHOP):
        numbers = describe(parse(html)).numbers
        assert numbers.shape == (len(NUMBERS),)
        assert np.isfinite(numbers).all()
    shop = dict(zip(NUMBERS, describe(parse(SHOP)).numbers.tolist(), strict=True))
    assert shop["links_and_images.most"] == shop["count.img"] == 24
    assert shop["count.h2"] == 24


def test_a_hostile_page_takes_bounded_work() -> None:
    names = "".join(
        f'<i class="c{n} {"x" * 500}" id=i{n} itemtype=t{n}></i>' for n in range(20_000)
    )
    data = '<script type="application/ld+json">' + '"@type":"X",' * 200_000 + "</script>"
    metas = '<meta name="og:type" content="a">' * 20_000
    page = parse(f"<head>{metas}{data}</head><body>{'<p>x' * 50_000}{names}")
    assert math.isclose(sum(estimate_types(page).values()), 1)


def test_weights_that_are_none_of_page_types_are_refused() -> None:
    arrays = dict(load(path_of_shipped("page_type"), method="page_type", spec=SPEC).arrays)
    PageTypeModel.from_arrays(arrays)
    for name, value in {
        "scale": np.ones(3),
        "shift": np.full(len(FORESTS), np.nan),
        "linear": np.ones((3, 7)),
        "weight": np.zeros((2, 2)),
        "place": arrays["place"].astype(np.int64) - 1_000_000,
        "article.value": np.zeros(1, np.float32),
        "forum.feature": np.full_like(arrays["forum.feature"], len(COLUMNS)),
    }.items():
        with pytest.raises(WeightsError):
            PageTypeModel.from_arrays({**arrays, name: value})
    with pytest.raises(WeightsError, match="missing"):
        PageTypeModel.from_arrays(
            {name: array for name, array in arrays.items() if name != "shift"}
        )


def test_the_shipped_weights_are_read_once() -> None:
    assert page_type._load_shipped() is page_type._load_shipped()


def test_uncompiled_passes_give_the_same_numbers(sources: dict[str, bytes]) -> None:
    types, slow_metadata, read = from_source(
        "describe.types.page_type", "describe.metadata.record", "page.reader"
    )
    for source in (
        *list(sources.values())[:6],
        ARTICLE,
        SHOP,
        "",
        "<p>",
        "<html class=a><br id=b>",
    ):
        page, slow_page = parse(source), read.parse(source)
        for url in (None, "https://example.org/a-b/C?d=1&e", "http://[::1", "//exämple.org/Ä/1/"):
            described, slowly = describe(page, url), types.describe(slow_page, url)
            assert slowly.numbers.tolist() == described.numbers.tolist()
            assert slowly.places.tolist() == described.places.tolist()
            assert types.estimate_types(slow_page, url) == estimate_types(page, url)
            about = metadata.describe_page(page, url).to_dict()
            assert slow_metadata.describe_page(slow_page, url).to_dict() == about


def test_the_names_of_an_address_are_hashes_of_their_kind_and_themselves() -> None:
    places = describe(parse(""), "https://www.example.org/Some-page/2/x?id=3&b").places.tolist()
    names = "path some, path page, path x, host www, host example, host org, query id, query b"
    expected = (*names.split(", "), "steps 3", "first some-page", "last x")
    assert {place - 2 * PLACES for place in places if 2 * PLACES <= place < 3 * PLACES} == {
        crc32(name.encode()) % PLACES for name in expected
    }


def test_an_address_is_split_as_the_standard_library_splits_it() -> None:
    for url in (
        "https://www.example.org:80/a//b;c?d=1&e#f?g",
        "http://user@example.org",
        "http://example.org?a/b",
        "https://example.org#a?b/c",
        "HTTP://Example.org/A",
        "http://example.org/a b?c[]=1",
        " https://example.org/\ta",
        "//example.org/a",
        "a/b?c",
        "https://exämple.org/ü?ä",
        "",
    ):
        parts = urlsplit(url)
        assert page_type._split_address(url) == (parts.netloc, parts.path, parts.query)
    assert page_type._split_address("http://[::1") == ("", "", "")


def test_types_are_made_once_for_each_address(monkeypatch: pytest.MonkeyPatch) -> None:
    page = parse(ARTICLE)
    first = estimate_types(page)
    first["forum"] = 2.0  # the caller's own
    assert estimate_types(page)["forum"] < 1.0
    assert estimate_types(page, "https://example.org/forum/threads/1") != estimate_types(page)
    monkeypatch.setattr(page_type, "describe", None)
    assert estimate_types(page) == estimate_types(page, None)


def test_rows_are_not_looked_at_where_no_forum_is_likely(
    sources: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    for source in sources.values():
        page, again = parse(source), parse(source)
        assert is_likely_forum(page, 0.97, None) == (estimate_types(again)["forum"] >= 0.97)
    monkeypatch.setattr(page_type, "weigh_rows", None)
    assert not is_likely_forum(parse(ARTICLE), 0.97, None)
