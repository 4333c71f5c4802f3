# cython: boundscheck=False
"""Passes over a part of a page that find the few rows where its authors and dates may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython

    from tamis.model.features.batch import Classes, Utf8
    from tamis.page.arrays import Ints

    Hints: TypeAlias = list[bytes]

COMPILED = not __file__.endswith(".py")

# Short texts with a date and perhaps a time: digits, words, and how many of them are looked at; a
# block before the headline is as far as three after it.
LEAST_DIGITS, MOST_DIGITS = 4, 20
MOST_WORDS = 15
MOST_TEXTS = 20
BACK = 3
SENTENCE = 20

LOWER_CASE = view(np.frombuffer(bytes(range(256)).lower(), np.uint8).copy())


def near_headline(
    digits: Ints, words: Ints, block: Ints, also: Classes, headline: cython.int
) -> list[int]:
    """The short texts with digits that are nearest to the headline, a block, the nearest first.

    Of texts in a row, by their places in it; `also` says which others count, too, if it is not
    empty.
    """
    text: cython.Py_ssize_t
    place: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    texts: cython.int[::1] = np.empty(MOST_TEXTS + 1, np.intc).data
    distances: cython.int[::1] = np.empty(MOST_TEXTS + 1, np.intc).data
    for text in range(digits.shape[0]):
        if not (
            (LEAST_DIGITS <= digits[text] <= MOST_DIGITS and words[text] <= MOST_WORDS)
            or (also.shape[0] and also[text])
        ):
            continue
        away: cython.int = block[text] - headline
        if away < 0:
            away *= -BACK
        place = count
        while place and distances[place - 1] > away:
            texts[place] = texts[place - 1]
            distances[place] = distances[place - 1]
            place -= 1
        texts[place] = text
        distances[place] = away
        count = min(count + 1, MOST_TEXTS)
    return [texts[place] for place in range(count)]


def with_hints(
    source: Utf8,
    first_row: Ints,
    rows: Ints,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    looked_at: Classes,
    hints: Hints,
) -> list[tuple[int, int, int]]:
    """The attributes from `low` to `high` with one of some hints in lower case.

    Each as the number of the hint, the row and its node, in this order. `first_row` and `rows` are
    `nodes.attributes` and `attribute_rows` of a page, `looked_at` says which attributes count.
    Hints have at least two bytes, and those with the same first byte the same second.
    """
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    number: cython.Py_ssize_t
    node: cython.Py_ssize_t = 0
    nodes: cython.Py_ssize_t = first_row.shape[0]
    count: cython.Py_ssize_t = len(hints)
    second: cython.uchar[::1] = np.zeros(256, np.uint8).data  # by first bytes
    for hint in hints:
        second[hint[0]] = hint[1]
    matches = []
    for row in range(low, high):
        if not looked_at[rows[0, row]]:
            continue
        end: cython.Py_ssize_t = rows[2, row]
        seen: cython.ulonglong = 0
        wanted: cython.uint = 0
        for i in range(rows[1, row], end):
            c: cython.uint = LOWER_CASE[source[i]]
            if c == wanted and wanted:
                while node + 1 < nodes and first_row[node + 1] <= row:
                    node += 1
                for number in range(count):
                    if not seen >> number & 1 and begins_with(source, i - 1, end, hints[number]):
                        seen |= 1 << number
                        matches.append((number, row, node))
            wanted = second[c]
    matches.sort()
    return matches


def begins_with(
    source: Utf8, i: cython.Py_ssize_t, end: cython.Py_ssize_t, hint: bytes
) -> cython.bint:
    """Whether the source from `i` to `end` begins with a hint, in lower case."""
    size: cython.Py_ssize_t = len(hint)
    place: cython.Py_ssize_t = 0
    while place < size and i + place < end and LOWER_CASE[source[i + place]] == hint[place]:
        place += 1
    return place == size


def longest_sentences(words: Ints, punctuation: Ints) -> cython.Py_ssize_t:
    """The text with the most words, of which a punctuation mark vouches for `SENTENCE`."""
    text: cython.Py_ssize_t
    longest: cython.Py_ssize_t = 0
    most: cython.int = -1
    for text in range(words.shape[0]):
        vouched: cython.int = min(words[text], SENTENCE * punctuation[text])
        if vouched > most:
            most = vouched
            longest = text
    return longest


def with_beginnings(
    source: Utf8,
    starts: Ints,
    first_text: Ints,
    words: Ints,
    most: cython.int,
    begins: Classes,
) -> list[tuple[int, int]]:
    """The blocks with at most so many words that begin with one of some pairs of bytes.

    Each with its offset. `begins` says of each pair, the first byte times 256 and the second,
    whether it is one of them. Blocks are counted from the first of `first_text` and `words`.
    """
    block: cython.Py_ssize_t
    last: cython.Py_ssize_t = len(source) - 1
    blocks = []
    for block in range(words.shape[0]):
        if words[block] <= most:
            start: cython.Py_ssize_t = starts[first_text[block]]
            if start < last and begins[source[start] << 8 | source[start + 1]]:
                blocks.append((block, start))
    return blocks
