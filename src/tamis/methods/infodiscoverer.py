"""InfoDiscoverer: a block of words that are all over the site is redundant.

Lin and Ho take the entropy of each term over the pages of a site, 0 for a term of one page and 1
for one that is as frequent on all. The entropy of a block is the mean of its terms'; blocks of high
entropy are redundant, those of low entropy informative.

Our reading: the blocks are the innermost elements of `block_tags` around a text, since the tables
of 2002 are gone. Terms are words; a stop list and a stemmer would tie the method to a language, and
words of every page such as "the" raise the entropy of all blocks equally. A term counts once for
each time it is on a page, also in the mean. The page that is scored is one of the pages, whether
it was fitted or not. The paper searches the threshold for each site; ours, 0.7, is the best of 0.5
to 0.8 on five of the nine sites of big9.

When it fails: long blocks of common words, whose entropy is that of the language; short blocks of
rare words, such as teasers and names; few pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tamis.methods._base import Floats, Scores, kept_share
from tamis.methods._shared.site import SiteMethod, listed_tags
from tamis.methods._shared.site_blocks import listed, text_words
from tamis.page.hashes import Hashes, find, key_of
from tamis.page.subtree import nearest
from tamis.page.table import Page

# Rows that are counted at once: all of a large site in one sort would take more than linear time.
_ROWS = 1 << 18


@dataclass(frozen=True, eq=False)
class PageWords:
    """The words of a page, in order."""

    words: Hashes


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of some pages. The entropy of a term follows from two sums over the pages."""

    terms: Hashes
    """Sorted."""
    sums: Floats
    """Two columns: its frequency f on each page, and f log f."""
    pages: frozenset[int]
    """Keys of the pages."""

    @classmethod
    def of(cls, pages: Iterable[PageWords]) -> Terms:
        """Count the terms of pages; the same page twice counts once."""
        keys: set[int] = set()
        parts = [(np.zeros(0, np.uint64), np.zeros((0, 2)))]
        rows, room = 0, _ROWS
        for page in pages:
            words = page.words
            if (key := key_of(words)) in keys:
                continue
            keys.add(key)
            terms, counts = np.unique(words, return_counts=True)
            parts.append((terms, _sums(counts)))
            rows += len(terms)
            if rows > room:
                parts = [_merged(parts)]
                rows = len(parts[0][0])
                room = max(_ROWS, 2 * rows)
        return cls(*_merged(parts), frozenset(keys))

    @property
    def page_count(self) -> int:
        """Different pages."""
        return len(self.pages)

    def entropies(self, words: Hashes) -> Floats:
        """The entropy of each word of a page over all pages, from 0 to 1."""
        terms, place, counts = np.unique(words, return_inverse=True, return_counts=True)
        new = key_of(words) not in self.pages
        sums = _sums(counts) * new
        at, known = find(self.terms, terms)
        sums[known] += self.sums[at[known]]
        total, logarithms = sums.T
        entropy = np.log(total) - logarithms / total
        most = math.log(max(2, len(self.pages) + new))
        result: Floats = np.clip(entropy / most, 0.0, 1.0)[place]
        return result


@dataclass(frozen=True)
class Infodiscoverer(SiteMethod):
    """What is made of words that are all over the site is redundant."""

    block_tags: str = "table tr td p ul ol div section article aside nav header footer"
    """The elements whose terms are taken together (sec. 3: tables)."""
    threshold: float = 0.7
    """Entropy from which on a block is redundant."""

    citation: ClassVar[str] = (
        "S.-H. Lin, J.-M. Ho: Discovering Informative Content Blocks from Web Documents. KDD 2002."
    )
    learned: ClassVar[Terms | None] = None
    reading: ClassVar[type[Any]] = PageWords
    knowledge: ClassVar[type[Any]] = Terms

    def __post_init__(self) -> None:
        """Refuse unknown elements and a threshold at which nothing is graded."""
        listed_tags(self.block_tags)
        if not 0 < self.threshold < 1:
            raise ValueError(f"threshold is between 0 and 1, not {self.threshold}")

    def score(self, page: Page) -> Scores:
        """1 for words that only this page has, one half at the threshold, 0 if on all equally."""
        text, words = text_words(page)
        entropies = self.known.entropies(words)
        of_text = nearest(page, listed(page, listed_tags(self.block_tags)))[page.texts.node]
        count = len(page.nodes)
        sums = np.bincount(of_text[text], entropies, count)
        entropy = sums / np.maximum(np.bincount(of_text[text], minlength=count), 1)
        below = 1 - entropy / (2 * self.threshold)
        above = (1 - entropy) / (2 * (1 - self.threshold))
        return kept_share(page, np.where(entropy < self.threshold, below, above)[of_text])

    def read(self, page: Page, url: str | None = None) -> PageWords:
        """The words that are shown."""
        return PageWords(text_words(page)[1])

    def _learn(self, readings: Iterable[PageWords], count: int) -> Terms:
        return Terms.of(readings)


def _merged(parts: Sequence[tuple[Hashes, Floats]]) -> tuple[Hashes, Floats]:
    """The sums of each term over all parts."""
    terms, place = np.unique(np.concatenate([terms for terms, _ in parts]), return_inverse=True)
    columns = np.concatenate([sums for _, sums in parts]).T
    return terms, np.column_stack([np.bincount(place, column, len(terms)) for column in columns])


def _sums(counts: npt.NDArray[np.integer]) -> Floats:
    return np.column_stack((counts, counts * np.log(counts)))
