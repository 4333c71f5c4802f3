"""Labels from gold text: which words of a page the gold text has, in order.

The gold text of a page is a list of words; the page's words that are in a longest common
subsequence with it are content (Peters and Lecocq 2013). A block's share of such words is its
label. Small problems are solved exactly (Hyyrö 2004). Larger ones are cut at anchors,
n-grams that each side has once, and exact in between; where there is nothing to cut at, in
proportion. So the work is bounded, whatever the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from tamis.methods._base import Flags, Floats
from tamis.page import tags
from tamis.page.arrays import Indexes
from tamis.page.table import Page

EXACT_CELLS = 400_000_000
"""Largest table that is solved whole: 50 MB of rows, 0.1 s for a square one."""

# Lengths of the n-grams that serve as anchors, tried in turn on what is still too large.
_ANCHORS = (5, 3, 2, 1)


_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def tokenize(text: str) -> list[str]:
    """Lower-case words; a word of a script without spaces counts by its characters."""
    words = _WORD.findall(text.lower())
    if not _UNSPACED.search(text):
        return words
    return [
        token
        for word in words
        for token in (_UNSPACED.findall(word) if _UNSPACED.search(word) else [word])
    ]


def block_shares(page: Page, gold: str, *, exact_cells: int = EXACT_CELLS) -> Floats:
    """For each block the share of its words that the gold text has; 0 for hidden blocks."""
    visible = np.flatnonzero(page.blocks.flags & tags.HIDDEN == 0)
    result = np.zeros(len(page.blocks))
    result[visible] = piece_shares(page.block_texts(visible), gold, exact_cells=exact_cells)
    return result


def piece_shares(pieces: Sequence[str], gold: str, *, exact_cells: int = EXACT_CELLS) -> Floats:
    """For each piece of a page, in document order, the share of its words that gold has."""
    words = [tokenize(piece) for piece in pieces]
    counts = np.array([len(piece) for piece in words], dtype=np.intp)
    content = match_words([word for piece in words for word in piece], tokenize(gold), exact_cells)
    return part_shares(counts, content)


def part_shares(counts: Indexes, content: Flags) -> Floats:
    """For parts that follow each other, of `counts` words each, the share that is content."""
    sums = np.concatenate((np.zeros(1), np.cumsum(content)))
    ends = np.cumsum(counts)
    result: Floats = (sums[ends] - sums[ends - counts]) / np.maximum(counts, 1)
    return result


# The longest common subsequence


def match_words(words: Sequence[str], gold: Sequence[str], exact_cells: int = EXACT_CELLS) -> Flags:
    """For each word whether it is in the common subsequence; their number is its length."""
    result = np.zeros(len(words), bool)
    # A word that only the page or only the gold has is in no common subsequence.
    numbers = {word: number for number, word in enumerate(set(words) & set(gold))}
    places = [place for place, word in enumerate(words) if word in numbers]
    ours = [numbers[words[place]] for place in places]
    theirs = [numbers[word] for word in gold if word in numbers]
    alignment = _Alignment(ours, theirs, max(1, exact_cells))
    alignment.solve(0, len(ours), 0, len(theirs), _ANCHORS)
    result[[places[place] for place in alignment.common]] = True
    return result


@dataclass
class _Alignment:
    """The words of `ours` that a common subsequence with `theirs` has, piece by piece."""

    ours: list[int]
    theirs: list[int]
    exact_cells: int
    common: list[int] = field(default_factory=list)

    def solve(self, a: int, b: int, c: int, d: int, anchors: tuple[int, ...]) -> None:
        """Add the words of `ours[a:b]` that are common with `theirs[c:d]`."""
        ours, theirs = self.ours, self.theirs
        while a < b and c < d and ours[a] == theirs[c]:
            self.common.append(a)
            a, c = a + 1, c + 1
        while a < b and c < d and ours[b - 1] == theirs[d - 1]:
            self.common.append(b - 1)
            b, d = b - 1, d - 1
        if a == b or c == d:
            return
        if (b - a) * (d - c) <= self.exact_cells:
            self._solve_exactly(a, b, c, d)
        elif anchors:
            self._cut_at_anchors(a, b, c, d, anchors)
        else:
            self._cut_in_proportion(a, b, c, d)

    def _solve_exactly(self, a: int, b: int, c: int, d: int) -> None:
        places = find_common(self.ours[a:b], self.theirs[c:d])
        self.common += [a + place for place in places]

    def _cut_at_anchors(self, a: int, b: int, c: int, d: int, anchors: tuple[int, ...]) -> None:
        size, rest = anchors[0], anchors[1:]
        ours, theirs = _find_unique(self.ours, a, b, size), _find_unique(self.theirs, c, d, size)
        common = sorted((place, theirs[gram]) for gram, place in ours.items() if gram in theirs)
        for i, j in _find_increasing(common):
            # Anchors overlap: the words of the one before may go beyond the start of this.
            if i < a or j < c:
                continue
            self.solve(a, i, c, j, rest)
            self.common += range(i, i + size)
            a, c = i + size, j + size
        self.solve(a, b, c, d, rest)

    def _cut_in_proportion(self, a: int, b: int, c: int, d: int) -> None:
        pieces = -(-(b - a) * (d - c) // self.exact_cells)
        pieces = min(pieces, max(b - a, d - c))
        cuts = np.linspace((a, c), (b, d), pieces + 1).astype(int).tolist()
        for (i, k), (j, m) in pairwise(cuts):
            self._solve_exactly(i, j, k, m)


def _find_unique(words: list[int], begin: int, end: int, size: int) -> dict[tuple[int, ...], int]:
    places: dict[tuple[int, ...], int] = {}
    grams = zip(*(words[begin + skip : end] for skip in range(size)), strict=False)
    for place, gram in enumerate(grams, begin):
        places[gram] = -1 if gram in places else place
    return {gram: place for gram, place in places.items() if place >= 0}


def _find_increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of the pairs, sorted by the first, in which the second increases too."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        place = bisect_left(tails, second)
        before.append(last[place - 1] if place else -1)
        if place == len(tails):
            tails.append(second)
            last.append(number)
        else:
            tails[place] = second
            last[place] = number
    chain: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


_NextRow = Callable[[int, Hashable], int]


def count_common(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    start, end = 0, 0
    shorter = min(len(first), len(second))
    while start < shorter and first[start] == second[start]:
        start += 1
    while end < shorter - start and first[-1 - end] == second[-1 - end]:
        end += 1
    first = first[start : len(first) - end]
    second = second[start : len(second) - end]
    if len(first) > len(second):
        first, second = second, first
    row, next_row = _first_row(first)
    for item in second:
        row = next_row(row, item)
    return start + end + len(first) - row.bit_count()


def find_common(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[int]:
    """Indexes in `first` of one longest common subsequence with `second`, the last one first."""
    row, next_row = _first_row(second)
    rows = list(accumulate(first, next_row, initial=row))
    common = []
    i, j = len(first), len(second)
    row = rows[i]
    while i and j:
        if row >> j - 1 & 1:
            # No growth from here back to the nearest 0 bit.
            j = (~row & (1 << j) - 1).bit_length()
            continue
        i -= 1
        row = rows[i]
        if row >> j - 1 & 1:
            j -= 1
            common.append(i)
    return common


def _first_row(columns: Sequence[Hashable]) -> tuple[int, _NextRow]:
    """The row before the first one, and the function from a row and an item to the next row."""
    masks: dict[Hashable, int] = {}
    bit = 1
    for item in columns:
        masks[item] = masks.get(item, 0) | bit
        bit <<= 1
    full = bit - 1

    def next_row(row: int, item: Hashable) -> int:
        common = row & masks.get(item, 0)
        return (row + common | row - common) & full if common else row

    return full, next_row
