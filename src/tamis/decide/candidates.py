# cython: infer_types=True
"""The readings of a page that follow from probabilities: a few whole choices of blocks.

The blocks with the best expected F (`best`), or with the best one for precision (`precise`); those
that are nearly certain (`sure`); of the best ones the heaviest run without a gap (`longest run`),
the two heaviest (`two runs`), and those in the deepest element that holds half (`element`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.decide.decision import BETAS, best_count, most_probable_first
from tamis.model.features.reading_features import GAP, READINGS
from tamis.page.tags import HIDDEN

if TYPE_CHECKING:
    import cython

    from tamis.methods._base import Floats, Indexes
    from tamis.page.arrays import Bytes, Ints
    from tamis.page.table import Page

CERTAIN = 0.85
"""The probability from which on a block is in the reading `sure`."""
MOST_GAP = GAP
"""Dropped blocks that a browser shows, in a row, that do not yet end a run."""
HALF = 0.5
"""Share of the expected words that the deepest element has at least."""

BEST, PRECISE, SURE, LONGEST_RUN, TWO_RUNS, ELEMENT = (
    READINGS.index("best"),
    READINGS.index("precise"),
    READINGS.index("sure"),
    READINGS.index("longest run"),
    READINGS.index("two runs"),
    READINGS.index("element"),
)
THREAD = READINGS.index("thread")


class Candidates:
    """Readings as rows of flags, one per block; no row is empty or there twice."""

    def __init__(self, page: Page, probabilities: Floats) -> None:
        blocks = len(page.blocks)
        self.made = np.zeros((len(READINGS), blocks), np.uint8)
        self.kinds_made = np.zeros(len(READINGS), np.intc)
        self.rows = self.made
        self.kinds = self.kinds_made
        self.count = 0
        words = page.blocks.words.astype(float)
        probabilities = np.ascontiguousarray(probabilities, float)
        order = most_probable_first(probabilities)
        self.add_first(BEST, order, best_count(probabilities, words, order, 1.0)[0])
        precise = best_count(probabilities, words, order, BETAS["precision"])[0]
        self.add_first(PRECISE, order, precise)
        self.add_certain(probabilities)
        expected = probabilities * words
        self.add_runs(expected, page.blocks.flags)
        nodes = page.nodes
        self.add_element(expected, page.texts.block, nodes.first_text, nodes.end_text, nodes.depth)

    def add(self, kind: cython.int) -> None:
        """Keep the row after the last one as a reading, unless it is empty or there already."""
        row = self.count
        blocks = self.rows.shape[1]
        is_new: cython.bint = False
        for block in range(blocks):
            if self.rows[row, block]:
                is_new = True
                break
        for other in range(row):
            if not is_new:
                break
            is_new = False
            for block in range(blocks):
                if self.rows[row, block] != self.rows[other, block]:
                    is_new = True
                    break
        if is_new:
            self.kinds[row] = kind
            self.count += 1
        else:
            self.rows[row, :] = 0

    def add_flags(self, kind: cython.int, flags: Bytes) -> None:
        """Add a reading that was found in another way."""
        for block in range(flags.shape[0]):
            self.rows[self.count, block] = flags[block]
        self.add(kind)

    def add_first(self, kind: cython.int, order: Indexes, count: cython.Py_ssize_t) -> None:
        """Add the reading of the first blocks of an order."""
        for place in range(count):
            self.rows[self.count, order[place]] = 1
        self.add(kind)

    def add_certain(self, probabilities: Floats) -> None:
        """Add the reading of the blocks that are nearly certain."""
        for block in range(probabilities.shape[0]):
            if probabilities[block] >= CERTAIN:
                self.rows[self.count, block] = 1
        self.add(SURE)

    def add_runs(self, expected: Floats, flags: Ints) -> None:
        """Add the heaviest run of the best blocks, and the two heaviest, if there are more."""
        blocks = expected.shape[0]
        runs: cython.int[::1] = np.full(blocks, -1, np.intc)
        masses: cython.double[::1] = np.zeros(blocks + 1)
        number = -1
        gap: cython.Py_ssize_t = MOST_GAP + 1
        for block in range(blocks):
            if self.rows[0, block]:
                if gap > MOST_GAP:
                    number += 1
                gap = 0
                runs[block] = number
                masses[number] += expected[block]
            elif not flags[block] & HIDDEN:
                gap += 1
        heaviest = second = -1
        for run in range(number + 1):
            if heaviest < 0 or masses[run] > masses[heaviest]:
                second = heaviest
                heaviest = run
            elif second < 0 or masses[run] > masses[second]:
                second = run
        for count in range(1, 3):
            if number < count:
                break
            for block in range(blocks):
                if runs[block] >= 0 and (
                    runs[block] == heaviest or (count == 2 and runs[block] == second)
                ):
                    self.rows[self.count, block] = 1
            self.add(LONGEST_RUN if count == 1 else TWO_RUNS)

    def add_element(
        self, expected: Floats, text_block: Ints, first_text: Ints, end_text: Ints, depth: Ints
    ) -> None:
        """Add the best blocks in the deepest element with at least half of what is expected."""
        blocks = expected.shape[0]
        sums: cython.double[::1] = np.zeros(blocks + 1)
        for block in range(blocks):
            sums[block + 1] = sums[block] + (expected[block] if self.rows[0, block] else 0.0)
        deepest = first = end = -1
        for node in range(depth.shape[0]):
            if end_text[node] <= first_text[node] or depth[node] <= deepest:
                continue
            low = text_block[first_text[node]]
            high = text_block[end_text[node] - 1] + 1
            if sums[high] - sums[low] >= HALF * sums[blocks]:
                deepest = depth[node]
                first = low
                end = high
        for block in range(max(first, 0), end):
            self.rows[self.count, block] = self.rows[0, block]
        self.add(ELEMENT)
