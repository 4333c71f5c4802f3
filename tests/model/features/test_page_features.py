"""The page as a whole, and blocks beside what it declares."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Column = Callable[[str, str], list[float]]

PAGE = (
    "<main><h1>One</h1><p>one two <a href=x>Three</a> 45.</p></main><div hidden>a b c</div>"
    "<ul><li>x<li>y</ul>"
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("words", 10),
        ("blocks", 5),
        ("words_per_block", 2),
        ("words_median", 1),
        ("words_deviation", (8 / 5) ** 0.5),
        ("longest", 4),
        ("visible_words", 7),
        ("hidden", 0.3),
        ("punctuation_per_word", 0.1),
        ("headings", 0.2),
        ("h1", 1),
        ("siblings", 2),
        ("siblings_share", 0.4),
        ("capitals", 2 / 22),
        ("digits", 2 / 22),
        ("in_main", 0.5),
        ("in_list", 0.2),
        ("in_article", 0),
        ("links_per_block", 0.2),
        ("items_per_block", 0.4),
        ("nodes", 11),
        ("bytes", len(PAGE)),
    ],
)
def test_measures_of_the_page(column: Column, name: str, value: float) -> None:
    assert column(PAGE, f"page.{name}") == pytest.approx([value] * 5, abs=1e-5)


def test_the_median_of_an_even_number_is_between_the_two_in_the_middle(column: Column) -> None:
    html = "<p>a<p>a b<p>a b c d e<p>a b c d e f"
    assert column(html, "page.words_median") == [3.5] * 4


def test_words_of_long_blocks_outside_of_links(column: Column) -> None:
    html = "<p>" + "word " * 15 + "<a href=x>link</a></p><p>" + "word " * 14
    assert column(html, "page.long_words") == [15, 15]
    assert column(html, "page.long_share") == [0.5, 0.5]


def test_the_share_of_the_best_container(column: Column) -> None:
    # The div has both paragraphs whole.
    html = "<div><p>One, two.</p><p>Three, four.</p></div><p>no"
    assert column(html, "page.container_share") == [1, 1, 1]


def test_words_of_the_title_are_found(column: Column) -> None:
    html = "<title>Sieves and Screens</title><h1>SIEVES and others</h1><p>Nothing.</p>"
    assert column(html, "title.share") == [pytest.approx(2 / 3, abs=1e-5), 0]
    assert column(html, "title.cover") == [pytest.approx(2 / 3, abs=1e-5), 0]
    assert column(html, "page.title_words") == [3, 3]


def test_titles_without_spaces_are_compared_by_characters(column: Column) -> None:
    html = "<title>今天天气</title><h1>今天很热</h1>"
    assert column(html, "title.share") == [0.5]


def test_pairs_of_the_description_are_found(column: Column) -> None:
    html = "<meta name=description content='a fine sieve'><p>It is a fine sieve.</p><p>fine a</p>"
    assert column(html, "description.share") == [0.5, 0]
    assert column(html, "description.words") == [3, 3]
    assert column(html, "description.cover") == [1, 1]


def test_pairs_go_over_inline_tags_but_not_over_blocks(column: Column) -> None:
    meta = "<meta name=description content='a fine sieve'>"
    assert column(meta + "<p>a <b>fine</b> sieve", "description.share") == [1]
    assert column(meta + "<p>a<p>fine<p>sieve", "description.share") == [0, 0, 0]


def test_structured_data_is_compared_with_escapes_resolved(column: Column) -> None:
    data = r'{"articleBody": "La cr\u00e8me br\u00fbl\u00e9e\nest bonne"}'
    html = f"<script type='application/ld+json'>{data}</script><p>La crème brûlée est bonne"
    assert column(html, "data.share") == [1]
    assert column(html, "data.words") == [6]
    assert column(html, "data.cover") == [0.8]


def test_blocks_with_the_same_words_are_duplicates(column: Column) -> None:
    html = "<p>Read more</p><p>read more!</p><p>more read</p><div hidden>Read more</div>"
    assert column(html, "duplicates") == [3, 3, 1, 3]
