"""XPath blocks of a site: as xpath_blocks, and what many pages of the site say is noise.

Thanadechteemapat and Fung saw that the noise which their rules leave is the same on all pages of a
template, and wrote that it can be found by comparing the pages: their future work.

Our reading: leaves are compared by their text, white space and digits aside. A leaf that stands
on a fifth of the pages or more, and on two at least, is not content; the page itself counts among
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
from tamis.methods._base import Scores, Unit, kept_share
from tamis.methods._shared.leaves import LeafRules
from tamis.methods._shared.site_method import (
    PageNames,
    Repetition,
    SiteMethod,
    border_of,
    check_bits,
    longest_texts,
    no_bits,
    score_by_pages,
    unpack_bits,
)
from tamis.page.arrays import Flags, Floats, Hashes, Indexes, check_rising, look_up, make_key
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
    def from_readings(cls, pages: Iterable[Leaves], count: int) -> LeafCounts:
        """Count the leaves of so many pages; the same page twice counts once."""
        named = PageNames(count)
        different: dict[int, Hashes] = {}
        bits = [no_bits(0)]
        for number, page in enumerate(pages):
            if (key := make_key(page.texts)) in different:
                continue
            texts = different[key] = np.unique(page.texts)
            bits.append(np.tile(named.add(number, page.name), (len(texts), 1)))
        every = np.concatenate([np.zeros(0, np.uint64), *different.values()])
        texts, place, counts = np.unique(every, return_inverse=True, return_counts=True)
        on_pages = no_bits(len(texts))
        np.bitwise_or.at(on_pages, place, np.concatenate(bits))
        return cls(texts, counts, on_pages, tuple(named.names), frozenset(different))

    @property
    def page_count(self) -> int:
        return len(self.pages)

    def check(self) -> None:
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

    measure: ClassVar[str] = "share of the pages"
    reading: ClassVar[type[Any]] = Leaves
    knowledge: ClassVar[type[Any]] = LeafCounts

    def score(self, page: Page) -> Scores:
        """The share of each block's characters in content leaves, less where others have them."""
        if not len(page.texts):
            return np.zeros(len(page.blocks))
        pages, count = self._count_pages(page)
        sure = score_by_pages(pages, border_of(self.share, count))
        return kept_share(page, sure * self.measure_leaves(page).kept)

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The leaves, with the pages that have each."""
        return self._list_leaves(page, {"pages": self._count_pages(page)[0].tolist()})

    def _find_noise(self, page: Page) -> Flags:
        pages, count = self._count_pages(page)
        noise: Flags = score_by_pages(pages, border_of(self.share, count)) < 0.5
        return noise

    def _count_pages(self, page: Page) -> tuple[Floats, int]:
        """On how many pages each text is, and of how many."""
        known: LeafCounts = self.known
        texts = self.read(page).texts
        new = make_key(texts) not in known.pages
        return new + look_up(known.texts, known.counts, texts).astype(float), known.page_count + new

    def repetition(self, page: Page) -> Repetition:
        """The share of the pages that the longest text of each block is on."""
        known: LeafCounts = self.known
        pages, count = self._count_pages(page)
        text = longest_texts(page)
        own = np.append(pages, 1.0)[text]
        bits = look_up(known.texts, known.on_pages, self.read(page).texts)
        return Repetition(
            measure=self.measure,
            values=np.where(text >= 0, own / count, np.nan),
            border=border_of(self.share, count) / count,
            pages=np.maximum(own, 1.0),
            all_pages=count,
            on=unpack_bits(np.concatenate((bits, no_bits(1)))[text], len(known.names)),
            names=known.names,
        )

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        """The pages that share it, then what the rules say of its longest leaf."""
        shared = SiteMethod.because(self, page, blocks)
        rules = LeafRules.because(self, page, blocks)
        return [f"{first} {second}" for first, second in zip(shared, rules, strict=True)]

    def read(self, page: Page, url: str | None = None) -> Leaves:
        spans = zip(page.texts.start.tolist(), page.texts.end.tolist(), strict=True)
        hashes = [_hash_words(page.source[start:end]) for start, end in limits.check_each(spans)]
        return Leaves(np.array(hashes, np.uint64), url or "")


def _hash_words(text: bytes) -> int:
    words = b" ".join(text.translate(_DIGITS_EQUAL).split())
    return int.from_bytes(blake2b(words, digest_size=8).digest(), "big")
