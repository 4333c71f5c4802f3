"""The page as a whole."""

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
