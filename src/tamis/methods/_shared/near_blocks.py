"""Blocks that are nearly the same, on the pages of a site, without comparing all pairs.

Three steps. Blocks that are exactly equal share a key, and the pages of each key are counted. Of
the rest, those with many words in common meet in a bucket: a MinHash signature is a row of numbers
of which two blocks share as large a part as of their words (Broder 1997), and two blocks that
share any of its bands share a bucket. The caller then verifies the pairs by a similarity of its
own. So work grows with the number of blocks, not with its square.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.methods._shared.site_method import REFERENCES
from tamis.model.features.batch import list_ranges
from tamis.page import arrays
from tamis.page.arrays import Flags, Floats, Hashes, Indexes

Signatures: TypeAlias = npt.NDArray[np.uint32]
Similar: TypeAlias = Callable[[Indexes, Indexes], Flags]
"""For pairs of a row that is asked for and a row of `Neighbours.rows`, whether they are similar."""

POSITIONS = 64
"""Numbers of a signature. The share of common words has a standard error of 0.06."""

# Two numbers per band, 16 bands: blocks with a third of their words in common, about the least that
# x_cex may call similar, meet with probability 0.85, those with half of them 0.99. Over the 36
# site-years of big9 that changes the verdict of 0.02% of the blocks. Bands of three would lose
# more with twice as many of them, bands of one bring six times the pairs.
_BANDS, _ROWS = 16, 2

_MULTIPLIERS = np.random.default_rng(1997).integers(2**63, size=POSITIONS, dtype=np.uint64) | 1
_SALTS = _MULTIPLIERS[::-1].copy()

# Of a bucket that has more rows than its limit, one per page is kept, then a second, so that a page
# of 10,000 near rows costs no more than any other. The limit is this many times the pages that make
# a template, so that those can be counted: 32 rows for a share of 20% of 128 pages.
_ROOM = 1.25
_LEAST_ROOM = 32

MOST_BLOCKS = 20_000
"""Blocks of a page that are searched for near ones, the first; of the others equals are counted.

