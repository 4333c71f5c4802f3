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

from tamis._runtime import limits
from tamis.methods._base import Floats, Indexes, Scores, Unit, kept_share
from tamis.methods._shared.arrays import check_rising
from tamis.methods._shared.leaves import LeafRules
from tamis.methods._shared.repetition import (
    REFERENCES,
    PageNames,
    Repetition,
    check_bits,
    flags_of,
    longest_text,
)
from tamis.methods._shared.site import SiteMethod, border_of, by_pages
from tamis.page.hashes import Hashes, find, key_of
from tamis.page.table import Page

_DIGITS_EQUAL = bytes.maketrans(b"123456789", b"000000000")


@dataclass(frozen=True, eq=False)
class Leaves:
    """The leaves of a page."""

    texts: Hashes
    """One hash per text."""
    name: str = ""
    """Of the page."""


@dataclass(frozen=True, eq=False)
class LeafCounts:
    """The leaves of some pages, and on how many pages each is."""

    texts: Hashes
    """Sorted."""
    counts: Indexes
    on_pages: Hashes
    """One bit per page with a name."""
    names: tuple[str, ...]
    """Of some of the pages."""
    pages: frozenset[int]
    """Keys of the pages."""

    @classmethod
    def of(cls, pages: Iterable[Leaves], count: int) -> LeafCounts:
        """Count the leaves of so many pages; the same page twice counts once."""
        named = PageNames(count)
        different: dict[int, Hashes] = {}
        bits = [np.zeros((0, REFERENCES // 64), np.uint64)]
        for number, page in enumerate(pages):
            if (key := key_of(page.texts)) in different:
                continue
            texts = different[key] = np.unique(page.texts)
            bits.append(np.tile(named.bits(number, page.name), (len(texts), 1)))
        every = np.concatenate([np.zeros(0, np.uint64), *different.values()])
        texts, place, counts = np.unique(every, return_inverse=True, return_counts=True)
        on_pages = np.zeros((len(texts), REFERENCES // 64), np.uint64)
        np.bitwise_or.at(on_pages, place, np.concatenate(bits))
        return cls(texts, counts, on_pages, tuple(named.names), frozenset(different))

    @property
    def page_count(self) -> int:
        """Different pages."""
        return len(self.pages)

    def check(self) -> None:
        """Refuse counts of which none can be looked up."""
        check_rising(self.texts, "the texts of the leaves")
        check_bits(self.on_pages, len(self.texts), self.names)
        in_range = (self.counts >= 1) & (self.counts <= len(self.pages))
        if self.counts.shape != self.texts.shape or not in_range.all():
            raise ValueError("a leaf is on more pages than there are")


@dataclass(frozen=True)
class XpathSite(LeafRules, SiteMethod):
    """Leaves whose block is not mostly links and whose text is not on a fifth of the pages."""

    share: float = 0.2
    """Share of the pages from which on a leaf is noise."""

    learned: ClassVar[LeafCounts | None] = None
    measure: ClassVar[str] = "share of the pages"
    reading: ClassVar[type[Any]] = Leaves
    knowledge: ClassVar[type[Any]] = LeafCounts

    def score(self, page: Page) -> Scores:
        """The share of each block's characters in content leaves, less where others have them."""
        pages, count = self._pages(page)
        sure = by_pages(pages, border_of(self.share, count))
        if not len(pages):
            return np.zeros(len(page.blocks))
        return kept_share(page, sure * self.content_leaves(page, noise=sure < 0.5))

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The leaves, with the pages that have each."""
        pages, count = self._pages(page)
        noise = by_pages(pages, border_of(self.share, count)) < 0.5
        more: dict[str, list[float | str]] = {"pages": pages.tolist()}
        return self._list_leaves(page, self.measured(page, noise), more)

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
        """The share of the pages that the longest text of each block is on."""
        known: LeafCounts = self.known
        pages, count = self._pages(page)
        text = longest_text(page)
        own = np.append(pages, 1.0)[text]
        at, there = find(known.texts, self.read(page).texts)
        bits = np.zeros((len(there) + 1, known.on_pages.shape[1]), np.uint64)  # the last: no text
        bits[:-1][there] = known.on_pages[at[there]]
        return Repetition(
            measure=self.measure,
            values=np.where(text >= 0, own / count, np.nan),
            border=border_of(self.share, count) / count,
            pages=np.maximum(own, 1.0),
            all_pages=count,
            on=flags_of(bits[text], len(known.names)),
            names=known.names,
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
        hashes = [_hash(page.source[start:end]) for start, end in limits.checked(spans)]
        return Leaves(np.array(hashes, np.uint64), url or "")

    def _learn(self, readings: Iterable[Leaves], count: int) -> LeafCounts:
        return LeafCounts.of(readings, count)


def _hash(text: bytes) -> int:
    words = b" ".join(text.translate(_DIGITS_EQUAL).split())
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "big")
