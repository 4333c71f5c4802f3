# cython: boundscheck=False
"""Passes over a part of a page that find the few rows where its authors and dates may stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Classes, Indexes, Ints, Utf8

COMPILED = not __file__.endswith(".py")

# Short texts with a date and perhaps a time: digits, words, and how many of them are looked at; a
# block before the headline is as far as three after it.
LEAST_DIGITS, MOST_DIGITS = 4, 20
MOST_WORDS = 15
MOST_TEXTS = 20
BACK = 3


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


def with_pairs(
    source: Utf8,
    rows: Ints,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    looked_at: Classes,
    next_byte: Classes,
) -> Indexes:
    """The attributes from `low` to `high` that have one of some pairs of bytes, in lower case.

    `looked_at` says which attributes count, `next_byte` for each byte which byte must follow it, or
    0.
    """
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    made = np.empty(max(high - low, 0), np.intp)
    matches: cython.Py_ssize_t[::1] = made.data
    for row in range(low, high):
        if not looked_at[rows[0, row]]:
            continue
        wanted: cython.uint = 0
        for i in range(rows[1, row], rows[2, row]):
            c: cython.uint = source[i]
            if 65 <= c <= 90:
                c |= 32
            if c == wanted and wanted:
                matches[count] = row
                count += 1
                break
            wanted = next_byte[c]
    return made[:count]


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
