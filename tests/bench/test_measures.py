"""The measures against plain forms of themselves, and their behaviour at the edges."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tamis
from tamis.bench import measures
from tamis.labels import alignment as subsequence
from tamis.labels.alignment import tokenize

WORDS = st.lists(
    st.sampled_from(["sieve", "Silk", "the", "mesh,", "ข้าวสวย", "篩う", "x_1", "—", "체"]),
    max_size=30,
).map(" ".join)


def plain_tokens(text: str) -> list[str]:
    unspaced = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
    result: list[str] = []
    for word in re.findall(r"\w+", text.lower()):
        result += unspaced.findall(word) if unspaced.search(word) else [word]
    return result


def plain_score(common: int, predicted: int, gold: int) -> tuple[float, float, float]:
    if not gold:
        return (0.0, 0.0, 0.0) if predicted else (1.0, 1.0, 1.0)
    if not common:
        return 0.0, 0.0, 0.0
    p, r = common / predicted, common / gold
    return p, r, 2 * p * r / (p + r)


@given(WORDS, WORDS)
def test_tokens_and_bags_are_those_of_the_plain_form(predicted: str, gold: str) -> None:
    ours, theirs = plain_tokens(predicted), plain_tokens(gold)
    assert tokenize(predicted) == ours
    common = sum((Counter(ours) & Counter(theirs)).values())
    assert measures.bag_of_words(predicted, gold) == plain_score(common, len(ours), len(theirs))


@given(WORDS, WORDS)
def test_the_sequence_is_the_longest_common_subsequence(predicted: str, gold: str) -> None:
    ours, theirs = plain_tokens(predicted), plain_tokens(gold)
    expected = plain_score(subsequence.count_common(ours, theirs), len(ours), len(theirs))
    assert measures.compare_sequences(predicted, gold) == expected


@given(WORDS, WORDS)
def test_length_counts_characters_without_spaces(predicted: str, gold: str) -> None:
    ours, theirs = "".join(predicted.split()), "".join(gold.split())
    expected = plain_score(subsequence.count_common(ours, theirs), len(ours), len(theirs))
    assert measures.compare_lengths(predicted, gold) == expected


@given(WORDS, WORDS)
def test_shingles_are_runs_of_four_words(predicted: str, gold: str) -> None:
    def cut(words: list[str]) -> list[tuple[str, ...]]:
        last = max(1, len(words) - 3)
        return [tuple(words[i : i + 4]) for i in range(last)] if words else []

    ours, theirs = cut(plain_tokens(predicted)), cut(plain_tokens(gold))
    common = sum((Counter(ours) & Counter(theirs)).values())
    assert measures.compare_shingles(predicted, gold) == plain_score(common, len(ours), len(theirs))


@settings(max_examples=30)
@given(WORDS)
def test_every_measure_is_one_for_the_gold_itself(gold: str) -> None:
    for name, measure in measures.MEASURES.items():
        assert measure(gold, gold) == (1.0, 1.0, 1.0), name


@pytest.mark.parametrize("name", measures.MEASURES)
def test_an_empty_gold_wants_an_empty_output(name: str) -> None:
    measure = measures.MEASURES[name]
    assert measure("", "") == (1.0, 1.0, 1.0)
    assert measure("word", "") == (0.0, 0.0, 0.0)
    assert measure("", "word") == (0.0, 0.0, 0.0)


def test_the_order_of_words_matters_to_the_sequence_only() -> None:
    assert measures.bag_of_words("one two three", "three two one").f1 == 1.0
    assert measures.compare_sequences("one two three", "three two one").f1 == pytest.approx(1 / 3)


def test_rouge_takes_the_union_over_lines() -> None:
    # The example of Lin 2004: w1 w2 w3 w4 w5 against two lines gives a union of four words.
    score = measures.rouge_lsum("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert score.recall == pytest.approx(4 / 5)
    assert score.precision == pytest.approx(4 / 10)


def test_snippets_ignore_case_and_white_space() -> None:
    counts = measures.count_snippets(
        "A  fine\nSIEVE of silk", ["fine sieve", "horsehair"], ["OF silk"]
    )
    assert counts == (1, 2, 1, 1)
    assert (counts.with_rate, counts.without_rate) == (0.5, 1.0)
    assert counts.score.f1 == pytest.approx(2 * 1 / (2 + 1 + 1))


def test_snippets_of_pages_add_up() -> None:
    total = measures.pool_counts([measures.Snippets(1, 2, 0, 3), measures.Snippets(2, 2, 1, 1)])
    assert total == (3, 4, 1, 4)


def test_without_snippets_nothing_is_wrong() -> None:
    counts = measures.count_snippets("text", [], [])
    assert (counts.with_rate, counts.without_rate, counts.score.f1) == (1.0, 0.0, 1.0)


def test_blocks_are_scored_by_the_content_class() -> None:
    score = measures.compare_blocks(
        np.array([True, True, False, False]), [True, False, True, False]
    )
    assert score == (0.5, 0.5, 0.5, 0.5)
    assert measures.compare_blocks([False, False], [True, False]) == (0.0, 0.0, 0.0, 0.5)
    assert measures.compare_blocks([], []) == (1.0, 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="2 decisions for 1 blocks"):
        measures.compare_blocks([True, False], [True])


def test_a_block_is_kept_if_more_than_half_of_its_words_are_in_the_output() -> None:
    page = tamis.parse("<p>one two three four<p>five six<p>seven eight<p hidden>nine<p>***")
    # Kept: the first (three of four words) and the second, not the third (one of two).
    output = "one two three five six eight"
    gold = "one two three four seven eight"
    assert measures.score_blocks(page, output, gold) == (0.5, 0.5, 0.5, pytest.approx(1 / 3))
    assert measures.score_blocks(page, gold, gold) == (1, 1, 1, 1)
    assert measures.score_blocks(page, "", gold) == (0, 0, 0, pytest.approx(1 / 3))
