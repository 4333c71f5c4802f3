# cython: boundscheck=False, infer_types=True
"""The content words of each block: what it is about, and whether the rest of the page is, too.

A content word is a word of five letters or more in lower case, of fewer in scripts that write no
vowels or write syllables; in a script without spaces it is a pair of neighbouring characters. So
two parts of a page can be compared without knowing the language.

A story speaks of one thing, and a feed below it of others. So each block, and the unit, the family
and the section that it is part of, is asked which share of its content words the rest of the likely
content has, and which share of the words of the title are in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.model.features.word_hashes import (
    COMPILED,
    TABLES,
    character_at,
    read_declared_words,
)
from tamis.page.arrays import ALL, PRIME, START
from tamis.page.tags import HIDDEN
from tamis.page.text.characters import (
    CODE,
    CODE_BITS,
    DIGIT,
    HAN,
    IGNORED,
    KIND_BITS,
    LOWER,
    OF_KIND,
    SEA,
    SYMBOL,
    UPPER,
)

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Bytes, Floats, Ints, Matrix
    from tamis.page.table import Page

LOWER_CASE = view_numbers(TABLES[1])
FOLDED = view_numbers(TABLES[2])
BREAK = 1  # of `FOLDED`
GOLDEN = 0x9E3779B97F4A7C15

LETTERS = 5
"""Letters of a content word."""
# From here on a letter counts twice (Hebrew, Arabic), and a Korean syllable three times.
SHORT_SCRIPTS, LONG_SCRIPTS = 0x590, 0x900
FIRST_SYLLABLE, LAST_SYLLABLE = 0xAC00, 0xD7A3

TITLE, DESCRIPTION = 1, 2
"""Bits of `Vocabulary.declared`."""
IN_TITLE = TITLE

COHESION = (
    *("known", "unit.known", "family.known", "section.known", "unit.title", "family.title"),
    *("family.open", "page.known"),
)
KNOWN, UNIT, FAMILY, SECTION, UNIT_TITLE, FAMILY_TITLE, FAMILY_OPEN, PAGE_KNOWN = range(
    len(COHESION)
)

NO_WORDS = -1.0
"""What stands for a share of no words."""


def read_vocabulary(page: Page) -> Vocabulary:
    """Number the content words of a page, once."""
    if Vocabulary not in page.made:
        page.made[Vocabulary] = Vocabulary(page)
    vocabulary: Vocabulary = page.made[Vocabulary]
    return vocabulary


class Vocabulary:
    """The content words of the blocks of a page, by number."""

    first_word: Ints
    """First word of each block, and the end."""
    words: Ints
    """Numbers of words, block after block."""
    declared: Bytes
    """For each number whether the title (`TITLE`) or the description (`DESCRIPTION`) has it."""
    ends_open: Bytes
    """Whether each block ends in an ellipsis."""

    def __init__(self, page: Page) -> None:
        texts, blocks = page.texts, page.blocks
        said = read_declared_words(page)
        room = int(texts.words.sum()) + int(texts.unspaced.sum())
        room += len(said.title) + len(said.description) + 1
        bits = 4
        while (1 << bits) < 2 * room:
            bits += 1
        self.bits = bits
        self.keys = np.zeros(1 << bits, np.uint64).data
        self.numbers = np.empty(1 << bits, np.intc).data
        self.count = 0
        self.words = np.empty(room, np.intc)
        self.first_word = np.zeros(len(blocks) + 1, np.intc)
        self.ends_open = np.zeros(len(blocks), np.uint8)
        end = self.read(said.title, 0, len(said.title), 0)
        of_title = self.count
        # Blocks add at most `room` words to those of title and description, which are fewer.
        declared = np.zeros(2 * room, np.uint8)
        declared[:of_title] = TITLE
        end = self.read(said.description, 0, len(said.description), 0)
        declared[np.asarray(self.words)[:end]] |= DESCRIPTION
        self.title_count = of_title
        self.description_count = int(np.count_nonzero(declared & DESCRIPTION))
        self.declared = declared
        self.read_blocks(
            page.source, texts.start, texts.end, texts.block, texts.flags, blocks.flags
        )

    def read_blocks(
        self, source: Utf8, start: Ints, end: Ints, block: Ints, flags: Ints, block_flags: Ints
    ) -> None:
        """Number the words of all blocks, hidden text only where all of a block is hidden."""
        count: cython.Py_ssize_t = 0
        row = 0
        if not COMPILED:  # numbers that grow beyond 32 bits
            start, end = view_numbers(start), view_numbers(end)
        for text in range(start.shape[0]):
            while row < block[text]:
                row += 1
                self.first_word[row] = count
            if flags[text] & HIDDEN and not block_flags[row] & HIDDEN:
                continue
            count = self.read(source, start[text], end[text], count)
            self.ends_open[row] = is_open(source, start[text], end[text])
        while row < block_flags.shape[0]:
            row += 1
            self.first_word[row] = count

    def read(
        self, source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Number the words from `i` to `stop` from place `count` on; return the next place."""
        letters = 0
        word: cython.ulonglong = START
        before: cython.ulonglong = 0  # the last character of a script without spaces
        while i < stop:
            code: cython.uint = source[i]
            known: cython.uint = FOLDED[code]
            if known > BREAK:
                word = (word ^ known) * PRIME & ALL
                letters += 1
                before = 0
                i += 1
                continue
            kind = SYMBOL
            if known == BREAK:
                i += 1
            else:
                character: cython.ulonglong = character_at(source, i, stop)
                code = character & CODE
                kind = character >> CODE_BITS & OF_KIND
                i += character >> CODE_BITS + KIND_BITS
            if kind in (LOWER, UPPER, DIGIT):
                word = (word ^ LOWER_CASE[code]) * PRIME & ALL
                letters += 1
                before = 0
                if SHORT_SCRIPTS <= code < LONG_SCRIPTS:
                    letters += 1
                elif FIRST_SYLLABLE <= code <= LAST_SYLLABLE:
                    letters += 2
            elif kind != IGNORED:
                if letters >= LETTERS:
                    count = self.add(word, count)
                letters = 0
                word = START
                if kind in (HAN, SEA):
                    if before:
                        count = self.add((before * PRIME & ALL) ^ code, count)
                    before = code
                else:
                    before = 0
        if letters >= LETTERS:
            count = self.add(word, count)
        return count

    def add(self, key: cython.ulonglong, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Put the number of a word at place `count`; return the next place."""
        if count >= self.words.shape[0]:
            return count
        key |= 1
        last: cython.size_t = (1 << self.bits) - 1
        place: cython.size_t = (key * GOLDEN & ALL) >> (64 - self.bits)
        while self.keys[place] and self.keys[place] != key:
            place = (place + 1) & last
        if not self.keys[place]:
            self.keys[place] = key
            self.numbers[place] = self.count
            self.count += 1
        self.words[count] = self.numbers[place]
        return count + 1


def is_open(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether a text ends in an ellipsis, with or without brackets around it."""
    while stop > i and source[stop - 1] in (9, 10, 12, 13, 32, 41, 93):  # spaces ) ]
        stop -= 1
    if stop - i < 3:
        return False
    last = source[stop - 1]
    if last == 46:  # .
        return source[stop - 2] == 46
    if last == 0xA6:
        return source[stop - 2] == 0x80 and source[stop - 3] == 0xE2
    return last == 59 and stop - i > 7 and source[stop - 2] == 112 and source[stop - 7] == 104


def write_cohesion(
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
    mark = write_group_cohesion(
        vocabulary, unit, chances, likely, own, marks, mark, out, UNIT, UNIT_TITLE
    )
    mark = write_group_cohesion(
        vocabulary, family, chances, likely, own, marks, mark, out, FAMILY, FAMILY_TITLE
    )
    write_group_cohesion(vocabulary, section, chances, likely, own, marks, mark, out, SECTION, -1)


def write_group_cohesion(
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
                    if vocabulary.declared[word] & IN_TITLE:
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
