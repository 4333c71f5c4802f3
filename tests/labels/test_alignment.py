"""Labels from gold text."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.labels import alignment as align

PAGE = (
    "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    "<h1>Ferry returns to the island</h1>"
    "<p>The first ferry of the year left the harbour at six, with forty people on board."
    "<p hidden>The first ferry of the year left the harbour."
    "<p>More news from the coast"
    "<p>Tickets are sold at the harbour office."
)
GOLD = (
    "Ferry returns to the island\nThe first ferry of the year left the harbour at six, with forty"
    " people on board.\nTickets are sold at the harbour office."
)

words = st.lists(st.sampled_from("abcde"), max_size=25)


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


@given(words, words)
def test_a_small_problem_is_solved_exactly(a: list[str], b: list[str]) -> None:
    common = align.match_words(a, b)
    assert common.sum() == align.count_common(a, b)
    assert is_subsequence([word for word, hit in zip(a, common, strict=True) if hit], b)


@given(words, words, st.integers(1, 60))
def test_a_large_problem_gives_a_common_subsequence(a: list[str], b: list[str], limit: int) -> None:
    common = align.match_words(a, b, exact_cells=limit)
    assert is_subsequence([word for word, hit in zip(a, common, strict=True) if hit], b)


def test_anchors_find_content_whose_words_are_distinct() -> None:
    content = [f"w{number}" for number in range(300)]
    page = ["menu"] * 40 + content[:150] + ["ad"] * 30 + content[150:] + ["foot"] * 40
    common = align.match_words(page, content, exact_cells=100)
    assert [word for word, hit in zip(page, common, strict=True) if hit] == content


def test_one_word_repeated_without_end_is_bounded_work() -> None:
    common = align.match_words(["spam"] * 30_000 + ["end"], ["spam"] * 20_000 + ["x"], 1_000_000)
    assert common.sum() > 15_000


def test_blocks_have_the_share_of_their_words_that_is_gold() -> None:
    page = tamis.parse(PAGE)
    shares = dict(
        zip(
            page.block_texts(np.arange(len(page.blocks))),
            align.block_shares(page, GOLD),
            strict=True,
        )
    )
    assert shares["Home News"] == 0
    assert shares["Ferry returns to the island"] == 1
    assert shares["Tickets are sold at the harbour office."] == 1
    assert shares["More news from the coast"] <= 0.2


def test_hidden_blocks_have_no_share_and_take_none_away() -> None:
    page = tamis.parse(PAGE)
    shares = align.block_shares(page, GOLD)
    texts = page.block_texts(np.arange(len(page.blocks)))
    hidden = texts.index("The first ferry of the year left the harbour.")
    assert shares[hidden] == 0
    assert shares[hidden - 1] == 1


@pytest.mark.parametrize("gold", ["", "***"])
def test_without_gold_words_nothing_is_content(gold: str) -> None:
    assert not align.block_shares(tamis.parse(PAGE), gold).any()


@pytest.mark.parametrize("html", ["", "<p>***"])
def test_without_words_on_the_page_nothing_is_content(html: str) -> None:
    assert not align.block_shares(tamis.parse(html), "gold").any()


def test_scripts_without_spaces_count_by_characters() -> None:
    assert align.tokenize("ฝนตก Rain 大雨") == ["ฝ", "น", "ต", "ก", "rain", "大", "雨"]
    page = tamis.parse("<p>大雨中断交通<p>首页")
    assert align.block_shares(page, "大雨中断交通").tolist() == [1, 0]


# The annotated pages of L3S-GN1


# The longest common subsequence


def textbook(first: Sequence[str], second: Sequence[str]) -> int:
    row = [0] * (len(second) + 1)
    for item in first:
        last = 0
        for j, other in enumerate(second, 1):
            last, row[j] = row[j], last + 1 if item == other else max(row[j], row[j - 1])
    return row[-1]


@given(words, words)
def test_the_length_is_that_of_the_textbook(first: list[str], second: list[str]) -> None:
    assert align.count_common(first, second) == textbook(first, second)


@given(words, words)
def test_the_places_are_those_of_a_longest_one(first: list[str], second: list[str]) -> None:
    places = align.find_common(first, second)
    assert len(places) == textbook(first, second)
    rest = iter(second)
    assert all(first[place] in rest for place in sorted(places))


def test_ten_thousand_words_are_no_table_of_a_hundred_million() -> None:
    chance = random.Random(1)
    first, second = ([chance.randrange(3000) for _ in range(10_000)] for _ in range(2))
    assert len(align.find_common(first, second)) == align.count_common(first, second) > 200
