"""Hashes of hashes: the order counts, and what is looked for is found."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.page.arrays import (
    check_rising,
    find_hashes,
    look_up,
    make_key,
    mix_hashes,
    sort_distinct,
)


def test_the_order_of_two_hashes_counts() -> None:
    first, second = np.arange(5, dtype=np.uint64), np.arange(5, 10, dtype=np.uint64)
    mixed = mix_hashes(first, second)
    assert len(set(mixed.tolist())) == 5
    assert not np.isin(mixed, mix_hashes(second, first)).any()
    # The same in every process and on every machine: trained weights depend on it.
    assert int(mix_hashes(1, 2)) == 1081069036211889137


def test_the_order_of_the_words_of_a_page_counts() -> None:
    words = np.array([3, 7, 9], np.uint64)
    assert make_key(words) == make_key(words.copy())
    assert make_key(words) != make_key(words[::-1])
    assert make_key(words[:0]) == 0


def test_distinct_numbers_are_sorted_and_each_is_there_once() -> None:
    assert sort_distinct(np.array([5, 1, 5, 3, 1])).tolist() == [1, 3, 5]
    assert sort_distinct(np.array([], int)).tolist() == []


def test_hashes_are_found_among_sorted_keys() -> None:
    keys = np.array([2, 4, 6], np.uint64)
    place, there = find_hashes(keys, np.array([4, 5, 6, 1, 9], np.uint64))
    assert there.tolist() == [True, False, True, False, False]
    assert place[there].tolist() == [1, 2]
    assert find_hashes(keys[:0], keys)[1].tolist() == [False] * 3


def test_keys_that_do_not_rise_are_refused() -> None:
    check_rising(np.array([1, 2], np.uint64), "keys")
    for wrong in ([2, 1], [1, 1], [[1, 2]]):
        with pytest.raises(ValueError, match="keys are not in order"):
            check_rising(np.array(wrong, np.uint64), "keys")


SORTED = np.array([2, 5, 9], np.uint64)


def test_a_hash_that_is_not_there_has_0() -> None:
    values = np.array([[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]], np.float32)
    rows = look_up(SORTED, values, np.array([9, 4, 2, 10], np.uint64))
    assert rows.dtype == np.float32
    assert rows.tolist() == [[5.5, 6.5], [0, 0], [1.5, 2.5], [0, 0]]
    assert look_up(SORTED[:0], values[:0], SORTED).tolist() == [[0, 0]] * 3
