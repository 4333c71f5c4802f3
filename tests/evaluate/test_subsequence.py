"""Longest common subsequences against the table of the textbook."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluate import subsequence

WORDS = st.lists(st.sampled_from("abcde"), max_size=25)


def textbook(first: Sequence[str], second: Sequence[str]) -> int:
    row = [0] * (len(second) + 1)
    for item in first:
        last = 0
        for j, other in enumerate(second, 1):
            last, row[j] = row[j], last + 1 if item == other else max(row[j], row[j - 1])
    return row[-1]


@given(WORDS, WORDS)
def test_the_length_is_that_of_the_textbook(first: list[str], second: list[str]) -> None:
    assert subsequence.length(first, second) == textbook(first, second)


@given(WORDS, WORDS)
def test_the_places_are_those_of_a_longest_one(first: list[str], second: list[str]) -> None:
    places = subsequence.places(first, second)
    assert len(places) == textbook(first, second)
    rest = iter(second)
    assert all(first[place] in rest for place in sorted(places))


def test_ten_thousand_words_are_no_table_of_a_hundred_million() -> None:
    chance = random.Random(1)
    first, second = ([chance.randrange(3000) for _ in range(10_000)] for _ in range(2))
    assert len(subsequence.places(first, second)) == subsequence.length(first, second) > 200
