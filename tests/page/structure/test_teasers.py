"""Teasers of any length that repeat, in common layouts; links in and below articles are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.describe import teaser_pages, thread_pages

from tamis._runtime import limits
from tamis.errors import DeadlineError
from tamis.page.reader import parse
from tamis.page.structure.teasers import find_teasers

PAGES = Path(__file__).parents[2] / "pages"
SENTENCE = "The river rose by two metres in a single night, and the mill stood in the water. "
MORE = '<p>{text} <a href="/s/{n}">{more}</a></p>'


def inside(html: str) -> list[str]:
    """The texts that are in teasers."""
    page = parse(html)
    return [page.text(int(text)) for text in np.flatnonzero(find_teasers(page).inside)]


def rows(count: int, row: str = MORE, text: str = SENTENCE, more: str = "Read more") -> str:
    return "".join(row.format(n=n, text=text, more=more) for n in range(count))


@pytest.mark.parametrize("words", teaser_pages.LENGTHS)
@pytest.mark.parametrize("row", teaser_pages.LAYOUTS)
def test_most_of_a_page_of_teasers_is_teasers(row: teaser_pages.Row, words: int) -> None:
    for html in teaser_pages.pages(row, words)[:3]:
        found = find_teasers(parse(html))
        assert found.share > 0.85
        assert found.words > 10 * words


def test_fewer_than_five_are_no_list() -> None:
    assert inside(rows(4)) == []
    assert len(inside(rows(5))) == 10


def test_one_more_below_an_article_makes_no_teaser_of_it() -> None:
    article = f"<article>{f'<p>{SENTENCE * 4}</p>' * 6}<p><a href=/next>Read more</a></p></article>"
    assert inside(article) == []
    related = "<ul>" + "".join(f"<li><a href=/r/{n}>Related {n}</a>" for n in range(9)) + "</ul>"
    assert inside(article + related) == []


def test_links_in_running_text_are_none() -> None:
    text = '<p>{text} and <a href="/w/{n}">word {n}</a> and so on: {text}</p>'
    assert inside(rows(9, text)) == []
    at_the_end = '<p>{text} as <a href="/w/{n}">somebody {n} has found</a></p>'
    assert inside(rows(9, at_the_end)) == []


def test_links_to_parts_of_a_page_scripts_and_mail_are_none() -> None:
    for href in ("#c{n}", "/story#c{n}", "javascript:go({n})", "mailto:a{n}@example.org", ""):
        assert inside(rows(9, MORE.replace("/s/{n}", href))) == []
    assert inside(rows(9, MORE.replace("/s/{n}", "/s/{n}#more")))


def test_links_to_one_page_are_no_teasers_of_others() -> None:
    assert inside(rows(9, MORE.replace("/s/{n}", "/s"))) == []


def test_the_caller_may_know_that_elements_lead_on() -> None:
    html = rows(9, "<div><p>{text}</p><span>{more}</span></div>")
    page = parse(html)
    spans = [node for node in range(len(page.nodes)) if page.tag_name(node) == "span"]
    assert not find_teasers(page).inside.any()
    assert find_teasers(page, also=spans).inside.all()


def test_cards_that_react_to_a_click_are_teasers() -> None:
    card = "<div onclick='go({n})'><h3>Mill stands in water</h3><p>{text}</p></div>"
    assert len(inside(rows(6, card))) == 12


def test_long_sections_below_linked_headings_are_none() -> None:
    section = '<section><h2><a href="/tool/{n}">The tool number {n}</a></h2><p>{text}</p></section>'
    assert inside(rows(8, section, SENTENCE * 7)) == []
    assert len(inside(rows(8, section, SENTENCE * 3))) == 16


def test_dates_and_permalinks_of_comments_are_no_titles() -> None:
    comment = '<li><a href="/story/c{n}">March {n}1, 2026 at 10:1{n}</a><p>{text}</p></li>'
    assert inside(f"<ol>{rows(8, comment)}</ol>") == []


def test_a_phrase_may_have_the_title_behind_it() -> None:
    assert len(inside(rows(6, more="Read more: the story of {n}".replace("{n}", "mills")))) == 12


def test_paragraphs_outside_are_prose() -> None:
    story = f"<p>{SENTENCE * 3}</p>" * 2 + "<p>By Ann Miller</p>"
    assert find_teasers(parse(rows(9) + story)).prose == 2 * 3 * len(SENTENCE.split())
    assert find_teasers(parse(rows(9) + f"<footer>{story}</footer>")).prose == 0


def test_what_is_before_a_flat_list_is_no_part_of_it() -> None:
    flat = "<h2>Mill {n}</h2><p>{text}</p><p><a href=/s/{n}>Read more</a></p>"
    texts = inside(f"<main>{f'<p>{SENTENCE * 3}</p>' * 4}{rows(6, flat)}</main>")
    assert len(texts) == 18
    assert texts[0] == "Mill 0"


@pytest.mark.parametrize(
    "make",
    [
        thread_pages.phpbb,
        thread_pages.phpbb_tables,
        thread_pages.vbulletin,
        thread_pages.discourse,
        thread_pages.nested,
        thread_pages.wordpress,
        thread_pages.guestbook,
    ],
)
def test_posts_and_comments_are_none(make: thread_pages.Maker) -> None:
    assert find_teasers(parse(make())).share < 0.5


@pytest.mark.parametrize(
    "folder",
    [path for path in sorted(PAGES.glob("*/source.html")) if "listing" not in path.parent.name],
    ids=lambda path: path.parent.name,
)
def test_few_words_of_other_test_pages_are_in_teasers(folder: Path) -> None:
    assert find_teasers(parse(folder.read_bytes())).share < 0.5


@pytest.mark.parametrize("html", ["", "<a href=x>", "<p>text", "<a href=x></a>" * 9])
def test_pages_without_teasers_have_none(html: str) -> None:
    found = find_teasers(parse(html))
    assert not found.inside.any()
    assert found.words == found.share == 0


def test_hidden_teasers_do_not_count() -> None:
    assert inside(f"<div hidden>{rows(9)}</div>") == []


def test_the_deadline_holds_on_many_links() -> None:
    page = parse(rows(30_000))
    with pytest.raises(DeadlineError), limits.within(0.01):
        find_teasers(page)
