"""Entries of overview pages, and how probable such a page is."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe import teaser_pages

import tamis
from tamis.describe.types.overview import Item, estimate_chance, find_items
from tamis.describe.types.page_type import OVERVIEW
from tamis.methods.baseline import Baseline
from tamis.page.reader import parse
from tamis.page.structure.teasers import find_teasers
from tamis.page.table import Page

TOP = """<title>Site</title><div id="cookies"><p>We use cookies. <a href="/privacy">More on cookies
and on your choices</a> <button>Accept all</button></div>
<header><nav><ul><li><a href="/">Home</a><li><a href="/news">News</a><li><a href="/shop">Shop</a>
<li><a href="/about">About us</a></ul></nav></header>"""
BOTTOM = """<footer><ul><li><a href="/imprint">Imprint</a><li><a href="/terms">Terms</a>
<li><a href="/contact">Contact</a></ul><p>© 2026</p></footer>"""
URL = "https://example.org/blog/"
SENTENCE = "The river rose by two metres in a single night, and the mill stood in the water. "


def found(main: str, url: str | None = URL) -> tuple[Item, ...]:
    """The entries, with a method that knows where the content is."""
    page = parse(f"{TOP}<main>{main}</main>{BOTTOM}")
    in_main = page.source.index(b"<main>"), page.source.index(b"</main>")
    start = page.texts.start[page.blocks.first_text]
    return find_items(page, ((start > in_main[0]) & (start < in_main[1])).astype(float), url)


def test_a_blog_index_gives_titles_links_and_teasers() -> None:
    posts = "".join(
        f'<article class="post post-{number}"><a class="section" href="/tag/walks">Walks</a>'
        f'<h2><a href="post-{number}">Walk number {number} along the canal</a></h2>'
        f"<p>We set out before <em>sunrise</em>; the locks were open.</p>"
        f'<a href="post-{number}#more">Continue reading this long post here</a></article>'
        for number in range(1, 6)
    )
    first, *_, last = found(f"<h1>Latest posts</h1>{posts}")
    assert first == Item(
        "Walk number 1 along the canal",
        "https://example.org/blog/post-1",
        "Walks\nWe set out before sunrise; the locks were open.\n"
        "Continue reading this long post here",
    )
    assert last.link == "https://example.org/blog/post-5"


def test_a_german_shop_category_gives_its_products() -> None:
    products = "".join(
        f'<li class="produkt"><a href="/p/{number}"><img src="{number}.jpg" alt=""></a>'
        f'<a href="/p/{number}">Haarsieb aus Rosshaar Größe {number}</a>'
        f'<span class="preis">{number},90 €</span><button>In den Warenkorb</button></li>'
        for number in range(20, 32)
    )
    entries = found(f"<h1>Siebe</h1><ul>{products}</ul>")
    assert len(entries) == 12
    assert entries[0] == Item(
        "Haarsieb aus Rosshaar Größe 20", "https://example.org/p/20", "20,90 €"
    )


def test_thai_search_results_keep_their_order() -> None:
    results = "".join(
        f'<div class="result"><a href="/ผล/{number}">วิธีทำขนมไทยแบบดั้งเดิม ตอนที่ {number}</a>'
        f"<div>ขนมไทยทำจากแป้งข้าวเจ้า กะทิ และน้ำตาลมะพร้าวที่หาได้ในตลาด</div></div>"
        for number in (3, 1, 2, 7)
    )
    entries = found(f'<div class="results">{results}</div>')
    assert [entry.title[-1] for entry in entries] == ["3", "1", "2", "7"]
    assert entries[0].link == "https://example.org/ผล/3"
    assert entries[0].teaser == "ขนมไทยทำจากแป้งข้าวเจ้า กะทิ และน้ำตาลมะพร้าวที่หาได้ในตลาด"


def test_a_forum_index_as_a_table_gives_a_row_each() -> None:
    rows = "".join(
        f'<tr class="{"odd" if number % 2 else "even"}"><td><a href="viewtopic.php?t={number}">'
        f"Question about sieves, part {number}</a></td><td>{number}</td>"
        f'<td><a href="/user/{number}">anna{number}</a></td></tr>'
        for number in range(8)
    )
    entries = found(f"<table><tbody>{rows}</tbody></table>")
    assert [entry.link for entry in entries] == [
        f"https://example.org/blog/viewtopic.php?t={number}" for number in range(8)
    ]
    assert entries[3].title == "Question about sieves, part 3"
    assert entries[3].teaser == "3\nanna3"


def test_cards_in_several_sections_of_a_home_page_are_one_list() -> None:
    sections = "".join(
        f'<section class="topic"><h2>Topic {topic}</h2><div class="cards">'
        + "".join(
            f'<a class="card" href="/{topic}/{number}"><h3>Story {topic}{number} of the day</h3>'
            f"<p>What happened and why it matters to the town.</p></a>"
            for number in range(3)
        )
        + "</div></section>"
        for topic in range(4)
    )
    entries = found(sections)
    assert len(entries) == 12
    assert entries[4] == Item(
        "Story 11 of the day",
        "https://example.org/1/1",
        "What happened and why it matters to the town.",
    )


def test_headings_with_text_after_them_take_it_as_their_teaser() -> None:
    posts = "".join(
        f'<h3><a href="/{number}">Flat entry number {number}</a></h3><p>Its summary {number}.</p>'
        for number in range(4)
    )
    entries = found(f"<div>{posts}</div>")
    assert [entry.teaser for entry in entries] == [f"Its summary {n}." for n in range(4)]


def test_the_base_element_counts_and_without_an_address_links_stay_relative() -> None:
    lines = "".join(f'<li><a href="a{n}">A title of an entry {n}</a>' for n in range(5))
    assert found(f"<ul>{lines}</ul>", None)[0].link == "a0"
    page = parse(f'<base href="/archive/"><ul>{lines}</ul>')
    assert (
        find_items(page, np.ones(len(page.blocks)), URL)[0].link == "https://example.org/archive/a0"
    )


def test_links_that_lead_nowhere_and_second_ones_to_the_same_page_are_left_out() -> None:
    hrefs = ["javascript:void(0)", "#top", "data:text/html,x", "http://[bad", "/a", "/a", "/b"]
    lines = "".join(f'<li><a href="{href}">A title of an entry</a></li>' for href in hrefs)
    assert [entry.link[-2:] for entry in found(f"<ul>{lines}</ul>")] == ["/a", "/b"]


def test_hidden_text_is_in_no_entry() -> None:
    lines = "".join(
        f'<li><a href="/{n}">A title of an entry</a> <span hidden>secret</span></li>'
        for n in range(5)
    )
    assert all(entry.teaser == "" for entry in found(f"<ul>{lines}</ul>"))


@pytest.mark.parametrize("html", ["", "text", "<p>One <a href='/x'>link</a>.", "<a href=x></a>"])
def test_pages_without_a_list_have_no_entries(html: str) -> None:
    page = parse(html)
    assert find_items(page, np.ones(len(page.blocks)), URL) == ()


def test_a_page_of_50000_entries_gives_them_all() -> None:
    lines = "".join(f"<li><a href=/{n}>Entry number {n}</a>" for n in range(50_000))
    page = parse(f"<ul>{lines}</ul>")
    assert len(find_items(page, np.zeros(len(page.blocks)))) == 50_000


def test_the_chance_of_an_overview_page_is_that_of_its_two_types() -> None:
    types = {"article": 0.25, "collection": 0.5, "listing": 0.125, "service": 0.125}
    assert estimate_chance(parse("<p>A page."), Baseline(), lambda: types) == 0.625


def test_a_method_with_a_verdict_of_its_own_is_believed_instead() -> None:
    class Certain(Baseline):
        def overview(self, page: Page) -> float:
            return 0.75

    assert estimate_chance(parse("<p>A page."), Certain(), dict) == 0.75


# Pages of long teasers


@pytest.mark.parametrize("words", teaser_pages.LENGTHS)
@pytest.mark.parametrize("row", teaser_pages.LAYOUTS)
def test_a_page_of_long_teasers_is_a_listing(row: teaser_pages.Row, words: int) -> None:
    for html in teaser_pages.pages(row, words):
        result = tamis.extract(html)
        assert result.page_type == "listing"
        assert result.overview > 0.5


def test_a_page_of_long_teasers_is_skipped_if_that_is_wanted() -> None:
    html = teaser_pages.page(teaser_pages.articles, 60, 1)
    assert tamis.extract(html).text
    assert tamis.extract(html, overview="skip").text == ""


def test_a_story_with_teasers_below_is_an_article() -> None:
    teasers = teaser_pages.page(teaser_pages.cards, 60, 0)
    story = f"<article>{f'<p>{SENTENCE * 4}</p>' * 3}</article>"
    page = parse(teasers.replace("</h1>", f"</h1>{story}"))
    # The teasers are most of the page, but the story is not one of them.
    assert find_teasers(page).share > 0.75
    assert tamis.extract(page).page_type not in OVERVIEW
