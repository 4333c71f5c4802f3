"""Labels from gold text: which words of a page the gold text has, in order.

The gold text of a page is a list of words; the page's words that are in a longest common
subsequence with it are content (Peters and Lecocq 2013). A block's share of such words is its
label. Small problems are solved exactly (`evaluate.subsequence`). Larger ones are cut at anchors,
n-grams that each side has once, and exact in between; where there is nothing to cut at, in
proportion. So work is bounded whatever the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tamis.evaluate import subsequence
from tamis.evaluate.measures import tokens
from tamis.page import tags
from tamis.page.read import parse
from tamis.page.table import Page

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

EXACT_CELLS = 400_000_000
"""Largest table that is solved whole: 50 MB of rows, 0.1 s for a square one."""

# Lengths of the n-grams that serve as anchors, tried in turn on what is still too large.
_ANCHORS = (5, 3, 2, 1)

_SPAN = re.compile(rb"<(/?)span(?=[\s/>])([^>]*)>", re.IGNORECASE)
_CLASS = re.compile(rb"""class\s*=\s*["']?x-nc-sel(\d)""", re.IGNORECASE)

_CLASSES = 10
L3S_CONTENT = (1, 2, 3)
"""Classes of L3S-GN1 that are content: headline, full text, supplemental."""


def block_shares(page: Page, gold: str, *, exact_cells: int = EXACT_CELLS) -> Floats:
    """For each block the share of its words that the gold text has; 0 for hidden blocks."""
    visible = np.flatnonzero(page.blocks.flags & tags.HIDDEN == 0)
    result = np.zeros(len(page.blocks))
    result[visible] = shares(page.block_texts(visible), gold, exact_cells=exact_cells)
    return result


def shares(pieces: Sequence[str], gold: str, *, exact_cells: int = EXACT_CELLS) -> Floats:
    """For each piece of a page, in document order, the share of its words that gold has."""
    words = [tokens(piece) for piece in pieces]
    counts = np.array([len(some) for some in words], dtype=np.intp)
    found = matched([word for some in words for word in some], tokens(gold), exact_cells)
    sums = np.concatenate((np.zeros(1), np.cumsum(found)))
    ends = np.cumsum(counts)
    result: Floats = (sums[ends] - sums[ends - counts]) / np.maximum(counts, 1)
    return result


def span_classes(annotated: str) -> tuple[Page, npt.NDArray[np.intp]]:
    """An annotated page of L3S-GN1 without its annotation, and the class of each of its texts.

    The annotation is `<span class="x-nc-selN">` around text; left in, it would be the parent tag
    of every text and a tag between all of them.
    """
    source = annotated.encode("utf-8", "replace")
    kept: list[bytes] = []
    borders, classes = [0], [0]  # from this offset of the kept source on, the text has this class
    open_spans: list[int | None] = []  # class of the annotation, None for a span of the page
    done = length = 0
    for match in _SPAN.finditer(source):
        opens, own = not match[1], _CLASS.search(match[2])
        if opens:
            open_spans.append(int(own[1]) if own else None)
            if not own:
                continue
        elif not open_spans or open_spans.pop() is None:
            continue
        kept.append(source[done : match.start()])
        length += match.start() - done
        done = match.end()
        borders.append(length)
        classes.append(next((kind for kind in reversed(open_spans) if kind is not None), 0))
    kept.append(source[done:])
    borders.append(length + len(kept[-1]))
    page = parse(b"".join(kept), content_type="text/html; charset=utf-8")
    # Bytes of each class before an offset. Annotation may end inside a run: its longest part wins.
    sizes = np.diff(borders)
    covered = []
    for kind in range(_CLASSES):
        sums = np.concatenate(([0], np.cumsum(sizes * (np.array(classes) == kind))))
        covered.append(
            np.interp(page.texts.end, borders, sums) - np.interp(page.texts.start, borders, sums)
        )
    return page, np.argmax(covered, axis=0)


