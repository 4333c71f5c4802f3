"""Title, authors, dates and the rest of pages that look like the web."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tamis.describe.authors import names
from tamis.describe.language import normalise_tag
from tamis.describe.metadata import Metadata, describe
from tamis.page.headline import names_site, own_names
from tamis.page.read import parse
from tamis.page.table import Page

TEXT = (
    "<p>The river rose in the night, and by morning the lower town stood under water. The people"
    " of the valley had seen this before, but never in May, and never so fast.</p>"
) * 4

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


def page(head: str, body: str = "", lang: str = "en") -> str:
    return f"<html lang={lang}><head>{head}</head><body>{body}{TEXT}</body></html>"


def read(html: str, url: str | None = None) -> Metadata:
    return describe(parse(html), url)


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


# Titles


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("<title>Floods - Harbour News</title>", "<h1>Floods</h1>", "Floods"),
        ("<title>Floods | harbour.example</title>", "", "Floods"),
        ("<title>Harbour News » Floods</title>", "<h1>Harbour News</h1><h2>Floods</h2>", "Floods"),
        ("<title>Floods in May</title>", "<h1>94</h1>", "Floods in May"),
        ("<title>Floods in May</title>", "<h1>Harbour News</h1><h1>Floods in May ¶</h1>",
         "Floods in May"),
        ("<title>Boats - The Book of Rivers</title>",
         "<h1>The Book of Rivers</h1><h2>Boats</h2>", "Boats"),
        ("<title>洪水到来 - 港口新闻</title>", "<h1>洪水到来</h1>", "洪水到来"),
        ("", "<h1>Floods</h1>", "Floods"),
    ],
)  # fmt: skip
def test_the_title_is_the_headline_without_the_site(head: str, body: str, expected: str) -> None:
    head += '<meta property="og:site_name" content="Harbour News">'
    assert read(page(head, body), "https://harbour.example/a").title == expected


def test_a_site_is_known_by_its_name_and_its_host() -> None:
    url = "https://harbour.example/"
    named = parse("<meta property=og:site_name content='Harbour News'>")
    assert names_site("The Harbour News", own_names(named, url))
    assert names_site("Harbour.example", own_names(parse(""), url))
    assert not names_site("Floods", own_names(named, url))


# Authors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By Ann Lee", ["Ann Lee"]),
        ("Written by: Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Von Ann Lee und Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee; Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee, Ph.D., Bo Ek, MD", ["Ann Lee", "Bo Ek"]),
        ("Ann Lee (ann@harbour.example)", ["Ann Lee"]),
        ("Ann Lee | Harbour News", ["Ann Lee", "Harbour News"]),
        ("By Ann Lee December 2, 2024", ["Ann Lee"]),
        ("By Ann Lee on May 3", ["Ann Lee"]),
        ("Ann Lee - Staff writer", ["Ann Lee"]),
        ("Ann T.", ["Ann T."]),
        ("@annlee", []),
        ("https://social.example/annlee", []),
        ("admin", []),
        ("{{ author.name }}", []),
        ("JWood13", ["JWood13"]),
        ("โดย สมชาย ใจดี", ["สมชาย ใจดี"]),
        ("作者：王小明", ["王小明"]),
        ("", []),
    ],
)
def test_a_byline_gives_names_alone(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "byline",
    [
        "<p class=byline>By Ann Lee</p>",
        '<div class="post-meta"><span class="author vcard"><a rel=author>Ann Lee</a></span></div>',
        '<a href="/author/ann-lee">Ann Lee</a> <span>3 min read</span>',
        "<p>Posted by Ann Lee on 3 May 2023</p>",
        '<span itemprop="author">Ann Lee</span>',
        '<div class="author-box"><img alt=""><p class="author-name">Ann Lee</p>'
        '<p class="author-bio">Writes about rivers and the people who live beside them.</p></div>',
    ],
)
def test_a_byline_is_found_near_the_headline(byline: str) -> None:
    assert read(page("<title>Floods</title>", f"<h1>Floods</h1>{byline}")).authors == ("Ann Lee",)


def test_a_byline_counts_more_than_the_name_of_the_site() -> None:
    head = '<title>Floods</title><meta name=author content="Harbour News">'
    head += '<meta property="og:site_name" content="Harbour News">'
    assert read(page(head, "<h1>Floods</h1><p>By Ann Lee</p>")).authors == ("Ann Lee",)
    article = head + '<meta property="og:type" content="article">'
    assert read(page(article, "<h1>Floods</h1>")).authors == ("Harbour News",)


def test_authors_in_other_meta_elements_are_found() -> None:
    head = '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1"'
    assert read(page(head + ' content="Ann Lee">')).authors == ("Ann Lee",)
    head = "<meta name=citation_author content='Ann Lee'>" * 2
    head += "<meta name=citation_author content='Bo Ek'>"
    assert read(page(head)).authors == ("Ann Lee", "Bo Ek")


# Dates


def test_a_day_that_is_shown_and_declared_wins_over_one_that_is_only_declared() -> None:
    head = """<title>Floods</title>
    <meta property="article:published_time" content="2023-05-17T08:00">
    <script type="application/ld+json">{"@type": "Article", "datePublished": "2015-01-16"}
    </script>"""
    values = read(page(head, "<h1>Floods</h1><p>17 May 2023</p>"))
    assert values.published == "2023-05-17T08:00"


def test_an_earlier_day_at_the_headline_is_that_of_publication() -> None:
    head = '<title>Floods</title><meta property="article:published_time" content="2025-08-21">'
    assert read(page(head, "<h1>Floods</h1><p>Apr 26, 2023</p>")).published == "2023-04-26"


def test_a_change_is_not_a_publication() -> None:
    values = read(page("<title>Floods</title>", "<h1>Floods</h1><p>Updated on May 17, 2023</p>"))
    assert (values.published, values.modified, values.date) == ("", "2023-05-17", "2023-05-17")


def test_a_change_counts_anywhere_on_a_page_without_another_date() -> None:
    changed = "<footer><p>Last updated: March 13, 2024</p></footer>"
    html = page("<title>Floods</title>", f"<h1>Floods</h1>{TEXT}{TEXT}{changed}")
    assert (read(html).published, read(html).date) == ("", "2024-03-13")


def test_the_day_of_a_change_does_not_show_that_a_page_moved() -> None:
    head = """<title>Floods</title><meta property="article:published_time" content="2022-12-25">
    <meta property="article:modified_time" content="2022-12-07">"""
    assert read(page(head, "<h1>Floods</h1><p>7 December 2022</p>")).published == "2022-12-25"


def test_a_thread_is_of_the_day_of_its_first_post() -> None:
    posts = "".join(
        f'<div itemprop=comment itemscope><meta itemprop=datePublished content="2024-01-{day}">'
        f"<p>The {day}th, and still no sign of the water going down in our street.</p></div>"
        for day in (14, 15, 16, 18)
    )
    shown = "<h1>Floods</h1><p>4 replies, the last one by ann on Jan 18, 2024</p>"
    assert read(page("<title>Floods</title>", shown + posts)).published == "2024-01-14"


def test_the_day_on_which_a_member_joined_is_not_that_of_the_page() -> None:
    post = """<h1>Floods</h1><dl><dd><strong>Joined:</strong> 4. Jul 2012, 10:00</dd></dl>
    <p>by <b>ann</b> » <time datetime="2024-09-11T16:36:25+00:00">11. Sep 2024, 18:36</time></p>"""
    assert read(page("<title>Floods</title>", post)).published == "2024-09-11T16:36:25+00:00"


def test_the_address_has_the_day_when_nothing_else_has() -> None:
    values = read(page("<title>Floods</title>"), "https://harbour.example/2023/05/17/floods")
    assert (values.published, values.sources["published"]) == ("2023-05-17", "url")


def test_a_date_before_the_web_must_be_said_twice() -> None:
    before_the_web = '<meta property="article:published_time" content="1962-02-03">'
    assert read(page(before_the_web)).published == ""
    assert (
        read(page(before_the_web + "<meta name=dc.date content=1962-02-03>")).published
        == "1962-02-03"
    )


def test_absurd_dates_are_dropped() -> None:
    head = """<meta property="article:published_time" content="99999-01-01">
    <script type="application/ld+json">{"@type": "Article", "datePublished": "9999-12-31",
    "dateModified": "0000-00-00"}</script>"""
    values = read(page(head, "<h1>Floods</h1><p>32 May 2023</p>"))
    assert (values.published, values.modified) == ("", "")


# Language


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("en", "en"),
        ("EN_us", "en-US"),
        ("pt_BR", "pt-BR"),
        ("zh-hans-cn", "zh-Hans-CN"),
        ("deu", "de"),
        ("en-US,en;q=0.9", "en-US"),
        ("english", ""),
        ("und", ""),
        ("", ""),
    ],
)
def test_a_language_tag_is_normalised(value: str, expected: str) -> None:
    assert normalise_tag(value) == expected


def test_the_text_corrects_a_template_in_english() -> None:
    text = (
        "<p>Der Fluss stieg in der Nacht, und am Morgen stand die Unterstadt unter Wasser. Das"
        " hatten die Leute im Tal schon oft gesehen, aber nie im Mai und nie so schnell.</p>"
    )
    assert read(f"<html lang=en><title>Fluss</title>{text}").language == "de"


def test_a_script_that_is_not_the_languages_own_is_looked_at() -> None:
    text = "<p>" + "น้ำในแม่น้ำขึ้นในตอนกลางคืน และตอนเช้าเมืองตอนล่างก็อยู่ใต้น้ำ " * 5
    assert read(f"<html lang=en><title>น้ำ</title>{text}").language == "th"


def test_the_more_precise_of_two_tags_that_agree_is_taken() -> None:
    assert read(page('<meta property="og:locale" content="en_IE">')).language == "en-IE"


# Addresses


def test_addresses_that_are_not_of_the_web_are_dropped() -> None:
    head = (
        '<link rel=canonical href="javascript:alert(1)"><meta property="og:image" content="data:x">'
    )
    values = read(page(head), "https://harbour.example/")
    assert (values.canonical, values.image) == ("", "")
    assert read(page("<link rel=canonical href='http://[broken'>")).canonical == ""
    assert read(page("<link rel=canonical href='//[broken'>"), "https://a.example").canonical == ""


# Bad input


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
    values = describe(table, "https://harbour.example/")
    assert len(read) < 1_000
    assert values == describe(table, "https://harbour.example/")
    assert all(len(value) < 10_000 for value in (values.title, values.author, values.description))


@pytest.mark.parametrize(
    ("byline", "expected"),
    [
        ("Keith Barry Senior Autos Reporter", ("Keith Barry",)),
        ("By Ann Lee, Content Manager", ("Ann Lee",)),
        ("Senior Reporter Ann Lee", ("Ann Lee",)),
        ("Ann Lee ⋅ Founder, Editor-in-Chief ⋅ Updated", ("Ann Lee",)),
        ("<div>E</div><div>Eric K</div><div>Observer</div>", ("Eric K",)),
        ("Premo3 P", ("Premo3",)),
        ("Marty OP", ("Marty",)),
        ("<div>By</div><div>Ann Lee</div><div>and</div><div>Bo Ek</div>", ("Ann Lee", "Bo Ek")),
        ("<div>Ann Lee,</div><div>Bo Ek</div>", ("Ann Lee", "Bo Ek")),
        ("By Ann Lee, MD. Medically reviewed by Bo Ek", ("Ann Lee",)),
        ("Fact-checked by Bo Ek", ()),
        ("Review", ()),
        ("Sign in", ()),
        ("Written by", ()),
        ("Saturday", ()),
        ("AWS CloudFormation User Guide", ()),
        ("by the end of this course, you will know the river", ()),
        ("J. J. Abel", ("J. J. Abel",)),
        ("Letters to the Editor", ("Letters to the Editor",)),
    ],
)
def test_an_author_is_a_name_and_nothing_else(byline: str, expected: tuple[str, ...]) -> None:
    body = f'<h1>Floods</h1><div class="author">{byline}</div>'
    assert read(page("<title>Floods</title>", body)).authors == expected


def test_a_shop_that_calls_itself_an_author_is_none() -> None:
    head = """<title>Drum sieve | Sieves</title><meta property="og:site_name" content="Sieves">
        <meta property="og:type" content="product"><meta name="author" content="Sieves">"""
    assert read(page(head, "<h1>Drum sieve</h1>")).authors == ()


def test_authors_of_teasers_are_not_those_of_the_page() -> None:
    teasers = "".join(
        f'<div><h2><a href="/{name}">Of {name}</a></h2><p class="byline">By {name} Lee</p></div>'
        for name in ("Ann", "Bo", "Cy", "Di")
    )
    assert read(page("<title>All stories</title>", f"<h1>All stories</h1>{teasers}")).authors == ()


def test_who_reviews_a_product_and_where_to_sign_in_is_no_author() -> None:
    body = """<a href="/users/sign_in">Sign</a><h1>Sieve</h1><span class="review-author">Laura B.
        </span>"""
    assert read(page("<title>Sieve</title>", body)).authors == ()


def test_the_title_is_not_the_name_of_the_site_where_the_page_has_its_own() -> None:
    head = '<title>Harbour News</title><meta property="og:site_name" content="Harbour News">'
    body = "<h1>Harbour News</h1><h2>River floods the lower town</h2>"
    address = "https://harbour.example/2023/river"
    assert read(page(head, body), address).title == "River floods the lower town"
    assert read(page(head, body), "https://harbour.example/").title == "Harbour News"
    anniversary = page("<title>20 years of Harbour News</title>", "<h2>A look back</h2>")
    assert read(anniversary, address).title == "20 years of Harbour News"
