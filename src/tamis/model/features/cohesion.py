# cython: boundscheck=False, infer_types=True
"""Whether what a block says is said elsewhere in the likely content of its page, too.

A story speaks of one thing, and a feed below it of others. So each block, and the unit, the family
and the section that it is part of, is asked which share of its content words the rest of the likely
content has, and which share of the words of the title are in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.model.features.vocabulary import TITLE

if TYPE_CHECKING:
    import cython

    from tamis.model.features.vocabulary import Vocabulary
    from tamis.page.arrays import Floats, Ints, Matrix

NAMES = (
    *("known", "unit.known", "family.known", "section.known", "unit.title", "family.title"),
    *("family.open", "page.known"),
)
KNOWN, UNIT, FAMILY, SECTION, UNIT_TITLE, FAMILY_TITLE, FAMILY_OPEN, PAGE_KNOWN = range(len(NAMES))

NO_WORDS = -1.0
"""What stands for a share of no words."""


def write_page(
    vocabulary: Vocabulary, unit: Ints, family: Ints, section: Ints, chances: Floats, out: Matrix
) -> None:
    """Write the columns of the blocks of a page; `chances` are those of the first model."""
    blocks = chances.shape[0]
    likely: cython.double[::1] = np.zeros(vocabulary.count + 1)
    own: cython.double[::1] = np.zeros(vocabulary.count + 1)
    marks: cython.int[::1] = np.zeros(vocabulary.count + 1, np.intc)
    words: cython.int[::1] = vocabulary.words
    first: cython.int[::1] = vocabulary.first_word
    for block in range(blocks):
        for place in range(first[block], first[block + 1]):
            if marks[words[place]] != block + 1:
                marks[words[place]] = block + 1
                likely[words[place]] += chances[block]
    weight = weighted = 0.0
    for block in range(blocks):
        known = tokens = 0.0
        for place in range(first[block], first[block + 1]):
            tokens += 1
            known += min(1.0, likely[words[place]] - chances[block])
        out[KNOWN, block] = known / tokens if tokens else NO_WORDS
        weight += chances[block] * tokens
        weighted += chances[block] * known
    for block in range(blocks):
        out[PAGE_KNOWN, block] = weighted / weight if weight else NO_WORDS
    marks[:] = 0
    mark: cython.int = 0
    mark = write_groups(vocabulary, unit, chances, likely, own, marks, mark, out, UNIT, UNIT_TITLE)
    mark = write_groups(
        vocabulary, family, chances, likely, own, marks, mark, out, FAMILY, FAMILY_TITLE
    )
    write_groups(vocabulary, section, chances, likely, own, marks, mark, out, SECTION, -1)


def write_groups(
    vocabulary: Vocabulary,
    numbers: Ints,
    chances: Floats,
    likely: Floats,
    own: Floats,
    marks: Ints,
    mark: cython.int,
    out: Matrix,
    known_row: cython.int,
    title_row: cython.int,
) -> cython.int:
    """Write what the groups of a kind share with the rest of the page; return the last mark."""
    blocks = chances.shape[0]
    order: cython.longlong[::1] = np.argsort(numbers, kind="stable")
    words: cython.int[::1] = vocabulary.words
    first: cython.int[::1] = vocabulary.first_word
    start = 0
    while start < blocks:
        number = numbers[order[start]]
        end = start + 1
        if number >= 0:
            while end < blocks and numbers[order[end]] == number:
                end += 1
        in_title = opened = tokens = known = 0.0
        before: cython.int = mark  # each block has a mark above those of the groups before
        for member in range(start, end):
            block = order[member]
            mark += 1
            opened += vocabulary.ends_open[block]
            for place in range(first[block], first[block + 1]):
                word = words[place]
                if marks[word] <= before:
                    own[word] = 0
                    if vocabulary.declared[word] & TITLE:
                        in_title += 1
                if marks[word] != mark:
                    marks[word] = mark
                    own[word] += chances[block]
        for member in range(start, end):
            block = order[member]
            for place in range(first[block], first[block + 1]):
                tokens += 1
                known += max(0.0, min(1.0, likely[words[place]] - own[words[place]]))
        for member in range(start, end):
            block = order[member]
            out[known_row, block] = known / tokens if tokens else NO_WORDS
            if title_row >= 0:
                out[title_row, block] = in_title / max(vocabulary.title_count, 1)
            if known_row == FAMILY:
                out[FAMILY_OPEN, block] = opened / (end - start)
        start = end
    return mark
