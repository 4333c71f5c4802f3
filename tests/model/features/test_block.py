"""What a block is by itself."""

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
