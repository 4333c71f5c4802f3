"""Structures that the gold has whole or not at all, and what an extractor tears of them.

A group is the blocks of a page with one path (their XPath without numbers), in one list or table
(the nearest around them), or under one parent, if they are at least 3 blocks and 30 words. It is
uniform if the gold has at least 95% of its words, or at most 5%: the labels of blocks are shares,
and a few words of a menu are in every gold by chance. It is torn if more than 5% and less than 95%
of its words were kept. Hidden blocks count as others do, those without words do not.

Beside groups: headings and captions of the gold (labels above a half) between the first and the
last kept block that were dropped, and tables of data, at least 95% of them in the gold, of which a
part was dropped or all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from tamis.methods._base import Flags, Floats
from tamis.model.features.batch import Batch
from tamis.page import tags
from tamis.page.arrays import Indexes
from tamis.page.structure.data_tables import find_data_tables
from tamis.page.structure.subtrees import find_nearest, mark_nodes
from tamis.page.table import Page

KINDS = ("path", "list or table", "parent")
"""What the blocks of a group share."""
HEADINGS, CAPTIONS, TABLES = "headings", "captions", "data tables"

GROUPS, UNIFORM, TORN = "groups", "uniform", "torn"
GOLD_TORN = "gold torn"
GOLD, DROPPED, PART = "gold", "dropped", "dropped in part"
TORN_OFF = "dropped from kept text"

Counts: TypeAlias = Counter[tuple[str, str]]
"""How many there are, by a kind of structure and what holds for it: ("path", "torn"). Of groups
`groups`, `uniform` and `torn`, and of the uniform ones that are in the gold `gold` and `gold torn`;
of headings and captions `gold` and `dropped`, of headings also `dropped from kept text`, if the
block below is kept; of tables `gold`, `dropped` (any part or all of a table) and `dropped in
part`."""

LEAST_BLOCKS = 3
LEAST_WORDS = 30
# Share of the words of a structure from which on it counts as all of it.
_ALL = 0.95
_CAPTIONS = np.array([tags.ID["figcaption"], tags.ID["caption"]])
_LISTS = np.array([tags.ID[name] for name in ("ul", "ol", "dl", "table")])


@dataclass(frozen=True, eq=False)
class Group:
    """Blocks of a page that share something."""

    kind: str
    blocks: Indexes
    words: Floats
    """Of each of its blocks."""
    share: float
    """Share of its words that the gold has."""

    @property
    def is_uniform(self) -> bool:
        """Whether the gold has all of it or none."""
        return self.is_gold or self.share <= 1 - _ALL

    @property
    def is_gold(self) -> bool:
        """Whether the gold has all of it."""
        return self.share >= _ALL

    def kept_share(self, kept: Flags) -> float:
        """Share of its words that were kept."""
        return float(self.words @ kept[self.blocks] / self.words.sum())

    def is_torn(self, kept: Flags) -> bool:
        """Whether a part was kept and a part was dropped."""
        return 1 - _ALL < self.kept_share(kept) < _ALL


class Structures:
    """The structures of a page beside its labels, ready for any number of decisions."""

    def __init__(self, page: Page, labels: Floats) -> None:
        self._words = page.blocks.words.astype(float)
        self.groups = [
            Group(kind, blocks, self._words[blocks], self._share(labels, blocks))
            for kind, keys in _keys(page).items()
            for blocks in _groups(keys, self._words)
        ]
        in_gold = (labels > 0.5) & (self._words > 0)
        in_heading = page.blocks.flags & tags.IN_HEADING != 0
        self._below = _find_below(in_heading)
        captions = np.flatnonzero(np.isin(page.nodes.tag, _CAPTIONS))
        in_captions = mark_nodes(page, captions)[page.blocks.node]
        self._parts = {
            HEADINGS: in_gold & in_heading,
            CAPTIONS: in_gold & in_captions,
        }
        self._tables = [
            blocks
            for first, last in zip(*find_data_tables(page), strict=True)
            if len(blocks := self._blocks(page, first, last)) > 1
            and self._share(labels, blocks) >= _ALL
        ]

    def counts(self, kept: Flags) -> Counts:
        """What a decision keeps whole and what it tears."""
        counts: Counts = Counter()
        for group in self.groups:
            counts[group.kind, GROUPS] += 1
            if group.is_uniform:
                counts[group.kind, UNIFORM] += 1
                torn, in_gold = group.is_torn(kept), group.is_gold
                counts[group.kind, TORN] += torn
                counts[group.kind, GOLD] += in_gold
                counts[group.kind, GOLD_TORN] += torn and in_gold
        inside = _span(kept)
        for kind, blocks in self._parts.items():
            counts[kind, GOLD] += int((blocks & inside).sum())
            counts[kind, DROPPED] += int((blocks & inside & ~kept).sum())
        dropped_headings = np.flatnonzero(self._parts[HEADINGS] & inside & ~kept)
        counts[HEADINGS, TORN_OFF] += int(kept[self._below[dropped_headings]].sum())
        for table in self._tables:
            dropped = not kept[table].all()
            counts[TABLES, GOLD] += 1
            counts[TABLES, DROPPED] += dropped
            counts[TABLES, PART] += bool(dropped and kept[table].any())
        return counts

    def torn(self, kept: Flags) -> list[Group]:
        """The uniform groups that a decision tears."""
        return [group for group in self.groups if group.is_uniform and group.is_torn(kept)]

    def _share(self, labels: Floats, blocks: Indexes) -> float:
        words = self._words[blocks]
        return float(words @ labels[blocks] / words.sum())

    def _blocks(self, page: Page, first: int, last: int) -> Indexes:
        node = page.blocks.node
        return np.flatnonzero((node >= first) & (node <= last) & (self._words > 0))


def _keys(page: Page) -> dict[str, Indexes]:
    """For each kind a number per block, the same for the blocks of a group, negative for none."""
    node = page.blocks.node
    if not len(node):
        return {}
    lists = np.isin(page.nodes.tag, _LISTS)
    around = find_nearest(page, lists)[node]
    return {
        "path": np.unique(Batch.from_pages([page]).paths.path[node], return_inverse=True)[1],
        "list or table": np.where(lists[around], around, -1),
        "parent": page.nodes.parent[node].astype(np.intp),
    }


def _groups(keys: Indexes, words: Floats) -> list[Indexes]:
    """The blocks of each group that is large enough."""
    blocks = np.flatnonzero((keys >= 0) & (words > 0))
    blocks = blocks[np.argsort(keys[blocks], kind="stable")]
    cuts = np.flatnonzero(np.diff(keys[blocks])) + 1
    return [
        group
        for group in np.split(blocks, cuts)
        if len(group) >= LEAST_BLOCKS and words[group].sum() >= LEAST_WORDS
    ]


def _find_below(in_heading: Flags) -> Indexes:
    """For each block the next one that is in no heading; of the last headings these themselves."""
    own = np.arange(len(in_heading))
    after: Indexes = np.minimum.accumulate(np.where(in_heading, len(own), own)[::-1])[::-1]
    return np.where(after < len(own), after, own)


def _span(kept: Flags) -> Flags:
    """The blocks from the first to the last kept one."""
    inside = np.zeros(len(kept), bool)
    chosen = np.flatnonzero(kept)
    if len(chosen):
        inside[chosen[0] : chosen[-1] + 1] = True
    return inside
