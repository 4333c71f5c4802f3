"""One headline for all who ask, and the block where it stands."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.describe.metadata.record import describe_page
from tamis.describe.regions import KIND, find_regions
from tamis.page.headline import (
    _NO_LETTERS,
    find_headline,
    find_own_names,
    keep_letters,
    mark_titles,
    names_site,
    strip_site,
)
from tamis.page.reader import parse
from tests.describe.metadata.pages import page, read

STORY = "<p>" + "The river rose in the night, and the lower town stood under water. " * 4 + "</p>"


@pytest.mark.parametrize(
    ("head", "body", "shown"),
    [
        ("<title>Floods in May | Harbour</title>", "<h1>Floods in May</h1>", "Floods in May"),
        ("<title>Floods in May | Harbour</title>", "<h1>Harbour</h1><h4>Floods in May</h4>", None),
        (
            "<title>A flood in the town in May - News</title>",
            "<h1>News</h1><p>A flood in the town in May</p>",
            "A flood in the town in May",
        ),
        ("<title>Floods</title>", "<h1>Water in the lower town</h1>", "Water in the lower town"),
        ("", "<h1>Harbour</h1><h1>Floods in May</h1>", ""),
    ],
)
def test_metadata_and_kinds_agree_about_the_headline(
    head: str, body: str, shown: str | None
) -> None:
    page = parse(head + body + STORY)
    block = find_headline(page).block
    assert (page.block_text(block) if block >= 0 else "") == (
        "Floods in May" if shown is None else shown
    )
    kept = page.blocks.words > 20
    titles = np.flatnonzero(find_regions(page, kept) == KIND["title"]).tolist()
    assert titles == ([block] if block >= 0 else [])
    assert describe_page(page).title == find_headline(page).title


def test_the_host_of_the_address_is_no_part_of_the_headline() -> None:
    page = parse("<title>Floods in May - harbour.example</title>" + STORY)
    assert find_headline(page, "https://www.harbour.example/a").title == "Floods in May"


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
    assert names_site("The Harbour News", find_own_names(named, url))
    assert names_site("Harbour.example", find_own_names(parse(""), url))
    assert not names_site("Floods", find_own_names(named, url))


def test_the_title_is_not_the_name_of_the_site_where_the_page_has_its_own() -> None:
    head = '<title>Harbour News</title><meta property="og:site_name" content="Harbour News">'
    body = "<h1>Harbour News</h1><h2>River floods the lower town</h2>"
    address = "https://harbour.example/2023/river"
    assert read(page(head, body), address).title == "River floods the lower town"
    assert read(page(head, body), "https://harbour.example/").title == "Harbour News"
    anniversary = page("<title>20 years of Harbour News</title>", "<h2>A look back</h2>")
    assert read(anniversary, address).title == "20 years of Harbour News"


def test_letters_of_ascii_are_those_of_any_text() -> None:
    text = "".join(map(chr, range(128)))
    assert keep_letters(text) == _NO_LETTERS.sub("", text.casefold())


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Floods - Harbour News", "Floods"),
        ("Harbour News » Floods", "Floods"),
        ("Floods | May | harbour", "Floods | May"),
        ("Floods - The Harbour News", "Floods"),
        ("Floods - Harbour News of the Upper North", "Floods - Harbour News of the Upper North"),
        ("Floods - ha", "Floods - ha"),
        ("Floods - har", "Floods"),
        ("Harbour News", "Harbour News"),
        ("Harbour News | Harbour News", "Harbour News"),
        ("Floods-Harbour News", "Floods-Harbour News"),
        ("¶ Floods |", "Floods"),
    ],
)
def test_the_site_is_stripped_at_both_ends_of_a_title(title: str, expected: str) -> None:
    assert strip_site(title, ("harbournews", "harbourexample")) == expected


def test_a_short_name_of_a_site_is_not_looked_for_in_other_words() -> None:
    assert names_site("The Sun", ("thesun", ""))
    assert not names_site("Sunday", ("sun", ""))
    assert names_site("", ("sun", ""))


@pytest.mark.parametrize(
    ("heading", "is_headline"),
    [("Floods in the town", True), ("The town in floods", True), ("Weather for sailors", False)],
)
def test_a_heading_is_the_headline_if_it_resembles_the_title(
    heading: str, is_headline: bool
) -> None:
    found = find_headline(parse(f"<title>Floods in the lower town</title><h1>{heading}</h1>"))
    assert found.title == (heading if is_headline else "Floods in the lower town")
    assert found.near == 0


def test_of_two_similar_headings_the_first_is_the_headline() -> None:
    title = "<title>Floods in the lower town of Ely</title>"
    alike = "<h1>Floods in the lower town of Els</h1><h1>Floods in the lower town of Elm</h1>"
    assert find_headline(parse(title + alike)).block == 0
    better = "<h1>Floods in the north</h1><h1>Floods in the lower town of Ely</h1>"
    assert find_headline(parse(title + better)).block == 1


def test_the_block_that_repeats_the_title_is_found_without_a_heading() -> None:
    start = "<title>A flood in the lower town - Harbour</title><p>Menu</p>"
    assert find_headline(parse(start + "<p>A flood in the lower town</p>")).block == 1
    assert find_headline(parse(start + "<p>A flood in the lower town of Ely</p>")).block == -1
    hidden = "<p hidden>A flood in the lower town</p><p>A flood in the lower town</p>"
    assert find_headline(parse(start + hidden)).block == 2


def test_blocks_that_repeat_the_title_are_marked() -> None:
    html = (
        "<title>Floods in May - Harbour</title><p>floods in may</p><h1>Floods in May</h1>"
        "<p>The floods in May were high.</p><h2>Floods in May</h2><p>Floods in May</p>"
    )
    assert mark_titles(parse(html)).tolist() == [True, True, False, True, False]
