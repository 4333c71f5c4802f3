"""XPath blocks of a site: as xpath_blocks, and what many pages of the site say is noise.

Thanadechteemapat and Fung saw that the noise which their rules leave is the same on all pages of a
template, and wrote that it can be found by comparing the pages: their future work.

Our reading: leaves are compared by their text, white space and digits aside. A leaf that stands
on a fifth of the pages or more, and on two at least, is no content; the page itself counts among
the pages. The share is that of X-CEX. The groups of `xpath_blocks` are measured without that
noise.

When it fails: few pages; noise that is not the same on two pages, such as teasers and dates; text
that content shares (bylines, "Photo: Reuters").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

import numpy as np

from tamis import limits
from tamis.methods._base import Floats, Indexes, Scores, kept_share
from tamis.methods._shared.leaves import LeafRules
from tamis.methods._shared.repetition import Repetition, longest_text
from tamis.methods._shared.site import SiteMethod, border_of, by_pages
from tamis.page.hashes import Hashes, find, key_of
from tamis.page.table import Page

_DIGITS_EQUAL = bytes.maketrans(b"123456789", b"000000000")


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves of a page."""

    texts: Hashes
    """One hash per text."""


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """The leaves of some pages, and on how many pages each is."""

    texts: Hashes
    """Sorted."""
    counts: Indexes
    pages: frozenset[int]
    """Keys of the pages."""

    @classmethod
    def of(cls, pages: Iterable[Leaves]) -> LeafCounts:
        """Count the leaves of pages; the same page twice counts once."""
        different = {key_of(page.texts): np.unique(page.texts) for page in pages}
        texts = np.concatenate([np.zeros(0, np.uint64), *different.values()])
        return cls(*np.unique(texts, return_counts=True), frozenset(different))

    @property
    def page_count(self) -> int:
        """Different pages."""
        return len(self.pages)


@dataclass(frozen=True)
class XpathSite(LeafRules, SiteMethod):
    """Leaves whose block is not mostly links and whose text is not on a fifth of the pages."""

    share: float = 0.2
    """Share of the pages from which on a leaf is noise."""

    learned: ClassVar[LeafCounts | None] = None
    reading: ClassVar[type[Any]] = Leaves
    knowledge: ClassVar[type[Any]] = LeafCounts

    def score(self, page: Page) -> Scores:
        """The share of each block's characters in content leaves, less where others have them."""
        pages, count = self._pages(page)
        sure = by_pages(pages, border_of(self.share, count))
        if not len(pages):
            return np.zeros(len(page.blocks))
        return kept_share(page, sure * self.content_leaves(page, noise=sure < 0.5))

    def _pages(self, page: Page) -> tuple[Floats, int]:
        """On how many pages each text is, and of how many."""
        known: LeafCounts = self.known
        texts = self.read(page).texts
        new = key_of(texts) not in known.pages
        at, there = find(known.texts, texts)
        pages = np.full(len(texts), float(new))
        pages[there] += known.counts[at[there]]
        return pages, known.page_count + new

    def repetition(self, page: Page) -> Repetition:
        """The share of the pages that the longest text of each block is on; they have no names."""
        pages, count = self._pages(page)
        text = longest_text(page)
        own = np.append(pages, 1.0)[text]
        return Repetition(
            measure="share of the pages",
            values=np.where(text >= 0, own / count, np.nan),
            border=border_of(self.share, count) / count,
            pages=np.maximum(own, 1.0),
            all_pages=count,
            on=np.zeros((len(page.blocks), 0), bool),
            names=(),
        )

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        """The pages that share it, then what the rules say of its longest leaf."""
        pages, count = self._pages(page)
        noise = by_pages(pages, border_of(self.share, count)) < 0.5
        rules = self._sentences(page, blocks, self.measured(page, noise))
        shared = SiteMethod.because(self, page, blocks)
        return [f"{first} {second}" for first, second in zip(shared, rules, strict=True)]

    def read(self, page: Page, url: str | None = None) -> Leaves:
        """The text of each leaf."""
        spans = zip(page.texts.start.tolist(), page.texts.end.tolist(), strict=True)
        return Leaves(
            np.array([_hash(page.source[a:b]) for a, b in limits.checked(spans)], np.uint64)
        )

    def _learn(self, readings: Iterable[Leaves], count: int) -> LeafCounts:
        return LeafCounts.of(readings)


def _hash(text: bytes) -> int:
    words = b" ".join(text.translate(_DIGITS_EQUAL).split())
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "big")
