"""Labels from gold text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.evaluate import align, measures, subsequence

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
    assert common.sum() == subsequence.length(a, b)
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
    assert measures.tokens("ฝนตก Rain 大雨") == ["ฝ", "น", "ต", "ก", "rain", "大", "雨"]
    page = tamis.parse("<p>大雨中断交通<p>首页")
    assert align.block_shares(page, "大雨中断交通").tolist() == [1, 0]


# The annotated pages of L3S-GN1

ANNOTATED = (
    '<div class=menu><span class="x-nc-sel0"><a href=/>Home</a></span></div>'
    '<h1><span class="x-nc-sel1">Ferry returns</span></h1>'
    '<p><span class="x-nc-sel2">The first <span class=own>ferry</span> departed</span> six</p>'
    '<p><span class="x-nc-sel5">I was there</span></p><p><b>plain</b> text '
    '<span class="x-nc-sel3"><i>and more</i></span></p>'
)


def test_annotated_classes_become_the_classes_of_texts() -> None:
    page, classes = align.span_classes(ANNOTATED)
    by_text = {page.text(text): int(kind) for text, kind in enumerate(classes)}
    assert by_text["Home"] == 0
    assert by_text["Ferry returns"] == 1
    assert by_text["The first"] == by_text["ferry"] == 2
    assert by_text["plain"] == 0
    assert by_text["I was there"] == 5


def test_a_text_that_is_annotated_in_part_has_the_class_of_its_longest_part() -> None:
    page, classes = align.span_classes(ANNOTATED)
    assert (
        dict(zip(map(page.text, range(len(page.texts))), classes, strict=True))["departed six"] == 2
    )


def test_the_annotation_is_not_in_the_page_that_is_learned_from() -> None:
    page, _ = align.span_classes(ANNOTATED)
    assert b"x-nc" not in page.source
    assert b"<span class=own>" in page.source


def test_a_block_is_kept_if_more_than_half_of_its_words_are_in_the_output() -> None:
    page = tamis.parse("<p>one two three four<p>five six<p>seven eight<p hidden>nine<p>***")
    # Kept: the first (three of four words) and the second, not the third (one of two).
    output = "one two three five six eight"
    gold = "one two three four seven eight"
    assert align.block_score(page, output, gold) == (0.5, 0.5, 0.5, pytest.approx(1 / 3))
    assert align.block_score(page, gold, gold) == (1, 1, 1, 1)
    assert align.block_score(page, "", gold) == (0, 0, 0, pytest.approx(1 / 3))
