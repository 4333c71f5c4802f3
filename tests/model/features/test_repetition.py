"""What looks alike on a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Column = Callable[[str, str], list[float]]

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