The largest page of our data sets has a tenth.
"""

# Pairs that are verified at once; the arrays for them take some 100 MB.
_PAIRS = 1 << 18


@dataclass(frozen=True, eq=False)
class Bags:
    """One set of hashes per row; or, made by `from_sequence`, a sequence."""

    first: Indexes
    """First item of each row, and the end."""
    items: Hashes
    """Sorted inside a row, each once."""

    @classmethod
    def from_pairs(cls, rows: Indexes, items: Hashes, count: int) -> Bags:
        """From pairs of a row and an item, in any order."""
        order = np.lexsort((items, rows))
        rows, items = rows[order], items[order]
        new = np.ones(len(rows), bool)
        new[1:] = (rows[1:] != rows[:-1]) | (items[1:] != items[:-1])
        rows, items = rows[new], items[new]
        return cls(np.searchsorted(rows, np.arange(count + 1)), items)

    @classmethod
    def from_sequence(cls, rows: Indexes, items: Hashes, count: int) -> Bags:
        """The same, but items stay in the order they come in, those that repeat, too."""
        order = np.argsort(rows, kind="stable")
        return cls(np.searchsorted(rows[order], np.arange(count + 1)), items[order])

    @classmethod
    def join_rows(cls, bags: Sequence[Bags]) -> Bags:
        """The rows of some bags, one after the other."""
        sizes = np.concatenate([np.zeros(1, np.intp), *(part.sizes for part in bags)])
        items = [np.zeros(0, np.uint64), *(part.items for part in bags)]
        return cls(np.cumsum(sizes), np.concatenate(items))

    def check(self) -> None:
        first = self.first
        ends_meet = first.ndim == self.items.ndim == 1 and len(first) and first[0] == 0
        if not ends_meet or first[-1] != len(self.items) or not (np.diff(first) >= 0).all():
            raise ValueError("a table of words or tags has rows that are not there")

    def __len__(self) -> int:
        return len(self.first) - 1

    @property
    def sizes(self) -> Indexes:
        return np.diff(self.first)

    def take(self, rows: Indexes) -> Bags:
        sizes = self.sizes[rows]
        return Bags(
            np.concatenate((np.zeros(1, np.intp), np.cumsum(sizes))),
            self.items[list_ranges(self.first[rows], sizes)],
        )

    def keys(self, *, ordered: bool = False) -> Hashes:
        """A hash of each row, the same for the same items; if `ordered`, in the same order."""
        place = np.arange(len(self.items)) - np.repeat(self.first[:-1], self.sizes)
        with np.errstate(over="ignore"):
            hashes = arrays.mix_hashes(self.items, place if ordered else 0)
            sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(hashes)))
            return arrays.mix_hashes(sums[self.first[1:]] - sums[self.first[:-1]], self.sizes)

    @cached_property
    def placed(self) -> Hashes:
        """What `count_common` looks up: the pairs of row and item as sorted hashes."""
        return np.sort(arrays.mix_hashes(self.items, np.repeat(np.arange(len(self)), self.sizes)))

    def signatures(self) -> Signatures:
        """The MinHash signature of each row. Empty rows have one and the same."""
        result = np.full((len(self), POSITIONS), 0xFFFFFFFF, np.uint32)
        filled = self.sizes > 0
        first = self.first[:-1][filled]
        if len(first):
            with np.errstate(over="ignore"):
                for position in limits.check_each(range(POSITIONS), every=8):
                    hashes = (self.items ^ _SALTS[position]) * _MULTIPLIERS[position]
                    least = np.minimum.reduceat(hashes >> np.uint64(32), first)
                    result[filled, position] = least
        return result


def count_common(bags: Bags, mine: Indexes, reference: Bags, theirs: Indexes) -> Indexes:
    """For pairs of a row of `bags` and a row of `reference`, the number of their common items."""
    counts = bags.sizes[mine]
    items = bags.items[list_ranges(bags.first[mine], counts)]
    pair = np.repeat(np.arange(len(mine)), counts)
    _, known = arrays.find_hashes(reference.placed, arrays.mix_hashes(items, theirs[pair]))
    return np.bincount(pair[known], minlength=len(mine))


def buckets_of(signatures: Signatures) -> Hashes:
    bands = signatures[:, : _BANDS * _ROWS].astype(np.uint64).reshape(-1, _BANDS, _ROWS)
    return arrays.mix_hashes(bands[:, :, 0] << np.uint64(32) | bands[:, :, 1], np.arange(_BANDS))


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The blocks of some pages: on how many of them is a block similar to another?"""

    pages: int
    keys: Hashes
    """Exact keys of the blocks of all pages, sorted."""
    counts: Indexes
    """Pages that have each key."""
    rows: Indexes
    """Rows of the blocks of `references`, put one after the other, without repetitions."""
    row_keys: Hashes
    """Their keys."""
    on_pages: Hashes
    """For each of them one bit per page of `references`, 64 per column."""
    buckets: Hashes
    """Buckets of these rows, sorted."""
    bucket_rows: Indexes
    """The row that is in it."""
    references: int
    """Number of pages with rows."""
    room: int
    """Rows of a bucket at most."""

    @classmethod
    def from_keys(
        cls,
        keys: Sequence[Hashes],
        searched: Sequence[Hashes],
        buckets: Sequence[Hashes],
        share: float,
    ) -> Neighbours:
        """From the keys of the blocks of all pages, and keys and buckets of those to search.

        What is on this share of the pages must be counted; what is on more may be on any number.
        """
        counted, counts = np.unique(_join_hashes(list(map(np.unique, keys))), return_counts=True)
        page = np.repeat(np.arange(len(searched)), list(map(len, searched)))
        row_keys, rows, kind = np.unique(
            _join_hashes(searched), return_index=True, return_inverse=True
        )
        on_pages = np.zeros((len(rows), len(searched) // 64 + 1), np.uint64)
        bit = np.uint64(1) << (page % 64).astype(np.uint64)
        np.bitwise_or.at(on_pages, (kind, page // 64), bit)
        own = np.concatenate(buckets)[rows] if buckets else np.zeros((0, 1), np.uint64)
        room = max(_LEAST_ROOM, math.ceil(_ROOM * share * REFERENCES))
        rows_and_buckets = rows, row_keys, on_pages, *_fill_buckets(own, page[rows], room)
        return cls(len(keys), counted, counts, *rows_and_buckets, len(searched), room)

    def check(self) -> None:
        arrays.check_rising(self.keys, "the keys of the blocks")
        arrays.check_rising(self.row_keys, "the keys of the rows")
        rows = len(self.row_keys)
        if self.counts.shape != self.keys.shape or self.rows.shape != (rows,):
            raise ValueError("the counts of the blocks have another shape")
        if not (self.counts >= 1).all() or not (self.counts <= self.pages).all():
            raise ValueError("a block is on more pages than there are")
        columns = self.references // 64 + 1
        if self.references < (rows > 0) or self.on_pages.shape != (rows, columns):
            raise ValueError("the pages of the blocks have another shape")
        if self.buckets.ndim != 1 or self.bucket_rows.shape != self.buckets.shape:
            raise ValueError("the buckets have another shape")
        if not (self.buckets[1:] >= self.buckets[:-1]).all():
            raise ValueError("the buckets are not in order")
        if not ((self.bucket_rows >= 0) & (self.bucket_rows < rows)).all():
            raise ValueError("a bucket has a row that is not there")
        begins = np.flatnonzero(np.diff(self.buckets, prepend=~self.buckets[:1]))
        sizes = np.diff(begins, append=len(self.buckets))
        if not 1 <= self.room <= _ROOM * REFERENCES or (sizes > self.room).any():
            raise ValueError("a bucket is larger than it may be")

    def similar_pages(
        self, keys: Hashes, buckets: Hashes, similar: Similar, *, exhaustive: bool = False
    ) -> tuple[Floats, Hashes]:
        """For each block that is asked for the number of pages with a similar block.

        And which of `references` these are, as in `on_pages`. With `exhaustive`, all pairs are
        verified: the reference that the buckets are measured by.
        """
        if not len(self.keys) or not len(keys):
            return np.zeros(len(keys)), np.zeros((len(keys), self.on_pages.shape[1]), np.uint64)
        asked_keys, asked, kind = np.unique(keys, return_index=True, return_inverse=True)
        pages = arrays.look_up(self.keys, self.counts, asked_keys).astype(float)
        on_pages = arrays.look_up(self.row_keys, self.on_pages, asked_keys)
        near = np.flatnonzero(asked < MOST_BLOCKS)
        most_pairs = len(self.rows) if exhaustive else buckets.shape[1] * self.room
        step = max(1, _PAIRS // most_pairs)
        for begin in range(0, len(near), step):
            limits.check()
            part = near[begin : begin + step]
            if exhaustive:
                pair, row = np.divmod(np.arange(len(part) * len(self.rows)), len(self.rows))
            else:
                pair, row = self._find_candidates(buckets[asked[part]])
            verified = asked_keys[part[pair]] == self.row_keys[row]
            unequal = np.flatnonzero(~verified)
            verified[unequal] = similar(asked[part[pair[unequal]]], row[unequal])
            pair, row = pair[verified], row[verified]
            first = np.flatnonzero(np.diff(pair, prepend=-1))
            if len(first):
                union = np.bitwise_or.reduceat(self.on_pages[row], first, axis=0)
                count = np.unpackbits(union.view(np.uint8), axis=1).sum(axis=1)
                place = part[pair[first]]
                pages[place] = np.maximum(pages[place], count * (self.pages / self.references))
                on_pages[place] |= union
        return pages[kind], on_pages[kind]

    def _find_candidates(self, buckets: Hashes) -> tuple[Indexes, Indexes]:
        """Pairs of a row of `buckets` and one of ours that share a bucket, each once, in order."""
        first = np.searchsorted(self.buckets, buckets)
        counts = np.searchsorted(self.buckets, buckets, side="right") - first
        asked = np.repeat(np.arange(len(buckets)), counts.sum(axis=1))
        row = self.bucket_rows[list_ranges(first.ravel(), counts.ravel())]
        pairs = np.unique(asked * max(len(self.rows), 1) + row)
        return pairs // max(len(self.rows), 1), pairs % max(len(self.rows), 1)


def _fill_buckets(own: Hashes, page: Indexes, room: int) -> tuple[Hashes, Indexes]:
    buckets = own.ravel()
    row = np.repeat(np.arange(len(own)), own.shape[1])
    order = np.lexsort((page[row], buckets))
    buckets, row = buckets[order], row[order]
    new = np.diff(buckets, prepend=~buckets[:1]) != 0
    on_page = new | (np.diff(page[row], prepend=-1) != 0)
    turn = np.arange(len(row)) - np.flatnonzero(on_page)[np.cumsum(on_page) - 1]
    order = np.lexsort((turn, buckets))
    place = np.arange(len(row)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    kept = order[place < room]
    return buckets[kept], row[kept]


def _join_hashes(hashes: Sequence[Hashes]) -> Hashes:
    return np.concatenate([np.zeros(0, np.uint64), *hashes])
