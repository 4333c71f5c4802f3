# cython: boundscheck=False, infer_types=True
"""The content words of each block: what a part of a page is about.

A content word is a word of five letters or more in lower case, of fewer in scripts that write no
vowels or write syllables; in a script without spaces it is a pair of neighbouring characters. So
two parts of a page can be compared without knowing the language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.model.features.word_hashes import (
    TABLES,
    code_at,
    read_declared_words,
    reference_end,
)
from tamis.page.arrays import ALL, PRIME, START
from tamis.page.tags import HIDDEN
from tamis.page.text.characters import DIGIT, HAN, IGNORED, LOWER, SEA, SYMBOL, UPPER

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Bytes, Ints
    from tamis.page.table import Page

KIND = view_numbers(TABLES[0])
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
        declared = np.zeros(room, np.uint8)
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
            step = 1
            kind = SYMBOL
            if known != BREAK:
                if code >= 0x80:
                    step = 2 if code < 0xE0 else 3 if code < 0xF0 else 4
                    code = code_at(source, i, stop)
                elif code == 38:  # &
                    step = reference_end(source, i, stop) - i
                kind = HAN if 0x20000 <= code < 0x40000 else SYMBOL
                if code < 0x10000:
                    kind = KIND[code]
            i += step
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
