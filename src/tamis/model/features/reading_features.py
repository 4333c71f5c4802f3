# cython: infer_types=True
"""What is known of a reading of a page as a whole, beside the reading with the best expected F.

What a part of a page is about decides here: whether what a reading adds or leaves out shares its
words with the rest, with the title and with the description. The two halves of the rest say how
much the parts of this page share at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.model.features.columns import Numbering
from tamis.model.features.vocabulary import DESCRIPTION, TITLE
from tamis.page.tags import IN_HEADING

if TYPE_CHECKING:
    import cython

    from tamis.model.features.vocabulary import Vocabulary
    from tamis.page.arrays import Bytes, Floats, Ints, Matrix
    from tamis.page.table import Page

READINGS = ("best", "precise", "sure", "longest run", "two runs", "element", "thread")
"""The names of readings, see `tamis.decide.readings`."""

GAP = 6
"""Dropped blocks in a row that do not yet end a run."""
MOST_GAP = GAP

LEVELS = 20
"""Levels of probability at which the page is cut for the expected F of blocks that agree."""
LEAST = 1e-9
LINKED = 0.5
"""Share of the words of a heading in links from which on it is a link."""

COLUMNS = Numbering()
column = COLUMNS.group("page")
PAGE_WORDS = column("page.words")
PAGE_BLOCKS = column("page.blocks")
PAGE_CONTENT = column("page.content")
BEST_F = column("best.expected_f")
BEST_SAME_F = column("best.same_f")
COUNT = column("readings")
column = COLUMNS.group("kind")
FIRST_KIND = column(*READINGS)
column = COLUMNS.group("expected")
PRECISION = column("precision")
RECALL = column("recall")
EXPECTED_F = column("expected_f")
SAME_F = column("same_f")
GAIN_P = column("gain.precision")
GAIN_R = column("gain.recall")
GAIN_F = column("gain.expected_f")
GAIN_SAME_F = column("gain.same_f")
RUNS = column("runs")
HALVES = column("halves")
COMMON = column("common.words")

PARTS = Numbering()
column = PARTS.group("part")
WORDS = column("words")
SHARE = column("share")
BLOCKS = column("blocks")
MEAN = column("mean")
HIGHEST = column("highest")
LINKS = column("links")
OPEN = column("open")
DIGITS = column("digits")
LINKED_HEADINGS = column("linked_headings")
HEADINGS = column("headings")
EACH = column("words_each")
TITLE_SHARE = column("title")
DESCRIPTION_SHARE = column("description")
KNOWN = column("known")
COSINE = column("cosine")
BEFORE = column("before")
AFTER = column("after")
PART_COLUMNS = len(PARTS)

column = COLUMNS.group("parts")
FIRST_WHOLE = column(*(f"whole.{name}" for name in PARTS.names))
FIRST_ADDED = column(*(f"added.{name}" for name in PARTS.names))
FIRST_REMOVED = column(*(f"removed.{name}" for name in PARTS.names))

NAMES = COLUMNS.names
KINDS = slice(NAMES.index(READINGS[0]), NAMES.index(READINGS[0]) + len(READINGS))


def find_margins(table: Matrix, margins: Floats) -> Floats:
    """The margin of each reading, by its kind."""
    of_rows: Floats = table[:, KINDS] @ margins
    return of_rows


class ReadingFeatures:
    """The readings of a page as rows of numbers."""

    def __init__(
        self, page: Page, vocabulary: Vocabulary, probabilities: Floats, readings: Bytes
    ) -> None:
        """`readings` has one row each, the one with the best expected F first."""
        blocks = page.blocks
        self.vocabulary = vocabulary
        self.probabilities = np.ascontiguousarray(probabilities, float)
        self.readings = readings
        self.words = blocks.words
        self.link_words = blocks.link_words
        self.chars = blocks.chars
        self.digits = blocks.digits
        self.is_heading = (blocks.flags & IN_HEADING != 0).astype(np.uint8)
        self.counts = np.zeros(vocabulary.count + 1, np.intc)
        self.others = np.zeros(vocabulary.count + 1, np.intc)
        self.marks = np.zeros(vocabulary.count + 1, np.intc)
        self.mark = 0
        self.square = 0.0
        self.table = np.zeros((readings.shape[0], len(COLUMNS)), np.float32)
        self.levels = np.zeros((2, LEVELS + 1))

    def fill(self, kinds: Ints) -> Matrix:
        """The table with one row per reading; `kinds` has the places of their names."""
        rows = self.readings.shape[0]
        blocks = self.words.shape[0]
        total = content = 0.0
        for block in range(blocks):
            total += self.words[block]
            content += self.words[block] * self.probabilities[block]
        table: cython.float[:, ::1] = self.table
        for row in range(rows):
            table[row, PAGE_WORDS] = total
            table[row, PAGE_BLOCKS] = blocks
            table[row, PAGE_CONTENT] = content
            table[row, COUNT] = rows
            table[row, FIRST_KIND + kinds[row]] = 1
            self.write_expected(row, content)
            table[row, BEST_F] = table[0, EXPECTED_F]
            table[row, BEST_SAME_F] = table[0, SAME_F]
            for place in range(4):
                table[row, GAIN_P + place] = (
                    table[row, PRECISION + place] - table[0, PRECISION + place]
                )
            self.write_parts(row)
        return np.asarray(self.table)

    def write_expected(self, row: cython.Py_ssize_t, content: cython.double) -> None:
        """Expected precision, recall and F, as `decision.best_expected_f` explains them."""
        blocks = self.words.shape[0]
        table: cython.float[:, ::1] = self.table
        own = right = 0.0
        for level in range(LEVELS + 1):
            self.levels[0, level] = self.levels[1, level] = 0
        runs = 0
        gap = MOST_GAP + 1
        for block in range(blocks):
            words: cython.double = self.words[block]
            level = min(max(int(self.probabilities[block] * LEVELS), 0), LEVELS)
            self.levels[0, level] += words
            if self.readings[row, block]:
                own += words
                right += words * self.probabilities[block]
                self.levels[1, level] += words
                if gap > MOST_GAP:
                    runs += 1
                gap = 0
            else:
                gap += 1
        gold = common = same = 0.0
        for place in range(LEVELS):
            gold += self.levels[0, LEVELS - place]
            common += self.levels[1, LEVELS - place]
            same += 2 * common / max(own + gold, LEAST)
        table[row, PRECISION] = right / max(own, LEAST)
        table[row, RECALL] = right / max(content, LEAST)
        table[row, EXPECTED_F] = 2 * right / max(own + content, LEAST)
        table[row, SAME_F] = same / LEVELS
        table[row, RUNS] = runs

    def write_parts(self, row: cython.Py_ssize_t) -> None:
        """What the reading holds, what it adds to the best one and what it leaves out."""
        blocks = self.words.shape[0]
        first = blocks
        last = -1
        common = best = 0.0
        for block in range(blocks):
            if self.readings[0, block]:
                best += self.words[block]
                if self.readings[row, block]:
                    common += self.words[block]
                    first = min(first, block)
                    last = block
        self.table[row, COMMON] = common
        self.table[row, HALVES] = self.compare_halves(row, common)
        self.count_words(row, self.counts)
        self.write_part(row, FIRST_ADDED, 0, 1, best, first, last)
        self.write_part(row, FIRST_REMOVED, 1, 0, best, first, last)
        self.write_part(row, FIRST_WHOLE, 2, 1, best, first, last)

    def is_in(
        self, block: cython.Py_ssize_t, row: cython.Py_ssize_t, best: cython.int, own: cython.int
    ) -> cython.bint:
        """Whether a block is in a part: in the best reading (2 is either) and in this one."""
        return (best == 2 or self.readings[0, block] == best) and self.readings[row, block] == own

    def count_words(self, row: cython.Py_ssize_t, counts: Ints) -> None:
        """Count the words of what a reading has in common with the best one."""
        words: cython.int[::1] = self.vocabulary.words
        first: cython.int[::1] = self.vocabulary.first_word
        counts[:] = 0
        square = 0.0
        for block in range(self.words.shape[0]):
            if self.readings[0, block] and self.readings[row, block]:
                for place in range(first[block], first[block + 1]):
                    square += 2 * counts[words[place]] + 1
                    counts[words[place]] += 1
        self.square = square

    def compare_halves(self, row: cython.Py_ssize_t, common: cython.double) -> cython.double:
        """The share of the words in the second half of what both have that the first half has."""
        words: cython.int[::1] = self.vocabulary.words
        first: cython.int[::1] = self.vocabulary.first_word
        self.mark += 1
        seen = known = all_words = 0.0
        for block in range(self.words.shape[0]):
            if not (self.readings[0, block] and self.readings[row, block]):
                continue
            for place in range(first[block], first[block + 1]):
                if 2 * seen < common:
                    self.marks[words[place]] = self.mark
                else:
                    all_words += 1
                    if self.marks[words[place]] == self.mark:
                        known += 1
            seen += self.words[block]
        return known / all_words if all_words else 0.0

    def write_part(
        self,
        row: cython.Py_ssize_t,
        out: cython.Py_ssize_t,
        in_best: cython.int,
        in_own: cython.int,
        best: cython.double,
        before: cython.Py_ssize_t,
        after: cython.Py_ssize_t,
    ) -> None:
        """What a part of the page is like, beside the words that are counted in `counts`."""
        table: cython.float[:, ::1] = self.table
        vocabulary = self.vocabulary
        words: cython.int[::1] = vocabulary.words
        declared: cython.uchar[::1] = vocabulary.declared
        first_word: cython.int[::1] = vocabulary.first_word
        all_words = blocks = mean = links = chars = digits = opened = 0.0
        headings = linked = early = late = highest = 0.0
        in_title = described = tokens = known = dot = own_square = 0.0
        self.mark += 1
        for block in range(self.words.shape[0]):
            if not self.is_in(block, row, in_best, in_own):
                continue
            own: cython.double = self.words[block]
            blocks += 1
            all_words += own
            mean += own * self.probabilities[block]
            highest = max(highest, self.probabilities[block])
            links += self.link_words[block]
            chars += self.chars[block]
            digits += self.digits[block]
            opened += vocabulary.ends_open[block]
            if self.is_heading[block]:
                headings += 1
                if self.link_words[block] >= LINKED * own:
                    linked += 1
            if block < before:
                early += own
            elif block > after:
                late += own
            for place in range(first_word[block], first_word[block + 1]):
                word = words[place]
                tokens += 1
                if self.counts[word]:
                    known += 1
                if self.marks[word] != self.mark:
                    self.marks[word] = self.mark
                    self.others[word] = 0
                    if declared[word] & TITLE:
                        in_title += 1
                    if declared[word] & DESCRIPTION:
                        described += 1
                dot += self.counts[word]
                own_square += 2 * self.others[word] + 1
                self.others[word] += 1
        if not blocks:
            return
        some: cython.double = max(all_words, 1)
        table[row, out + WORDS] = all_words
        table[row, out + SHARE] = all_words / max(best, 1)
        table[row, out + BLOCKS] = blocks
        table[row, out + MEAN] = mean / some
        table[row, out + HIGHEST] = highest
        table[row, out + LINKS] = links / some
        table[row, out + OPEN] = opened / blocks
        table[row, out + DIGITS] = digits / max(chars, 1)
        table[row, out + HEADINGS] = headings / blocks
        table[row, out + LINKED_HEADINGS] = linked / blocks
        table[row, out + EACH] = all_words / blocks
        table[row, out + TITLE_SHARE] = in_title / max(vocabulary.title_count, 1)
        table[row, out + DESCRIPTION_SHARE] = described / max(vocabulary.description_count, 1)
        table[row, out + BEFORE] = early / some
        table[row, out + AFTER] = late / some
        if in_best != 2 and tokens:
            table[row, out + KNOWN] = known / tokens
            table[row, out + COSINE] = dot * dot / max(own_square * self.square, LEAST)