def span_shares(annotated: str) -> tuple[Page, Floats]:
    """An annotated page of L3S-GN1, and for each block the share of its words that are content."""
    page, classes = span_classes(annotated)
    visible = page.texts.flags & tags.HIDDEN == 0
    words = np.where(visible, page.texts.words, 0)
    blocks = len(page.blocks)
    content = np.bincount(page.texts.block, words * np.isin(classes, L3S_CONTENT), blocks)
    result: Floats = content / np.maximum(np.bincount(page.texts.block, words, blocks), 1)
    return page, result


# The longest common subsequence


def matched(
    words: Sequence[str], gold: Sequence[str], exact_cells: int = EXACT_CELLS
) -> npt.NDArray[np.bool_]:
    """For each word whether it is in the common subsequence; their number is its length."""
    result = np.zeros(len(words), bool)
    # A word that the other side does not have is in no common subsequence.
    in_both = set(words) & set(gold)
    numbers = {word: number for number, word in enumerate(in_both)}
    places = [place for place, word in enumerate(words) if word in numbers]
    mine = [numbers[words[place]] for place in places]
    other = [numbers[word] for word in gold if word in numbers]
    pairs = _Pairs(mine, other, exact_cells)
    pairs.solve(0, len(mine), 0, len(other), _ANCHORS)
    result[[places[place] for place in pairs.found]] = True
    return result


class _Pairs:
    """The words of `mine` that a common subsequence with `other` has, found piece by piece."""

    def __init__(self, mine: list[int], other: list[int], exact_cells: int) -> None:
        self.mine, self.other = mine, other
        self.exact_cells = max(1, exact_cells)
        self.found: list[int] = []

    def solve(self, a: int, b: int, c: int, d: int, anchors: tuple[int, ...]) -> None:
        """Find the words of `mine[a:b]` that are common with `other[c:d]`."""
        mine, other = self.mine, self.other
        while a < b and c < d and mine[a] == other[c]:
            self.found.append(a)
            a, c = a + 1, c + 1
        while a < b and c < d and mine[b - 1] == other[d - 1]:
            self.found.append(b - 1)
            b, d = b - 1, d - 1
        if a == b or c == d:
            return
        if (b - a) * (d - c) <= self.exact_cells:
            self.found += [a + place for place in subsequence.places(mine[a:b], other[c:d])]
        elif anchors:
            self._cut_at_anchors(a, b, c, d, anchors)
        else:
            self._cut_in_proportion(a, b, c, d)

    def _cut_at_anchors(self, a: int, b: int, c: int, d: int, anchors: tuple[int, ...]) -> None:
        size, rest = anchors[0], anchors[1:]
        ours, theirs = _unique(self.mine, a, b, size), _unique(self.other, c, d, size)
        common = sorted((place, theirs[gram]) for gram, place in ours.items() if gram in theirs)
        for i, j in _increasing(common):
            # Anchors overlap: the words of the one before may go beyond the start of this.
            if i < a or j < c:
                continue
            self.solve(a, i, c, j, rest)
            self.found += range(i, i + size)
            a, c = i + size, j + size
        self.solve(a, b, c, d, rest)

    def _cut_in_proportion(self, a: int, b: int, c: int, d: int) -> None:
        pieces = -(-(b - a) * (d - c) // self.exact_cells)
        pieces = min(pieces, max(b - a, d - c))
        mine = np.linspace(a, b, pieces + 1).astype(int).tolist()
        other = np.linspace(c, d, pieces + 1).astype(int).tolist()
        for i, j, k, m in zip(mine, mine[1:], other, other[1:], strict=False):
            self.found += [
                i + place for place in subsequence.places(self.mine[i:j], self.other[k:m])
            ]


def _unique(words: list[int], begin: int, end: int, size: int) -> dict[tuple[int, ...], int]:
    """The n-grams that are there once, and their places."""
    places: dict[tuple[int, ...], int] = {}
    grams = zip(*(words[begin + skip : end] for skip in range(size)), strict=False)
    for place, gram in enumerate(grams, begin):
        places[gram] = -1 if gram in places else place
    return {gram: place for gram, place in places.items() if place >= 0}


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
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
