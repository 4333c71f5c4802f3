"""The elements of a tag list as the blocks of a page: their words, tags and class names.

Debnath et al. (2005) and Fernandes (2021) cut pages at the elements of a list of tags. These nest;
a text belongs to the innermost one around it, so that each word of a page is in one block.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.methods._base import Flags, Floats, Indexes
from tamis.methods._shared.neighbours import (
    MOST_BLOCKS,
    Bags,
    Neighbours,
    Signatures,
    Similar,
    buckets_of,
)
from tamis.methods._shared.repetition import REFERENCES, flags_of, spread
from tamis.model.features.words import words_of
from tamis.page import tags
from tamis.page.hashes import Hashes, key_of, mixed
from tamis.page.subtree import nearest
from tamis.page.table import Page

# A code point that no text has, which `words_of` takes for a word: it stands where a run ends.
_END = "\U0002fffe".encode()
_END_WORD = words_of(_END)[0]

_COUNTED = ("img", "a", "li", "input", "script", "object", "embed", "iframe")
"""Elements that the feature vector of Debnath et al. counts."""
# Proportions of these counts are rounded in so many steps: what one separates, another may not.
_STEPS = (1, 2, 3)


@dataclass(frozen=True, eq=False)
class SiteBlocks:
    """The elements of a tag list that have words, one row each."""

    of_text: Indexes
    """The row that each text of the page belongs to, -1 for none."""
    words: Bags
    tags: Bags
    """The tags of its elements, a repeated one with its number."""
    classes: Bags
    """Class names of its elements."""
    counts: Floats
    """Images, links, items, controls, scripts and embedded things in it, one column each."""
    name: str = ""
    """Of the page."""

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def keys(self) -> Hashes:
        """The same for blocks that are exactly equal."""
        return mixed(mixed(self.words.keys(), self.tags.keys()), self.classes.keys())

    @cached_property
    def page_key(self) -> int:
        """The same for pages with the same blocks."""
        return key_of(self.keys)

    @cached_property
    def signatures(self) -> Signatures:
        """The MinHash signatures of the words."""
        return self.words.signatures()

    @cached_property
    def word_buckets(self) -> Hashes:
        """Buckets in which blocks with many words in common meet."""
        return buckets_of(self.signatures)

    @cached_property
    def shape_buckets(self) -> Hashes:
        """The same, and some for blocks whose counts outweigh their words, by proportions."""
        share = self.counts / np.maximum(self.counts.max(axis=1, initial=0), 1)[:, None]
        heavy = 2 * (self.counts**2).sum(axis=1) > self.words.sizes
        columns = [self.word_buckets]
        for steps in _STEPS:
            shape = np.full(len(self), steps, np.uint64)
            for column in np.rint(steps * share).astype(np.uint64).T:
                shape = mixed(shape, column)
            columns.append(np.where(heavy, shape, self.keys)[:, None])
        return np.concatenate(columns, axis=1)


def site_blocks(page: Page, names: Sequence[str], name: str = "") -> SiteBlocks:
    """The blocks of a page; text that is not shown is in none."""
    owner = nearest(page, listed(page, names))
    text, word = text_words(page)
    node = owner[page.texts.node[text]]
    elements, rows = np.unique(node, return_inverse=True)
    row_of = np.full(len(page.nodes) + 1, -1, np.intp)
    row_of[elements] = np.arange(len(elements))
    of_node = row_of[owner]
    inside = np.flatnonzero(of_node >= 0)
    row, tag = of_node[inside], np.minimum(page.nodes.tag[inside], len(tags.NAMES))
    number = repetition(row * (len(tags.NAMES) + 1) + tag)
    counts = np.zeros((len(elements), len(_COUNTED)))
    for column, counted in enumerate(_COUNTED):
        counts[:, column] = np.bincount(row[tag == tags.ID[counted]], minlength=len(elements))
    at, name_hash = class_names(page)
    named = of_node[at] >= 0
    return SiteBlocks(
        of_node[page.texts.node],
        Bags.of(rows, word, len(elements)),
        Bags.of(row, mixed(tag, number), len(elements)),
        Bags.of(of_node[at[named]], name_hash[named], len(elements)),
        counts,
        name,
    )


def joined(blocks: Sequence[SiteBlocks], rows: Indexes) -> SiteBlocks:
    """The blocks of some pages one after the other, then some of these; they have no texts."""
    width = len(_COUNTED)
    return SiteBlocks(
        np.zeros(0, np.intp),
        Bags.joined([part.words for part in blocks]).take(rows),
        Bags.joined([part.tags for part in blocks]).take(rows),
        Bags.joined([part.classes for part in blocks]).take(rows),
        np.concatenate([np.zeros((0, width)), *(part.counts for part in blocks)])[rows],
    )


Buckets: TypeAlias = Callable[[SiteBlocks], Hashes]
"""The buckets of blocks, one column each."""


@dataclass(frozen=True, eq=False)
class SiteIndex:
    """The blocks of the pages of a site, to find those that repeat."""

    neighbours: Neighbours
    blocks: SiteBlocks
    """The rows of `neighbours`."""
    pages: frozenset[int]
    """Keys of the pages."""
    exhaustive: bool
    """Whether all pairs are compared."""
    names: tuple[str, ...]
    """Of the pages whose blocks are compared."""

    @classmethod
    def of(
        cls,
        pages: Iterable[SiteBlocks],
        count: int,
        buckets: Buckets,
        *,
        share: float,
        exhaustive: bool,
    ) -> SiteIndex:
        """From the blocks of so many pages. The same page twice counts once.

        What is similar on this share of the pages must be found.
        """
        chosen = set(spread(count, REFERENCES))
        keys: dict[int, Hashes] = {}
        kept: list[SiteBlocks] = []
        names: list[str] = []
        for number, blocks in enumerate(pages):
            if blocks.page_key in keys:
                continue
            keys[blocks.page_key] = blocks.keys
            if number in chosen or exhaustive:
                names.append(blocks.name or f"page {number + 1}")
                if len(blocks) > MOST_BLOCKS:
                    blocks = joined([blocks], np.arange(MOST_BLOCKS))
                kept.append(blocks)
        neighbours = Neighbours.of(
            list(keys.values()),
            [blocks.keys for blocks in kept],
            [buckets(blocks) for blocks in kept],
            share,
        )
        rows = joined(kept, neighbours.rows)
        return cls(neighbours, rows, frozenset(keys), exhaustive, tuple(names))

    def similar_pages(
        self, blocks: SiteBlocks, buckets: Buckets, similar: Similar
    ) -> tuple[Floats, int, Flags]:
        """For each block of a page the number of pages with a similar one, and of all pages.

        The page itself counts in both, whether it is one of the learned ones or not. And which of
        the named pages have a similar one.
        """
        pages, on_pages = self.neighbours.similar_pages(
            blocks.keys, buckets(blocks), similar, exhaustive=self.exhaustive
        )
        new = blocks.page_key not in self.pages
        on = flags_of(on_pages, len(self.names))
        return np.maximum(pages + new, 1), self.neighbours.pages + new, on

    @property
    def page_count(self) -> int:
        """Different pages."""
        return self.neighbours.pages


def listed(page: Page, names: Sequence[str]) -> Flags:
    """Which nodes are elements of a tag list."""
    return np.isin(page.nodes.tag, [tags.ID[name] for name in names])


def text_words(page: Page) -> tuple[Indexes, Hashes]:
    """Pairs of a text that is shown and a word of it, in page order.

    In scripts without spaces single characters say little: two neighbours are a word.
    """
    texts = page.texts
    shown = np.flatnonzero(texts.flags & tags.HIDDEN == 0)
    spans = zip(texts.start[shown].tolist(), texts.end[shown].tolist(), strict=True)
    pieces = [page.source[start:end] for start, end in spans]
    if _END in page.source:
        pieces = [piece.replace(_END, b"") for piece in pieces]
    words = words_of(_END.join(pieces))
    border = words == _END_WORD
    text = shown[np.cumsum(border)[~border]] if len(shown) else np.zeros(0, np.intp)
    words = words[~border]
    if texts.unspaced.any():
        paired = (texts.unspaced[text] > 0)[:-1] & (text[1:] == text[:-1])
        words[:-1][paired] = mixed(words[:-1][paired], words[1:][paired])
    return text, words


def class_names(page: Page) -> tuple[Indexes, Hashes]:
    """Pairs of a node and a class name."""
    rows = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID["class"])
    node = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    starts, ends = page.attribute_rows[1:, rows].tolist()
    values = [page.source[a:b].split() for a, b in zip(starts, ends, strict=True)]
    hashes = [zlib.crc32(name) for names in values for name in names]
    return np.repeat(node, list(map(len, values))), np.array(hashes, np.uint64)


def repetition(keys: npt.NDArray[np.intp]) -> Indexes:
    """For each key how often it was there before."""
    order = np.argsort(keys, kind="stable")
    new = np.ones(len(keys), bool)
    new[1:] = keys[order][1:] != keys[order][:-1]
    result = np.empty(len(keys), np.intp)
    result[order] = np.arange(len(keys)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    return result
