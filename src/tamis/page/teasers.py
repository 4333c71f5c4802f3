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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.page import tags
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]
Indexes = npt.NDArray[np.intp]
Range = tuple[int, int]

FEWEST = 5
"""Teasers that make a list."""

# Share of the teasers that have their link in its place, with words and an address as they should.
_MOST = 0.8
# Words of a teaser on average, at most: sections of articles on wcxb-dev have more.
_LONGEST = 120
# Words beside the link, at least; on its other side, at most: a date, the minutes to read.
_FEWEST_WORDS, _BESIDE = 8, 8
# Words of a link around a teaser, at least; of a title; the first of a "Read more".
_WHOLE, _SAME_WORDS = 15, 2
_SHORTEST_TITLE, _LONGEST_TITLE = 2, 30
# Sites that the titles of one list lead to: an article about ten tools leads to ten.
_MOST_HOSTS = 2
# Elements above a link that may be its teaser, tags that make its place, runs of text in it.
_LEVELS, _TAGS, _MOST_TEXTS = 15, 4, 20
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


def find_teasers(page: Page, also: Iterable[int] = ()) -> Teasers:
    """The teasers of all families of links and of elements that react to a click.

    Where the elements of a family are among `also`, the caller knows that they lead on, wherever.
    """
    return _Search(page, frozenset(also)).found()


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
        # Plain numbers for the few texts that are looked at one by one.
        self._words: list[int] = self._before.tolist()
        self._plain: list[int] = self._plain_before.tolist()

    def found(self) -> Teasers:
        page = self._page
        teasers = [place for family in self._families() for place in self._teasers(family)]
        count = len(page.texts) + 1
        first, end = np.array(teasers, np.intp).reshape(-1, 2).T
        depth = np.cumsum(np.bincount(first, minlength=count) - np.bincount(end, minlength=count))
        inside = self._seen & (depth[:-1] > 0)
        words = int(page.texts.words[inside].sum())
        outside = self._seen & ~inside & (page.texts.flags & (tags.IN_LINK | _BESIDE_CONTENT) == 0)
        every = words + int(page.texts.words[outside].sum())
        return Teasers(inside, words, words / max(every, 1))

    # Families

    def _families(self) -> Iterator[list[int]]:
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
        for low, high in limits.checked(pairwise(edges.tolist()), 100):
            family = chosen[order[low:high]]
            if high - low >= FEWEST and self._has_text(family):
                leading = [
                    node for node in limits.checked(family.tolist(), 100) if self._leads_on(node)
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

    def _teasers(self, family: list[int]) -> list[Range]:
        """The texts of each teaser of a family, first and end; none if these are no teasers."""
        page, nodes = self._page, self._page.nodes
        addresses = [page.attribute(node, "href") for node in family if node not in self._also]
        linked = [address for address in addresses if address]
        if len(set(linked)) < _MOST * len(linked):
            return []
        own = [(int(nodes.first_text[node]), int(nodes.end_text[node])) for node in family]
        bounds = [-1, *family, len(nodes)]
        units = [
            self._highest(node, bounds[place], bounds[place + 2])
            for place, node in enumerate(family)
        ]
        around = [(int(nodes.first_text[unit]), int(nodes.end_text[unit])) for unit in units]
        for ranges in (around, self._between(units)):
            if self._are_teasers(own, ranges, linked):
                return ranges
        return []

    def _highest(self, node: int, before: int, after: int) -> int:
        """The highest element around a node that holds neither the node before nor after."""
        nodes = self._page.nodes
        for _ in range(_LEVELS):
            parent = int(nodes.parent[node])
            if parent <= max(before, 1) or nodes.last[parent] >= after:
                break
            node = parent
        return node

    def _between(self, units: list[int]) -> list[Range]:
        """For each element what lies between the one before, in the same parent, and its end."""
        nodes = self._page.nodes
        ranges: list[Range] = []
        before = -1
        for unit in units:
            parent = int(nodes.parent[unit])
            start = int(nodes.first_text[max(parent, 0)])
            if before == parent:
                start = ranges[-1][1]
            ranges.append((start, int(nodes.end_text[unit])))
            before = parent
        return ranges

    def _are_teasers(self, own: list[Range], ranges: list[Range], addresses: list[str]) -> bool:
        """Whether links are around most ranges, or at the end, or at the beginning."""
        words, plain = self._words, self._plain
        least = _MOST * len(ranges)
        if sum(words[end] - words[first] for first, end in ranges) > _LONGEST * len(ranges):
            return False
        whole = more = titled = 0
        for (first, end), (start, stop) in zip(own, ranges, strict=True):
            inside = words[end] - words[first]
            before, after = plain[first] - plain[start], plain[stop] - plain[end]
            whole += inside >= _WHOLE and before + after <= _BESIDE
            title = _SHORTEST_TITLE <= inside <= _LONGEST_TITLE
            more += inside <= _LONGEST_TITLE and before >= _FEWEST_WORDS and after <= _BESIDE
            titled += title and before <= _BESIDE and after >= _FEWEST_WORDS
        if whole >= least:
            return True
        if more >= least:
            # Perhaps with the title behind it: "Read more: Ferry runs again".
            starts = (tuple(self._text(place).split()[:_SAME_WORDS]) for place in own)
            (_, count), *_ = Counter(starts).most_common(1)
            return count >= least
        return titled >= least and self._are_titles(own, least) and _hosts(addresses) <= _MOST_HOSTS

    def _are_titles(self, own: list[Range], least: float) -> bool:
        """Whether links are blocks of their own, with words that differ and are no dates."""
        blocks, texts = self._page.blocks, self._page.texts
        of_links = texts.block[[first for first, _ in own]]
        alone = int((blocks.words[of_links] <= blocks.link_words[of_links] + 1).sum())
        titles = {self._text(place) for place in own}
        titles = {title for title in titles if 4 * sum(map(str.isdigit, title)) < len(title)}
        return alone >= least and len(titles) >= least

    def _text(self, place: Range) -> str:
        first, end = place
        texts = range(first, min(end, first + _MOST_TEXTS))
        return " ".join(self._page.text(text).strip() for text in texts).casefold()


def _hosts(addresses: Sequence[str]) -> int:
    """The number of sites that absolute addresses lead to."""
    parts = (address.strip().lower().partition("//") for address in addresses)
    return len({rest.split("/")[0] for scheme, _, rest in parts if scheme in _SCHEMES and rest})


_SCHEMES = ("", "http:", "https:")
