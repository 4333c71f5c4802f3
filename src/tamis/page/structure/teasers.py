"""Teasers that repeat: pieces of text of any length that each lead on to a page of their own.

A teaser has a link to its story in one of three places: its title, above the text; a "Read more"
with the same words in each, below it; or around all of it. Links at the same place of the tree,
five or more, are one family, and the teaser of each is the highest element that holds no other
link of the family. Where that is hardly more than the link, heading, text and link stand side by
side, and the teaser is what lies between two links.

So one "Read more" below an article makes no teaser of it, nor do links inside running text, which
are neither at the beginning nor at the end of what is around them; and the permalinks and buttons
of comments lead to a part of a page, or are dates. A long section below a linked heading, as in a
list of the ten best, is no teaser either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Indexes
from tamis.page.table import Page

Range = tuple[int, int]

FEWEST = 5
"""Teasers that make a list."""

# Share of the teasers that have their link in its place, with words and an address as they should.
_MOST = 0.8
# Words of a teaser on average, at most: sections of articles on wcxb-dev have more.
_LONGEST = 100
# Words beside the link, at least; on its other side, at most: a date, the minutes to read.
_FEWEST_WORDS, _BESIDE = 8, 8
# Words of a link around a teaser, at least; of a title; the first of a "Read more".
_WHOLE, _SAME_WORDS = 15, 2
_SHORTEST_TITLE, _LONGEST_TITLE = 2, 30
# Elements above a link that may be its teaser, tags that make its place, runs of text in it.
_LEVELS, _TAGS, _MOST_TEXTS = 15, 4, 20
# Words of a paragraph, at least.
_PARAGRAPH = 20
_UNSEEN = tags.HIDDEN | tags.IN_CONTROL
# Texts here are no part of what a page is about.
_BESIDE_CONTENT = (
    tags.IN_NAVIGATION | tags.IN_FOOTER | tags.IN_ASIDE | tags.IN_DIALOG | tags.IN_SEARCH
)


@dataclass(frozen=True, eq=False)
class Teasers:
    """The teasers of a page that repeat."""

    inside: Flags
    """The texts that are part of one."""
    words: int
    """Their words."""
    share: float
    """Of these and of the words outside that are in no link, no menu and no footer."""
    prose: int
    """Of the words outside those in paragraphs: a story with teasers around it."""


def find_teasers(page: Page, also: Iterable[int] = ()) -> Teasers:
    """The teasers of all families of links and of elements that react to a click.

    Where the elements of a family are among `also`, the caller knows that they lead on, wherever.
    """
    return _Search(page, frozenset(also)).measure()


class _Search:
    """A page and the words before each of its texts."""

    def __init__(self, page: Page, also: frozenset[int]) -> None:
        texts = page.texts
        self._page, self._also = page, also
        self._seen = texts.flags & _UNSEEN == 0
        words = np.where(self._seen, texts.words, 0)
        plain = np.where(texts.flags & tags.IN_LINK == 0, words, 0)
        self._before = np.append(0, np.cumsum(words))
        self._plain_before = np.append(0, np.cumsum(plain))

    def measure(self) -> Teasers:
        page = self._page
        teasers = [
            place for family in self._find_families() for place in self._find_teasers(family)
        ]
        count = len(page.texts) + 1
        first, end = np.array(teasers, np.intp).reshape(-1, 2).T
        depth = np.cumsum(np.bincount(first, minlength=count) - np.bincount(end, minlength=count))
        inside = self._seen & (depth[:-1] > 0)
        words = int(page.texts.words[inside].sum())
        outside = self._seen & ~inside & (page.texts.flags & (tags.IN_LINK | _BESIDE_CONTENT) == 0)
        of_blocks = np.bincount(page.texts.block, page.texts.words * outside, len(page.blocks))
        share = words / max(words + of_blocks.sum(), 1.0)
        prose = of_blocks[of_blocks >= _PARAGRAPH].sum()
        return Teasers(inside, words, float(share), int(prose))

    # Families

    def _find_families(self) -> Iterator[list[int]]:
        """Elements that lead on, of the same depth, with the same tags upwards, in page order."""
        page, nodes = self._page, self._page.nodes
        links = np.flatnonzero(nodes.flags & tags.IS_LINK != 0)
        clicks = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID["onclick"])
        owners = np.searchsorted(nodes.attributes, clicks, side="right") - 1
        also = np.array(sorted(self._also), np.intp)
        chosen = np.unique(np.concatenate((links, owners, also)))
        first, end = nodes.first_text[chosen], nodes.end_text[chosen]
        chosen = chosen[self._before[end] > self._before[first]]
        key, above = nodes.depth[chosen].astype(np.int64), chosen
        for _ in range(_TAGS):
            key = key * 1009 + np.minimum(nodes.tag[above], 1000)
            above = np.maximum(nodes.parent[above], 0)
        order = np.argsort(key, kind="stable")
        edges = np.flatnonzero(np.diff(key[order], prepend=-1, append=-1))
        for low, high in limits.check_each(pairwise(edges.tolist()), 100):
            family = chosen[order[low:high]]
            if high - low >= FEWEST and self._has_text(family):
                leading = [
                    node for node in limits.check_each(family.tolist(), 100) if self._leads_on(node)
                ]
                if len(leading) >= FEWEST:
                    yield leading

    def _has_text(self, family: Indexes) -> bool:
        """Whether there is text between the elements or in them; there is none in a menu."""
        nodes = self._page.nodes
        first, end = nodes.first_text[family], nodes.end_text[family]
        inside = int((self._before[end] - self._before[first]).sum())
        between = int(self._plain_before[first[-1]] - self._plain_before[end[0]])
        count = len(family)
        return inside >= _WHOLE * _MOST * count or between >= _FEWEST_WORDS * (count - 2) // 2

    def _leads_on(self, node: int) -> bool:
        """Whether an element leads to a page, not to a part of one; of others than links, yes."""
        if node in self._also or self._page.nodes.flags[node] & tags.IS_LINK == 0:
            return True
        href = (self._page.attribute(node, "href") or "").strip().lower()
        path, _, fragment = href.partition("#")
        # WordPress leads to the place where the teaser ended.
        part = fragment and not fragment.startswith("more")
        return bool(path) and not part and not path.startswith(("javascript:", "mailto:"))

    # Teasers

    def _find_teasers(self, family: list[int]) -> list[Range]:
        """The texts of each teaser of a family, first and end; none if these are not teasers."""
        page = self._page
        addresses = [page.attribute(node, "href") for node in family if node not in self._also]
        linked = [address for address in addresses if address]
        if len(set(linked)) < _MOST * len(linked):
            return []
        own = self._list_ranges(family)
        around = self._climb(family)
        for units in (self._list_ranges(around), self._list_between(around)):
            if self._are_teasers(own, units):
                return [(first, end) for first, end in units.tolist()]
        return []

    def _list_ranges(self, elements: list[int]) -> Indexes:
        nodes = self._page.nodes
        columns = nodes.first_text[elements], nodes.end_text[elements]
        return np.stack(columns, axis=1).astype(np.intp)

    def _climb(self, family: list[int]) -> list[int]:
        """For each element the highest one around it that holds no other of its family."""
        nodes = self._page.nodes
        bounds = [-1, *family, len(nodes)]
        highest = []
        for before, node, after in zip(bounds, family, bounds[2:], strict=False):
            for _ in range(_LEVELS):
                parent = int(nodes.parent[node])
                if parent <= before or nodes.last[parent] >= after:
                    break
                node = parent
            highest.append(node)
        return highest

    def _list_between(self, around: list[int]) -> Indexes:
        """For each element what lies between the one before, in the same parent, and its end."""
        parent = self._page.nodes.parent[around]
        end = self._list_ranges(around)[:, 1]
        start = self._list_ranges(np.maximum(parent, 0).tolist())[:, 0]
        follows = np.append(False, parent[1:] == parent[:-1])
        start[follows] = end[:-1][follows[1:]]
        # What is before the first may be half of the page.
        longest = (end - start)[follows].max(initial=0)
        return np.stack((np.maximum(start, end - longest), end), axis=1)

    def _are_teasers(self, own: Indexes, units: Indexes) -> bool:
        """Whether links are around most units, or at the end, or at the beginning."""
        (first, end), (start, stop) = own.T, units.T
        words, plain = self._before, self._plain_before
        least = _MOST * len(units)
        if (words[stop] - words[start]).mean() > _LONGEST:
            return False
        inside = words[end] - words[first]
        before, after = plain[first] - plain[start], plain[stop] - plain[end]
        whole = (inside >= _WHOLE) & (before + after <= _BESIDE)
        if whole.sum() >= least:
            return True
        short = inside <= _LONGEST_TITLE
        if (short & (before >= _FEWEST_WORDS) & (after <= _BESIDE)).sum() >= least:
            # Perhaps with the title behind it: "Read more: Ferry runs again".
            starts = (tuple(text.split()[:_SAME_WORDS]) for text in self._read_texts(own))
            (_, count), *_ = Counter(starts).most_common(1)
            return count >= least
        titled = short & (inside >= _SHORTEST_TITLE)
        titled &= (before <= _BESIDE) & (after >= _FEWEST_WORDS)
        return bool(titled.sum() >= least) and self._are_titles(own, least)

    def _are_titles(self, own: Indexes, least: float) -> bool:
        """Whether links are blocks of their own, with words that differ and are not dates."""
        blocks = self._page.blocks
        of_links = self._page.texts.block[own[:, 0]]
        alone = int((blocks.words[of_links] <= blocks.link_words[of_links] + 1).sum())
        titles = {
            text for text in self._read_texts(own) if 4 * sum(map(str.isdigit, text)) < len(text)
        }
        return alone >= least and len(titles) >= least

    def _read_texts(self, own: Indexes) -> Iterator[str]:
        for first, end in own.tolist():
            texts = range(first, min(end, first + _MOST_TEXTS))
            yield " ".join(self._page.text(text).strip() for text in texts).casefold()
