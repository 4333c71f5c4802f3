"""Where a block is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Column = Callable[[str, str], list[float]]

MENU = "<p>one two <a href=x>three four</a></p><p>five</p><p>six seven eight</p>"


def test_positions_are_by_blocks_words_and_words_outside_of_links(column: Column) -> None:
    assert column(MENU, "position") == pytest.approx([0, 1 / 3, 2 / 3], abs=1e-5)
    assert column(MENU, "index") == [0, 1, 2]
    assert column(MENU, "index_from_end") == [3, 2, 1]
    assert column(MENU, "words_before") == [0, 4, 5]
    assert column(MENU, "word_position") == [0, 0.5, 0.625]
    assert column(MENU, "unlinked_position") == [0, pytest.approx(2 / 6, abs=1e-5), 0.5]
    assert column(MENU, "words_of_longest") == [1, 0.25, 0.75]


def test_depth_counts_from_the_root(column: Column) -> None:
    assert column("<p>a</p><div><p>b", "depth") == [2, 3]


def test_neighbours_are_the_blocks_before_and_after(column: Column) -> None:
    assert column(MENU, "before.words") == [-1, 4, 1]
    assert column(MENU, "before.link_density") == [-1, 0.5, 0]
    assert column(MENU, "before.text_density") == [-1, 4, 1]
    assert column(MENU, "after.words") == [1, 3, -1]
    assert column(MENU, "after.link_density") == [0, 0, -1]
    assert column(MENU, "after.text_density") == [1, 3, -1]


def test_siblings_share_a_parent(column: Column) -> None:
    html = "<div><p>a</p><p>b</p></div><div><p>c</p></div>"
    assert column(html, "before.sibling") == [0, 1, 0]
    assert column(html, "after.sibling") == [1, 0, 0]


def test_windows_are_means_over_blocks_around(column: Column) -> None:
    html = MENU + "<p>nine, ten</p><p>a</p>"
    assert column(html, "window3.words") == [2.5, 2.2, 2.2, 2.2, 1.75]
    assert column(html, "window3.link_density")[0] == 0.2
    assert column(html, "window3.punctuation_per_word")[0] == 0.1
    assert column(html, "window10.words") == [2.2] * 5


def test_distances_to_the_last_heading(column: Column) -> None:
    html = "<p>a b</p><h2>c</h2><p>d e</p><h3>f</h3><p>g"
    assert column(html, "heading.blocks_since") == [-1, 0, 1, 0, 1]
    # Of a heading itself: the words before it less those up to it.
    assert column(html, "heading.words_since") == [-1, -1, 0, -1, 0]
    assert column(html, "heading.level") == [0, 2, 2, 3, 3]


def test_distances_to_the_first_h1(column: Column) -> None:
    html = "<p>a b</p><h1>c</h1><p>d e</p><h1>f</h1><p>g"
    assert column(html, "h1.blocks_since") == [-1, 0, 1, 2, 3]
    assert column(html, "h1.words_since") == [-3, -1, 0, 2, 3]
    assert column("<p>a", "h1.blocks_since") == [-999]
    assert column("<p>a", "h1.words_since") == [-9999]


def test_sections_go_from_heading_to_heading(column: Column) -> None:
    html = "<p>a b</p><h2>c</h2><p>d <a href=x>e f</a></p><h2>g"
    assert column(html, "section.blocks") == [1, 2, 2, 1]
    assert column(html, "section.words") == [2, 4, 4, 1]
    assert column(html, "section.link_density") == [0, 0.5, 0.5, 0]
