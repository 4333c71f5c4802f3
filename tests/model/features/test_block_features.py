"""What a block is by itself, and where it is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Column = Callable[[str, str], list[float]]

LINKED = "<p>One <a href=x>two</a> three four.</p>"


def test_words_links_and_punctuation_are_counted(column: Column) -> None:
    assert column(LINKED, "words") == [4]
    assert column(LINKED, "link_density") == [0.25]
    assert column(LINKED, "punctuation_per_word") == [0.25]
    assert column(LINKED, "lines") == [1]
    assert column(LINKED, "text_density") == [4]


def test_kinds_of_characters_are_shares(column: Column) -> None:
    html = "<p>AB12 cdef</p><p>水水ab</p>"
    assert column(html, "capitals") == [0.25, 0]
    assert column(html, "digits") == [0.25, 0]
    assert column(html, "unspaced") == [0, 0.5]
    assert column(html, "chars_per_word") == [4, 2]


@pytest.mark.parametrize(
    ("text", "number"),
    [("Abc", 1), ("abc", 2), ("Übung", 1), ("день", 2), ("7 days", 3), ("٧ أيام", 3), ("水", 4),
     ("สวัสดี", 4), ("نص", 4), ("- a", 0), ("« a", 0)],
)  # fmt: skip
def test_first_characters_are_told_apart(column: Column, text: str, number: int) -> None:
    assert column(f"<p>{text}</p>", "first_character") == [number]


@pytest.mark.parametrize(
    ("text", "number"),
    [("End.", 1), ("終わり。", 1), ("अंत।", 1), ("نهاية؟", 1), ("See:", 2), ("More >", 3),
     ("mot", 0), ("水", 4), ("a)", 5), ("a»", 5), ("a、", 5), ("7", 6), ("٧", 6)],
)  # fmt: skip
def test_last_characters_are_told_apart(column: Column, text: str, number: int) -> None:
    assert column(f"<p>{text}</p>", "last_character") == [number]


def test_hidden_text_inside_a_shown_block_has_no_edge(column: Column) -> None:
    html = "<p><span hidden>7</span>a<span hidden>7</span></p>"
    assert column(html, "first_character") == [2]
    assert column(html, "last_character") == [0]


def test_the_element_of_a_block_is_told(column: Column) -> None:
    html = "<h2>a</h2><p>b</p><ul><li>c</ul><x-y>d</x-y>"
    assert column(html, "tag.p") == [0, 1, 0, 0]
    assert column(html, "tag.li") == [0, 0, 1, 0]
    assert column(html, "tag.h2") == [1, 0, 0, 0]
    assert column(html, "tag.body") == [0, 0, 0, 1]
    assert column(html, "heading_level") == [2, 0, 0, 0]


def test_tags_between_blocks_are_counted(column: Column) -> None:
    html = "<p>a</p><div><p>b</p></div><p>c"
    assert column(html, "tags_before") == [0, 3, 3]
    assert column(html, "tags_after") == [3, 3, 0]


def test_landmarks_and_reasons_to_be_hidden_are_flags(column: Column) -> None:
    html = "<nav>a</nav><main><article><p>b</p></article></main><div hidden>c</div>"
    assert column(html, "in_navigation") == [1, 0, 0]
    assert column(html, "in_main") == column(html, "in_article") == [0, 1, 0]
    assert column(html, "attribute_hidden") == column(html, "hidden") == [0, 0, 1]
    assert column(html, "style_hidden") == [0, 0, 0]


def test_tag_ratios_are_characters_over_tags(column: Column) -> None:
    html = "<p>abcdefgh</p><p>ab</p><p>abcd"
    # Tags up to the end of the block since the end of the one before: 1, 2, 2.
    assert column(html, "tag_ratio") == [8, 1, 2]
    assert column(html, "tag_ratio.around") == pytest.approx([11 / 3] * 3, abs=1e-5)
    assert column(html, "tag_ratio.change") == [1.5 - 8, 1, 0]


def test_the_mean_tag_ratio_is_over_three_blocks_on_either_side(column: Column) -> None:
    html = "<p>abcdefgh" + "<p>x" * 5
    ratios = column(html, "tag_ratio")
    assert ratios == [8, 1, 1, 1, 1, 1]
    assert column(html, "tag_ratio.around")[2:] == pytest.approx([13 / 6, 13 / 6, 1, 1], abs=1e-5)


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
