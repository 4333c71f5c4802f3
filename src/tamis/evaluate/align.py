"""Labels from gold text: which words of a page the gold text has, in order.

The gold text of a page is a list of words; the page's words that are in a longest common
subsequence with it are content (Peters and Lecocq 2013). A block's share of such words is its
label. Small problems are solved exactly (`evaluate.subsequence`). Larger ones are cut at anchors,
n-grams that each side has once, and exact in between; where there is nothing to cut at, in
proportion. So work is bounded whatever the page. `block_score` compares an output with the gold
by such shares.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tamis.evaluate import measures, subsequence
from tamis.evaluate.measures import tokens
from tamis.methods._base import Flags, Floats
from tamis.page import tags
from tamis.page.arrays import Indexes
from tamis.page.read import parse
from tamis.page.table import Page

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


def block_score(page: Page, output: str, gold: str) -> measures.BlockScore:
    """The decisions of an extractor on the visible blocks of a page that have words.

    A block was kept, and is content, if more than half of its words are in the output, and in the
    gold, in order: so an extractor that knows no blocks can be measured, too.
    """
    visible = (page.blocks.flags & tags.HIDDEN == 0) & (page.blocks.words > 0)
    kept, content = (block_shares(page, text)[visible] > 0.5 for text in (output, gold))
    return measures.blocks(kept, content)


def shares(pieces: Sequence[str], gold: str, *, exact_cells: int = EXACT_CELLS) -> Floats:
    """For each piece of a page, in document order, the share of its words that gold has."""
    words = [tokens(piece) for piece in pieces]
    counts = np.array([len(piece) for piece in words], dtype=np.intp)
    content = match_words([word for piece in words for word in piece], tokens(gold), exact_cells)
    return part_shares(counts, content)


def part_shares(counts: Indexes, content: Flags) -> Floats:
    """For parts that follow each other, of `counts` words each, the share that is content."""
    sums = np.concatenate((np.zeros(1), np.cumsum(content)))
    ends = np.cumsum(counts)
    result: Floats = (sums[ends] - sums[ends - counts]) / np.maximum(counts, 1)
    return result


def span_classes(annotated: str) -> tuple[Page, Indexes]:
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


# The longest common subsequence


def match_words(words: Sequence[str], gold: Sequence[str], exact_cells: int = EXACT_CELLS) -> Flags:
    """For each word whether it is in the common subsequence; their number is its length."""
    result = np.zeros(len(words), bool)
    # A word that only the page or only the gold has is in no common subsequence.
    numbers = {word: number for number, word in enumerate(set(words) & set(gold))}
    places = [place for place, word in enumerate(words) if word in numbers]
    ours = [numbers[words[place]] for place in places]
    theirs = [numbers[word] for word in gold if word in numbers]
    alignment = _Alignment(ours, theirs, exact_cells)
    alignment.solve(0, len(ours), 0, len(theirs), _ANCHORS)
    result[[places[place] for place in alignment.common]] = True
    return result


class _Alignment:
    """The words of `ours` that a common subsequence with `theirs` has, piece by piece."""

    def __init__(self, ours: list[int], theirs: list[int], exact_cells: int) -> None:
        self.ours, self.theirs = ours, theirs
        self.exact_cells = max(1, exact_cells)
        self.common: list[int] = []

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
        places = subsequence.places(self.ours[a:b], self.theirs[c:d])
        self.common += [a + place for place in places]

    def _cut_at_anchors(self, a: int, b: int, c: int, d: int, anchors: tuple[int, ...]) -> None:
        size, rest = anchors[0], anchors[1:]
        ours, theirs = _unique(self.ours, a, b, size), _unique(self.theirs, c, d, size)
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


def _unique(words: list[int], begin: int, end: int, size: int) -> dict[tuple[int, ...], int]:
    """The n-grams that are there once, and their places."""
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
