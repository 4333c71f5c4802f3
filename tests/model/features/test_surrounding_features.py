"""The elements around a block, and what repeats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Column = Callable[[str, str], list[float]]

NESTED = (
    "<section><div><p>one two</p><p>three</p></div><article><p>four.</p></article></section>"
    "<footer>five <a href=x>six</a></footer>"
)


def test_ancestors_hold_more_and_more_blocks(column: Column) -> None:
    # div or section, section, body; from there on the root.
    assert column(NESTED, "ancestor1.words") == [3, 3, 4, 6]
    assert column(NESTED, "ancestor2.words") == [4, 4, 6, 6]
    assert column(NESTED, "ancestor3.words") == [6, 6, 6, 6]
    assert column(NESTED, "ancestor4.words") == [6, 6, 6, 6]


def test_tops_are_counted_from_the_root(column: Column) -> None:
    assert column(NESTED, "top1.words") == [4, 4, 4, 2]
    assert column(NESTED, "top2.words") == [3, 3, 1, 2]
    assert column(NESTED, "top3.words") == [2, 1, 1, 2]
    assert column(NESTED, "top1.blocks") == [3, 3, 3, 1]


def test_measures_of_an_ancestor(column: Column) -> None:
    assert column(NESTED, "ancestor1.share") == [0.5, 0.5, pytest.approx(4 / 6, abs=1e-5), 1]
    assert column(NESTED, "ancestor1.words_per_block") == pytest.approx(
        [1.5, 1.5, 4 / 3, 1.5], abs=1e-5
    )
    assert column(NESTED, "ancestor1.paragraphs_per_block") == [1, 1, 1, 0.75]
    assert column(NESTED, "ancestor1.links_per_block") == [0, 0, 0, 0.25]
    assert column(NESTED, "ancestor1.place") == [0, 0.5, pytest.approx(2 / 3, abs=1e-5), 0.75]
    assert column(NESTED, "top1.link_density") == [0, 0, 0, 0.5]
    # One good word: the block with punctuation.
    assert column(NESTED, "ancestor1.good_share") == [0, 0, 1, 1]
    assert column(NESTED, "ancestor1.words_per_node")[0] == 1


def test_hidden_words_and_headings_of_a_top(column: Column) -> None:
    html = "<div><h2>a</h2><p>b</p></div><div hidden><p>c</p></div>"
    assert column(html, "top1.hidden") == [0, 0, 1]
    assert column(html, "top1.heading_blocks") == [0.5, 0.5, 0]


def test_a_chain_of_thousands_does_not_matter(column: Column) -> None:
    html = "".join("<div>x" for _ in range(400))
    assert column(html, "top1.words")[-1] == 399
    assert column(html, "ancestor4.words")[-1] == 5


ARTICLE = (
    "<nav><a href=x>Home</a></nav><div><p>One two three, four.</p><p>Five six, seven.</p></div>"
    "<footer><p>Legal</p></footer>"
)


def test_the_best_container_collects_the_text(column: Column) -> None:
    assert column(ARTICLE, "container.inside") == [0, 1, 1, 0]
    assert column(ARTICLE, "container.side") == [-1, 0, 0, 1]
    assert column(ARTICLE, "container.levels_away") == [1, 0, 0, 1]
    assert column(ARTICLE, "container.ancestor1")[1] == 1
    assert column(ARTICLE, "container.highest")[1:3] == [1, 1]
    # The body gets a half of both paragraphs.
    assert column(ARTICLE, "container.ancestor1")[0] == 0.5


def test_without_text_no_container_collects_any(column: Column) -> None:
    html = "<nav><a href=x>Home</a></nav>"
    assert column(html, "container.highest") == [0]
    assert column(html, "container.levels_away") == [0]


CARDS = (
    "<div class=card><p>one two</p></div><div class=card><p>three <a href=x>four</a></p></div>"
    "<div class=ad><p>five.</p></div>"
)


def test_blocks_with_the_same_way_are_summed(column: Column) -> None:
    assert column(CARDS, "same_way.blocks") == [3, 3, 3]
    assert column(CARDS, "same_way.words") == [5, 5, 5]
    assert column(CARDS, "same_way.link_density") == [0.2, 0.2, 0.2]
    assert column(CARDS, "same_way.punctuation_per_word") == [0.2, 0.2, 0.2]


def test_classes_make_ways_different(column: Column) -> None:
    assert column(CARDS, "same_named_way.blocks") == [2, 2, 1]
    assert column(CARDS, "same_named_way.words") == [4, 4, 1]
    assert column(CARDS, "same_named_way.share") == [0.8, 0.8, 0.2]
    assert column(CARDS, "same_named_way.link_density") == [0.25, 0.25, 0]
    assert column(CARDS, "same_named_way.punctuation_per_word") == [0, 0, 1]


def test_numbers_in_classes_do_not(column: Column) -> None:
    html = '<div class="post-1 x"><p>a</div><div class="post-22  x "><p>b</div>'
    assert column(html, "same_named_way.blocks") == [2, 2]


def test_repeated_siblings_are_counted(column: Column) -> None:
    assert column(CARDS, "siblings") == [2, 2, 1]
    assert column(CARDS, "siblings.own_link_density") == [0, 0.5, 0]
    assert column(CARDS, "siblings.words") == [4, 4, 1]
    assert column(CARDS, "siblings.share") == [0.8, 0.8, 0.2]
    assert column(CARDS, "siblings.link_density") == [0.25, 0.25, 0]
    assert column(CARDS, "siblings.words_each") == [2, 2, 1]


def test_the_ancestor_with_the_most_siblings_counts(column: Column) -> None:
    html = "<ul><li><p>a</p><p>b</p><li><p>c</p><li><p>d</p></ul>"
    assert column(html, "siblings") == [3, 3, 3, 3]
    assert column(html, "siblings.words_each") == pytest.approx([4 / 3] * 4, abs=1e-5)


def test_children_of_different_parents_are_not_siblings(column: Column) -> None:
    assert column("<ul><li>a<li>b</ul><ol><li>c</ol>", "siblings") == [2, 2, 1]
