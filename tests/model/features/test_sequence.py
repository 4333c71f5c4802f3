"""Passes over the blocks in order, compared with the plain way to the same answers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.model.features import sequence

WORDS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 6)), min_size=1, max_size=40)


def _sums(words: list[int], level: list[int]) -> np.ndarray:
    count = len(words)
    sums = np.zeros((count + 1, 9))
    nothing = np.zeros(count, np.intc)
    sequence.prefix_sums(
        np.array(words, np.intc), nothing, nothing, nothing, np.array(level, float), sums
    )
    return sums


@given(WORDS)
def test_prefix_sums_are_sums(blocks: list[tuple[int, int]]) -> None:
    words, level = [list(column) for column in zip(*blocks, strict=True)]
    sums = _sums(words, level)
    for end in range(len(words) + 1):
        assert sums[end, :4].tolist() == [sum(words[:end]), 0, 0, end]
        assert sums[end, 4] == sum(number for number in words[:end] if number >= 15)
        assert sums[end, 5] == sum(number > 0 for number in level[:end])


@given(WORDS)
def test_headings_and_sections_are_what_a_reader_sees(blocks: list[tuple[int, int]]) -> None:
    words, level = [list(column) for column in zip(*blocks, strict=True)]
    count = len(words)
    out = np.full((count, 8), np.nan, np.float32)
    firsts = np.array((0, count), np.int64)
    sequence.headings(firsts, _sums(words, level), np.array(level, float), out)
    borders = sorted({0, *(place for place in range(count) if level[place]), count})
    for place in range(count):
        since = [number for number in range(place + 1) if level[number]]
        assert out[place, 0] == (place - since[-1] if since else -1)
        assert out[place, 2] == (level[since[-1]] if since else 0)
        begin = max(border for border in borders if border <= place)
        end = min(border for border in borders if border > place)
        assert out[place, 5] == end - begin
        assert out[place, 6] == sum(words[begin:end])


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 20)), min_size=1, max_size=30))
def test_tag_ratios_are_means_around_each_block(blocks: list[tuple[int, int]]) -> None:
    chars, steps = [list(column) for column in zip(*blocks, strict=True)]
    count = len(chars)
    out = np.full((count, 3), np.nan, np.float32)
    firsts = np.array((0, count), np.int64)
    tags, ends = np.cumsum(steps, dtype=np.intc), np.arange(1, count + 1, dtype=np.intc)
    sequence.tag_ratios(firsts, np.array(chars, np.intc), tags, ends, np.empty(count), out)
    ratios = [char / max(step, 1) for char, step in zip(chars, steps, strict=True)]
    for place in range(count):
        near = ratios[max(place - 3, 0) : place + 4]
        after = ratios[place + 1 : place + 4]
        change = sum(after) / len(after) - ratios[place] if after else 0
        np.testing.assert_allclose(
            out[place], [ratios[place], sum(near) / len(near), change], rtol=1e-5, atol=1e-4
        )
