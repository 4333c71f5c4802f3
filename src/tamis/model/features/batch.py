"""Several pages as one table, so that a feature is computed for many pages in one pass.

One page is a batch of one, and its columns are the page's own. The columns of more are put one
after the other, with numbers of nodes, texts and blocks that count through. What is next to a
block never lies in another page, and what is summed is of whole numbers, which are exact: so each
page has the same features in every batch, bit for bit.

What several groups of features need is computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.model.features import walk, words
from tamis.model.features.columns import UNLISTED, Columns
from tamis.model.features.declared import DeclaredWords, declared
from tamis.page.table import Blocks, Nodes, Page, Texts

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intc]
Indexes = npt.NDArray[np.intp]
Hashes = npt.NDArray[np.uint64]
Matrix = npt.NDArray[np.float32]
Classes = npt.NDArray[np.uint8]
Utf8: TypeAlias = bytes
Rows = TypeVar("Rows", Nodes, Texts, Blocks)


@dataclass(frozen=True, eq=False)
class Paths:
    """Where each node is in its tree, as hashes, and the tokens of its names."""

    path: Hashes
    """The path from the root by tags."""
    class_path: Hashes
    """The path from the root by tags, classes and ids."""
    sibling_key: Hashes
    """The same for siblings with the same tag, classes and ids."""
    token_node: Ints
    """Tokens of names: their nodes."""
    token: Hashes
    """Tokens of names: their hashes."""


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of each block beside what its page declares, see `words.wording`."""

    counts: Floats
    """Five rows: words, of them in the title; pairs, of them in the description and in the data."""
    text: Hashes
    """The same for blocks of a page with the same words."""
    edges: Ints
    """Two rows: code points of the first and of the last character."""


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

    @cached_property
    def tag(self) -> Ints:
        """The tag of each node, the same for all that are not listed."""
        return np.minimum(self.nodes.tag, UNLISTED)

    @cached_property
    def columns(self) -> Columns:
        """All that the passes over the batch read."""
        return Columns(self)

    @cached_property
    def paths(self) -> Paths:
        """The paths and the names of all nodes."""
        token_node, token, names = self._names()
        return Paths(*walk.paths(self.nodes.parent, self.tag, names), token_node, token)

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
                said.marks,
            )
            for page, said in zip(self.pages, self.declared, strict=True)
        ]
        if len(of_pages) == 1:
            return Wording(*of_pages[0])
        return Wording(
            np.concatenate([counts for counts, _, _ in of_pages] or [np.zeros((5, 0))], axis=1),
            _concatenated([text for _, text, _ in of_pages], np.uint64),
            np.concatenate(
                [edges for *_, edges in of_pages] or [np.zeros((2, 0), np.intc)], axis=1
            ),
        )

    @property
    def same_words(self) -> Floats:
        """The number of blocks of the same page with the words of each block."""
        text = self.wording.text
        if len(self.pages) > 1:
            text = text ^ (self.page.astype(np.uint64) << np.uint64(32))
        return walk.counts_equal(text)

    # Pages

    @property
    def page_numbers(self) -> Floats:
        """One column per page; the rows are nodes, bytes, and the numbers of `DeclaredWords`."""
        numbers = [
            (len(page.nodes), len(page.source), *said.numbers)
            for page, said in zip(self.pages, self.declared, strict=True)
        ]
        return np.array(numbers, float).reshape(-1, 7).T.copy()

    @property
    def words_median(self) -> Floats:
        """The median of the words of the blocks of each page, 0 for pages without blocks."""
        words = self.blocks.words
        if len(self.pages) == 1:
            ordered = np.sort(words)
        else:
            ordered = np.sort((self.page << 32) | words) & 0xFFFFFFFF
        first, end = self.first_block[:-1], self.first_block[1:]
        ordered = np.append(ordered, 0)
        upper = ordered[(first + end) // 2]
        lower = ordered[(first + np.maximum(end - 1, first)) // 2]
        median: Floats = (lower + upper) / 2
        return median


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
