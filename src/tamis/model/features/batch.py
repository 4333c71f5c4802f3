"""Several pages as one table, so that a feature is computed for many pages in one pass.

One page is a batch of one, and its columns are the page's own. The columns of more are put one
after the other, with numbers of nodes, texts and blocks that count through. What is next to a
block never lies in another page, and what is summed is of whole numbers, which are exact: so each
page has the same features in every batch, bit for bit.

A batch also keeps what several groups of features need; it is computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.model.features import sequence, walk, words
from tamis.model.features.declared import DeclaredWords, declared
from tamis.page import tags
from tamis.page.table import Blocks, Nodes, Page, Texts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intc]
Indexes = npt.NDArray[np.intp]
Hashes = npt.NDArray[np.uint64]
Matrix = npt.NDArray[np.float32]
Rows = TypeVar("Rows", Nodes, Texts, Blocks)

UNLISTED = len(tags.NAMES)
"""The tag of all elements that are not in `tags.NAMES`."""


def tag_table(*names: str) -> npt.NDArray[np.intc]:
    """For each tag, `UNLISTED` too, the place of the list that has it, from 0, or -1."""
    table = np.full(UNLISTED + 1, -1, np.intc)
    for place, listed in enumerate(names):
        table[[tags.ID[name] for name in listed.split()]] = place
    return table


KINDS = {
    "links": "a",
    "paragraphs": "p",
    "images": "img picture svg video",
    "items": "li dt dd",
    "headings": "h1 h2 h3 h4 h5 h6",
    "controls": "input button select textarea",
    "cells": "td th",
    "sections": "div section article",
}
"""Kinds of elements that are counted."""
_KIND_OF_TAG = tag_table(*KINDS.values())
_HEADING_LEVEL = tag_table(*"h1 h2 h3 h4 h5 h6".split()).astype(float) + 1

# Ancestors of a block that are looked at, from the block up and from the root down.
NEAR_LEVELS = 4
FAR_LEVELS = 3

# Columns of `Batch.sums`; `sequence` numbers them.
SUMMED = (
    "words",
    "link words",
    "punctuation",
    "blocks",
    "words outside of links in long blocks",
    "headings",
    "words in good blocks: few links, some punctuation",
    "hidden words",
    "text mass: punctuation, and words outside of links of blocks with few links and punctuation",
)


@dataclass(frozen=True, eq=False)
class Tree:
    """What follows from the trees of the pages. All arrays have a row a node unless said."""

    first: Ints
    """First block at or below the node."""
    end: Ints
    """One past the last."""
    up: Ints
    """Nearest ancestor that holds more blocks, or the root."""
    level: Ints
    """How often the number of blocks changes on the way from the root."""
    around: Ints
    """A row a block: its ancestors, see `walk.levels`."""
    plain_way: Hashes
    """The way from the root by tags."""
    named_way: Hashes
    """The way from the root by tags, classes and ids."""
    alike: Hashes
    """The same for siblings with the same tag, classes and ids."""
    token_node: Ints
    """Tokens of names: their nodes."""
    token: Hashes
    """Tokens of names: their hashes."""


@dataclass(frozen=True, eq=False)
class Containers:
    """The elements by the text they collect, as Readability scores its candidates."""

    best_score: Floats
    """The score of the best element of each page, in words."""
    columns: Floats
    """The columns of `around.containers`."""


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of each block beside what its page declares, see `words.wording`."""

    counts: Floats
    """Words, of them in the title; pairs, of them in the description and in the data."""
    text: Hashes
    """The same for blocks of a page with the same words."""
    edges: Ints
    """Code points of the first and the last character."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Pages as one table; make it with `Batch.of`."""

    pages: tuple[Page, ...]
    nodes: Nodes
    texts: Texts
    blocks: Blocks
    first_node: npt.NDArray[np.int64]
    """First node of each page, and the end."""
    first_block: npt.NDArray[np.int64]
    """First block of each page, and the end."""

    @classmethod
    def of(cls, pages: Iterable[Page]) -> Batch:
        """These pages as one table."""
        pages = tuple(pages)
        if len(pages) == 1:
            page = pages[0]
            return cls(
                pages,
                page.nodes,
                page.texts,
                page.blocks,
                np.array((0, len(page.nodes)), np.int64),
                np.array((0, len(page.blocks)), np.int64),
            )
        first_node = _firsts([len(page.nodes) for page in pages])
        first_text = _firsts([len(page.texts) for page in pages])
        first_block = _firsts([len(page.blocks) for page in pages])
        shifts = {"node": first_node, "text": first_text, "block": first_block}
        return cls(
            pages,
            _joined(
                Nodes,
                [page.nodes for page in pages],
                shifts,
                {"parent": "node", "last": "node", "first_text": "text", "end_text": "text"},
            ),
            _joined(
                Texts, [page.texts for page in pages], shifts, {"node": "node", "block": "block"}
            ),
            _joined(
                Blocks,
                [page.blocks for page in pages],
                shifts,
                {"node": "node", "first_text": "text", "end_text": "text"},
            ),
            first_node,
            first_block,
        )

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.blocks)

    # Places

    @cached_property
    def page(self) -> Indexes:
        """The page of each block."""
        return np.repeat(np.arange(len(self.pages)), np.diff(self.first_block))

    # Counts

    @cached_property
    def link_density(self) -> Floats:
        """Share of the words of each block that are in links."""
        return self.blocks.link_density

    @cached_property
    def text_density(self) -> Floats:
        """Words a line of each block."""
        return self.blocks.text_density

    @cached_property
    def heading_level(self) -> Floats:
        """1 to 6 where the block is a heading, else 0."""
        return _HEADING_LEVEL[self.tag[self.blocks.node]]

    @cached_property
    def sums(self) -> Floats:
        """Prefix sums of the blocks, the columns of `SUMMED`; one row more."""
        blocks = self.blocks
        sums = np.zeros((len(self) + 1, len(SUMMED)))
        sequence.prefix_sums(
            blocks.words,
            blocks.link_words,
            blocks.punctuation,
            blocks.flags,
            self.heading_level,
            sums,
        )
        return sums

    # Elements

    @cached_property
    def tag(self) -> Ints:
        """The tag of each node, the same for all that are not listed."""
        return np.minimum(self.nodes.tag, UNLISTED)

    @cached_property
    def kinds(self) -> Ints:
        """How many nodes of each of `KINDS` come before each node; one row more."""
        return walk.counts_before(self.tag, _KIND_OF_TAG, len(KINDS))

    @cached_property
    def tree(self) -> Tree:
        """What follows from the tree."""
        nodes, node = self.nodes, self.blocks.node
        first, end = walk.spans(nodes.first_text, nodes.end_text, self.texts.block, len(self))
        up, level, around = walk.levels(nodes.parent, first, end, node, NEAR_LEVELS, FAR_LEVELS)
        token_node, token, names = self._names()
        plain, named, alike = walk.ways(nodes.parent, self.tag, names)
        return Tree(first, end, up, level, around, plain, named, alike, token_node, token)

    def _names(self) -> tuple[Ints, Hashes, Hashes]:
        of_pages = [
            words.names(page.source, page.nodes.attributes, page.attribute_rows)
            for page in self.pages
        ]
        if len(of_pages) == 1:
            return of_pages[0]
        nodes = [
            node + np.intc(first)
            for (node, _, _), first in zip(of_pages, self.first_node.tolist(), strict=False)
        ]
        return (
            _concatenated(nodes, np.intc),
            _concatenated([token for _, token, _ in of_pages], np.uint64),
            _concatenated([name for _, _, name in of_pages], np.uint64),
        )

    @cached_property
    def siblings(self) -> Floats:
        """The repeated element around each block: the columns of `repetition.siblings`."""
        tree, nodes = self.tree, self.nodes
        return walk.repeated(
            nodes.parent,
            tree.first,
            tree.end,
            tree.alike,
            self.sums,
            self.first_block,
            self.blocks.node,
        )

    @cached_property
    def containers(self) -> Containers:
        """The elements by the text they collect, see `walk.containers`."""
        tree, nodes = self.tree, self.nodes
        return Containers(
            *walk.containers(
                nodes.parent,
                nodes.last,
                tree.level,
                tree.around,
                self.sums,
                self.blocks.node,
                self.first_node,
                self.first_block,
            )
        )

    # Words

    @cached_property
    def declared(self) -> list[DeclaredWords]:
        """What each page says about itself."""
        return [declared(page) for page in self.pages]

    @cached_property
    def wording(self) -> Wording:
        """The words of each block beside what its page declares."""
        of_pages = [
            words.wording(
                page.source,
                page.texts.start,
                page.texts.end,
                page.texts.block,
                page.texts.flags,
                page.blocks.flags,
                told.marks,
            )
            for page, told in zip(self.pages, self.declared, strict=True)
        ]
        if len(of_pages) == 1:
            return Wording(*of_pages[0])
        return Wording(
            np.concatenate([counts for counts, _, _ in of_pages] or [np.zeros((0, 5))]),
            _concatenated([text for _, text, _ in of_pages], np.uint64),
            np.concatenate([edges for _, _, edges in of_pages] or [np.zeros((0, 2), np.intc)]),
        )


def _firsts(lengths: list[int]) -> npt.NDArray[np.int64]:
    """Where each of some lists begins when they are put one after the other, and the end."""
    firsts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=firsts[1:])
    return firsts


def _joined(
    kind: type[Rows],
    tables: list[Rows],
    shifts: dict[str, npt.NDArray[np.int64]],
    shifted: dict[str, str],
) -> Rows:
    """Tables one after the other; the columns in `shifted` hold numbers of rows of a table."""
    columns = []
    lengths = [len(table) for table in tables]
    for field in fields(kind):
        column = _concatenated([getattr(table, field.name) for table in tables], np.intc)
        if field.name in shifted:
            shift = shifts[shifted[field.name]][:-1].astype(np.intc)
            column = np.where(column < 0, column, column + np.repeat(shift, lengths))
        columns.append(column)
    return kind(*columns)


def _concatenated(
    parts: Sequence[npt.NDArray[Any]], kind: type[np.intc] | type[np.uint64]
) -> npt.NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, kind)
