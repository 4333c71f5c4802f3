"""The elements of a tag list as the blocks of a page: their words, tags and class names.

Debnath et al. (2005) and Fernandes (2021) cut pages at the elements of a list of tags. These nest.
A text belongs to the `innermost` one around it, so that each word of a page is in one block; or
the page is cut by one tag after the other, as the list is `ordered`; or each block is a `whole`
element, with all words below it, and a text is judged by the innermost one.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.methods._base import visible_texts
from tamis.methods._shared.near_blocks import (
    MOST_BLOCKS,
    Bags,
    Neighbours,
    Signatures,
    Similar,
    buckets_of,
)
from tamis.methods._shared.site_method import REFERENCES, spread, unpack_bits
from tamis.model.features.batch import list_ranges
from tamis.model.features.word_hashes import hash_words
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Hashes, Indexes, make_key, mix_hashes
from tamis.page.structure.subtrees import find_nearest
from tamis.page.table import Page

# A code point that no text has, which `hash_words` takes for a word: it stands where a run ends.
_END = "\U0002fffe".encode()
_END_WORD = hash_words(_END)[0]

Numbers: TypeAlias = npt.NDArray[np.signedinteger]

COUNTED = ("img", "a", "li", "input", "script", "object", "embed", "iframe")
"""Elements that the feature vector of Debnath et al. counts."""
_MOST = 1e9  # of anything in a block
NESTINGS = ("innermost", "ordered", "whole")
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
    tag_order: Bags
    """The same tags in page order, if it was asked for."""
    characters: Bags
    """The characters of its text in order, if they were asked for."""
    name: str = ""
    """Of the page."""

    def check(self) -> None:
        bags = (self.tags, self.classes, self.tag_order, self.characters)
        if any(len(bag) != len(self) for bag in bags) or self.counts.shape[:1] != (len(self),):
            raise ValueError("the parts of the blocks have different lengths")
        if self.counts.ndim != 2 or not ((self.counts >= 0) & (self.counts <= _MOST)).all():
            raise ValueError("the counts of the blocks are no counts")

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def keys(self) -> Hashes:
        """The same for blocks that are exactly equal."""
        keys = mix_hashes(mix_hashes(self.words.keys(), self.tags.keys()), self.classes.keys())
        for sequence in (self.tag_order, self.characters):
            if len(sequence.items):
                keys = mix_hashes(keys, sequence.keys(ordered=True))
        return keys

    @cached_property
    def page_key(self) -> int:
        """The same for pages with the same blocks."""
        return make_key(self.keys)

    @cached_property
    def signatures(self) -> Signatures:
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
                shape = mix_hashes(shape, column)
            columns.append(np.where(heavy, shape, self.keys)[:, None])
        return np.concatenate(columns, axis=1)


def site_blocks(
    page: Page,
    names: Sequence[str],
    page_name: str = "",
    *,
    nesting: str = "innermost",
    terms: bool = False,
    tag_order: bool = False,
    characters: bool = False,
) -> SiteBlocks:
    """The blocks of a page; text that is not shown is in none.

    With `terms`, their number is one more of the counts.
    """
    owner = owner_of_nodes(page, names, nesting)
    text, word = text_words(page)
    elements = np.unique(owner[page.texts.node[text]])
    row_of = np.full(len(page.nodes) + 1, -1, np.intp)
    row_of[elements] = np.arange(len(elements))
    of_node, of_text = row_of[owner], row_of[owner[page.texts.node]]
    at, class_name = class_names(page)
    if nesting == "whole":
        first, last = page.nodes.first_text[elements], page.nodes.end_text[elements]
        word_row, words = _items_below(text, first, last)
        node_row, nodes = _items_below(
            np.arange(len(page.nodes)), elements, page.nodes.last[elements] + 1
        )
        class_row, classes = _items_below(at, elements, page.nodes.last[elements] + 1)
    else:
        word_row, words = of_text[text], np.arange(len(text))
        nodes = np.flatnonzero(of_node >= 0)
        classes = np.flatnonzero(of_node[at] >= 0)
        node_row, class_row = of_node[nodes], of_node[at[classes]]
    tag = np.minimum(page.nodes.tag[nodes], len(tags.NAMES))
    number = number_repetitions(node_row * (len(tags.NAMES) + 1) + tag)
    count = len(elements)
    bag = Bags.from_pairs(word_row, word[words], count)
    counts = [np.bincount(node_row[tag == tags.ID[name]], minlength=count) for name in COUNTED]
    nothing = np.zeros(0, np.intp), np.zeros(0, np.uint64)
    order = (node_row, tag.astype(np.uint64)) if tag_order else nothing
    shown = _list_characters(page, of_text) if characters else nothing
    return SiteBlocks(
        of_text,
        bag,
        Bags.from_pairs(node_row, mix_hashes(tag, number), count),
        Bags.from_pairs(class_row, class_name[classes], count),
        np.column_stack([*counts, *([bag.sizes] if terms else [])]).astype(float),
        Bags.from_sequence(*order, count),
        Bags.from_sequence(*shown, count),
        page_name,
    )


def owner_of_nodes(page: Page, names: Sequence[str], nesting: str) -> Indexes:
    if nesting == "ordered":
        return cut_in_order(page, names)
    return find_nearest(page, find_listed(page, names))


def cut_in_order(page: Page, names: Sequence[str]) -> Indexes:
    """The block of each node if a page is cut by one tag after the other, else the root.

    Each tag cuts every piece that there is once, at the outermost of its elements in the piece.
    """
    owner = np.zeros(len(page.nodes), np.intp)
    parent = np.maximum(page.nodes.parent, 0)
    for name in names:
        chosen = find_listed(page, [name])
        above = find_nearest(page, chosen)[parent]
        outermost = chosen & ~(chosen[above] & (owner[above] == owner))
        cut = find_nearest(page, outermost)
        owner = np.where(outermost[cut] & (owner[cut] == owner), cut, owner)
    return owner


def _items_below(sorted_items: Indexes, first: Numbers, end: Numbers) -> tuple[Indexes, Indexes]:
    """For each range of numbers the places of the sorted items that are in it, with its row."""
    begin = np.searchsorted(sorted_items, first)
    sizes = np.searchsorted(sorted_items, end) - begin
    return np.repeat(np.arange(len(first)), sizes), list_ranges(begin, sizes)


def _list_characters(page: Page, of_text: Indexes) -> tuple[Indexes, Hashes]:
    """Pairs of a block and a character of its text, white space as one blank."""
    texts: dict[int, list[str]] = {}
    for text in np.flatnonzero(visible_texts(page) & (of_text >= 0)).tolist():
        texts.setdefault(int(of_text[text]), []).append(page.text(text))
    strings = [" ".join(" ".join(pieces).split()) for pieces in texts.values()]
    code = np.frombuffer("".join(strings).encode("utf-32-le", "replace"), "<u4").astype(np.uint64)
    return np.repeat(np.array(list(texts), np.intp), list(map(len, strings))), code


def join_blocks(blocks: Sequence[SiteBlocks], rows: Indexes) -> SiteBlocks:
    """The blocks of some pages one after the other, then some of these; they have no texts."""
    width = blocks[0].counts.shape[1] if blocks else 0
    counts = [np.zeros((0, width)), *(part.counts for part in blocks)]
    return SiteBlocks(
        np.zeros(0, np.intp),
        Bags.join_rows([part.words for part in blocks]).take(rows),
        Bags.join_rows([part.tags for part in blocks]).take(rows),
        Bags.join_rows([part.classes for part in blocks]).take(rows),
        np.concatenate(counts)[rows],
        Bags.join_rows([part.tag_order for part in blocks]).take(rows),
        Bags.join_rows([part.characters for part in blocks]).take(rows),
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
    def from_readings(
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
                    blocks = join_blocks([blocks], np.arange(MOST_BLOCKS))
                kept.append(blocks)
        neighbours = Neighbours.from_keys(
            list(keys.values()),
            [blocks.keys for blocks in kept],
            [buckets(blocks) for blocks in kept],
            share,
        )
        rows = join_blocks(kept, neighbours.rows)
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
        on = unpack_bits(on_pages, len(self.names))
        return np.maximum(pages + new, 1), self.neighbours.pages + new, on

    @property
    def page_count(self) -> int:
        return self.neighbours.pages

    def check(self) -> None:
        if len(self.blocks) != len(self.neighbours.rows):
            raise ValueError("the blocks are not those that are compared")
        if len(self.pages) != self.neighbours.pages:
            raise ValueError("the pages are not those that were counted")
        if len(self.names) != self.neighbours.references:
            raise ValueError("the names are not those of the pages that are compared")
        if not (self.blocks.words.sizes > 0).all() or not (self.blocks.tags.sizes > 0).all():
            raise ValueError("a block has no words or no tags")


def find_listed(page: Page, names: Sequence[str]) -> Flags:
    return np.isin(page.nodes.tag, [tags.ID[name] for name in names])


def text_words(page: Page) -> tuple[Indexes, Hashes]:
    """Pairs of a text that is shown and a word of it, in page order.

    In scripts without spaces single characters say little: two neighbours are a word.
    """
    texts = page.texts
    shown = np.flatnonzero(visible_texts(page))
    spans = zip(texts.start[shown].tolist(), texts.end[shown].tolist(), strict=True)
    pieces = [page.source[start:end] for start, end in spans]
    if _END in page.source:
        pieces = [piece.replace(_END, b"") for piece in pieces]
    words = hash_words(_END.join(pieces))
    border = words == _END_WORD
    text = shown[np.cumsum(border)[~border]] if len(shown) else np.zeros(0, np.intp)
    words = words[~border]
    if texts.unspaced.any():
        paired = (texts.unspaced[text] > 0)[:-1] & (text[1:] == text[:-1])
        words[:-1][paired] = mix_hashes(words[:-1][paired], words[1:][paired])
    return text, words


def class_names(page: Page) -> tuple[Indexes, Hashes]:
    rows = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID["class"])
    node = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    starts, ends = page.attribute_rows[1:, rows].tolist()
    values = [page.source[a:b].split() for a, b in zip(starts, ends, strict=True)]
    hashes = [zlib.crc32(name) for names in values for name in names]
    return np.repeat(node, list(map(len, values))), np.array(hashes, np.uint64)


def number_repetitions(keys: npt.NDArray[np.intp]) -> Indexes:
    """For each key how often it was there before."""
    order = np.argsort(keys, kind="stable")
    new = np.ones(len(keys), bool)
    new[1:] = keys[order][1:] != keys[order][:-1]
    result = np.empty(len(keys), np.intp)
    result[order] = np.arange(len(keys)) - np.flatnonzero(new)[np.cumsum(new) - 1]
    return result
