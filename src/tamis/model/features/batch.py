"""Several pages as one table, so that a feature is computed for many pages in one pass.

One page is a batch of one, and its columns are the page's own. The columns of more are put one
after the other, with numbers of nodes, texts and blocks that count through. What is next to a
block never lies in another page, and what is summed is of whole numbers, which are exact: so each
page has the same features in every batch, bit for bit.

What several groups of features need is computed when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.model.features import element_hashes, word_hashes
from tamis.model.features.columns import UNLISTED, BatchColumns
from tamis.model.features.word_hashes import DeclaredWords, read_declared_words
from tamis.page.arrays import Floats, Hashes, Indexes, Ints
from tamis.page.table import Blocks, Nodes, Page, Texts

Classes = npt.NDArray[np.uint8]
Utf8: TypeAlias = bytes
Rows = TypeVar("Rows", Nodes, Texts, Blocks)

# The columns that hold numbers of rows, and the table of these rows.
_ROWS_OF = {
    "parent": "node",
    "last": "node",
    "node": "node",
    "block": "block",
    "first_text": "text",
    "end_text": "text",
}
# What `element_hashes.read_values` and `word_hashes.compare_words` would give for no page.
_NO_NAMES = (*np.zeros((3, 0), np.intc), *np.zeros((2, 0), np.uint64))
_NO_WORDING = np.zeros((5, 0)), np.zeros(0, np.uint64), np.zeros((2, 0), np.intc)


@dataclass(frozen=True, eq=False)
class Names:
    """The values of class, id, role and itemprop attributes, see `element_hashes.read_values`."""

    node: Ints
    """The node of each attribute."""
    value: Ints
    """The number of its value."""
    token_value: Ints
    """Tokens of values: the numbers of the values."""
    token: Hashes
    """Tokens of values: their hashes."""

    @cached_property
    def tokens(self) -> tuple[Ints, Hashes]:
        """The tokens of all nodes: their nodes, their hashes."""
        count = np.bincount(self.token_value, minlength=int(self.value.max(initial=-1)) + 1)
        first, counts = (np.cumsum(count) - count)[self.value], count[self.value]
        return np.repeat(self.node, counts), self.token[list_ranges(first, counts)]


@dataclass(frozen=True, eq=False)
class Paths:
    """Where each node is in its tree, as hashes, and its names."""

    path: Hashes
    """The path from the root by tags."""
    class_path: Hashes
    """The path from the root by tags, classes and ids."""
    sibling_key: Hashes
    """The same for siblings with the same tag, classes and ids."""
    names: Names


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of each block beside what its page declares, see `word_hashes.compare_words`."""

    counts: Floats
    """Five rows: words, of them in the title; pairs, of them in the description and in the data."""
    text: Hashes
    """The same for blocks of a page with the same words."""
    edges: Ints
    """Two rows: code points of the first and of the last character."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Pages as one table; make it with `Batch.from_pages`."""

    pages: tuple[Page, ...]
    nodes: Nodes
    texts: Texts
    blocks: Blocks
    first_node: npt.NDArray[np.int64]
    """First node of each page, and the end."""
    first_block: npt.NDArray[np.int64]
    """First block of each page, and the end."""

    @classmethod
    def from_pages(cls, pages: Iterable[Page]) -> Batch:
        """These pages as one table."""
        pages = tuple(pages)
        if len(pages) == 1:
            (page,) = pages
            first_node = np.array((0, len(page.nodes)), np.int64)
            first_block = np.array((0, len(page.blocks)), np.int64)
            return cls(pages, page.nodes, page.texts, page.blocks, first_node, first_block)
        nodes = [page.nodes for page in pages]
        texts = [page.texts for page in pages]
        blocks = [page.blocks for page in pages]
        firsts = {
            "node": _count_rows(nodes),
            "text": _count_rows(texts),
            "block": _count_rows(blocks),
        }
        return cls(
            pages,
            _join_tables(Nodes, nodes, firsts),
            _join_tables(Texts, texts, firsts),
            _join_tables(Blocks, blocks, firsts),
            firsts["node"],
            firsts["block"],
        )

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.blocks)

    def split_parts(self, first: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The pages that have some of the blocks from `first` to `end`, and which they have."""
        if len(self.pages) == 1:
            yield 0, first, end
            return
        page = int(np.searchsorted(self.first_block, first, "right")) - 1
        while first < end:
            stop = min(end, int(self.first_block[page + 1]))
            if first < stop:
                yield page, first, stop
            first, page = stop, page + 1

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
    def columns(self) -> BatchColumns:
        """All that the passes over the batch read."""
        return BatchColumns(self)

    @cached_property
    def paths(self) -> Paths:
        """The paths and the names of all nodes."""
        of_pages = []
        values = 0
        for page, first in zip(self.pages, self.first_node.tolist(), strict=False):
            node, value, token_value, token, hashes = element_hashes.read_values(
                page.source, page.nodes.attributes, page.attribute_rows
            )
            if len(self.pages) > 1:
                node, value, token_value = node + first, value + values, token_value + values
                values = int(value.max(initial=values - 1)) + 1
            of_pages.append((node, value, token_value, token, hashes))
        *of_names, hashes = _join_arrays(of_pages, _NO_NAMES)
        return Paths(
            *element_hashes.hash_paths(self.nodes.parent, self.tag, hashes), Names(*of_names)
        )

    # Words

    @cached_property
    def declared(self) -> list[DeclaredWords]:
        """What each page says about itself."""
        return [read_declared_words(page) for page in self.pages]

    @cached_property
    def wording(self) -> Wording:
        """The words of each block beside what its page declares."""
        of_pages = [
            word_hashes.compare_words(
                page.source,
                page.texts.start,
                page.texts.end,
                page.texts.block,
                page.texts.flags,
                page.blocks.flags,
                of_page.sets,
            )
            for page, of_page in zip(self.pages, self.declared, strict=True)
        ]
        return Wording(*_join_arrays(of_pages, _NO_WORDING))

    @property
    def text_keys(self) -> Hashes:
        """A number per block, the same for blocks of a page with the same words."""
        text = self.wording.text
        if len(self.pages) > 1:
            text = text ^ (self.page.astype(np.uint64) << np.uint64(32))
        return text

    # Pages

    @property
    def page_numbers(self) -> Floats:
        """One column per page; the rows are nodes, bytes, the numbers of `DeclaredWords`, median.

        The last is the median of the words of the blocks, 0 for pages without blocks. Three more
        rows are room for the passes.
        """
        numbers = np.empty((11, len(self.pages)))
        for page, (table, of_page) in enumerate(zip(self.pages, self.declared, strict=True)):
            words, median = np.sort(table.blocks.words), 0.0
            if count := len(words):
                median = (int(words[(count - 1) // 2]) + int(words[count // 2])) / 2
            numbers[:8, page] = (len(table.nodes), len(table.source), *of_page[1:6], median)
        return numbers


def list_ranges(first: npt.NDArray[Any], counts: npt.NDArray[Any]) -> Indexes:
    """The numbers from each first on, as many as its count, one after the other."""
    skipped = np.cumsum(counts) - counts
    return np.repeat(first - skipped, counts) + np.arange(int(counts.sum()))


def _count_rows(tables: Sequence[Rows]) -> npt.NDArray[np.int64]:
    """The first row of each table when they are put one after the other, and the end."""
    return np.array([*accumulate(map(len, tables), initial=0)], np.int64)


def _join_tables(
    kind: type[Rows], tables: Sequence[Rows], firsts: dict[str, npt.NDArray[np.int64]]
) -> Rows:
    """Tables one after the other."""
    lengths = [len(table) for table in tables]
    columns = []
    for name in kind.__dataclass_fields__:
        parts: list[npt.NDArray[Any]] = [getattr(table, name) for table in tables]
        column = np.concatenate([*parts, np.zeros(0, np.intc)])
        if name in _ROWS_OF:
            shift = firsts[_ROWS_OF[name]][:-1].astype(np.intc)
            column = np.where(column < 0, column, column + np.repeat(shift, lengths))
        columns.append(column)
    return kind(*columns)


def _join_arrays(
    of_pages: Sequence[tuple[npt.NDArray[Any], ...]], none: tuple[npt.NDArray[Any], ...]
) -> tuple[npt.NDArray[Any], ...]:
    """The arrays of the pages put together, those of one page as they are."""
    if len(of_pages) == 1:
        return of_pages[0]
    return tuple(np.concatenate(parts, axis=-1) for parts in zip(none, *of_pages, strict=True))
