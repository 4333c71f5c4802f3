"""Families of elements that repeat, and the units that their members stand for.

Elements with one name (a class, a type, a property, an id without its number), one path to a date
or one parent are the anchors of a family. The unit of an anchor is the highest element around it
that holds no other anchor of its family; so the names of a post, of its date or of its author all
lead to the same units. `Sums` say how much a unit looks like a post.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.describe.posts.clues import AUTHOR, POST, PROFILE, QUOTE, UNSEEN, Clues
from tamis.describe.posts.passes import MOST_WORDS, NamedElements, range_hashes
from tamis.describe.posts.values import groups
from tamis.model.features import walk
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Ints
from tamis.page.hashes import distinct
from tamis.page.subtree import nodes_within
from tamis.page.table import Page

_LARGE = [tags.ID["h1"], tags.ID["h2"]]
# What the words of short runs count: cards of users are made of these.
_FEW_WORDS, _FEW = 4, 0.25
_MOST_AUTHOR_TEXTS = 6
# Words of a link in a block of its own, of a large heading, of a link in one, that may be a title.
_LINKED_TITLE, _LARGE_TITLE, _HEADING_TITLE = 4, 3, 2


class PostUnit(NamedTuple):
    """A range of nodes."""

    first: int
    end: int
    """One past its last node."""
    usual: bool = True
    """Whether it is named like most units, or typed as a post."""
    root: bool = False
    """Whether it is around the thread: the post that opens it, the others inside."""


class Sums(NamedTuple):
    """Of ranges of nodes."""

    weight: Floats
    """Words outside of links and dates, those of short runs less."""
    plain: Floats
    words: Floats
    dates: Floats
    titles: Floats
    moments: Floats
    authors: Floats
    permalinks: Floats
    posts: Floats

    @property
    def dated(self) -> Flags:
        """Whether there is a date."""
        return self.dates + self.moments > 0

    @property
    def good(self) -> Flags:
        """Whether there are enough clues for a post."""
        authors, posts = self.authors > 0, self.posts > 0
        good: Flags = self.dated & (authors | (self.permalinks > 0) | posts) | posts & authors
        return good

    @property
    def worth(self) -> Floats:
        """What a unit adds to the score of its family."""
        worth: Floats = np.sqrt(np.clip(self.weight, 1, MOST_WORDS)) - 1
        return np.where(self.good, worth, 0.0)


def texts_of(page: Page, first: Ints, end: Ints) -> tuple[Ints, Ints]:
    """First texts and ends of the ranges of nodes."""
    nodes = page.nodes
    low = nodes.first_text[first]
    high = np.append(nodes.first_text, np.intc(len(page.texts)))[np.minimum(end, len(nodes))]
    inside = nodes.end_text[np.maximum(nodes.parent[first], 0)]
    return low, np.maximum(np.minimum(high, inside), low)


def mark_covered(page: Page, units: Sequence[PostUnit]) -> Flags:
    """Whether each text is in one of the units."""
    if not units:
        return np.zeros(len(page.texts), bool)
    low, high = texts_of(page, *columns_of(units))
    begin, end = (np.bincount(places, minlength=len(page.texts) + 1) for places in (low, high))
    within: Flags = np.cumsum(begin - end)[:-1] > 0
    return within


def columns_of(units: Sequence[PostUnit]) -> tuple[Ints, Ints]:
    """First nodes and ends."""
    first, end, *_ = np.array(units, np.intc).reshape(-1, 4).T.copy()
    return first, end


class Families:
    """All families of a page, in columns: the anchors of one after those of the other.

    A family has at least two anchors.
    """

    def __init__(self, page: Page, clues: Clues) -> None:
        self.page, self.clues = page, clues
        self.elements = NamedElements(page, clues)
        key, node = self._rows()
        group, _ = groups(key)
        rows = distinct(group * np.int64(len(page.nodes)) + node)
        family, anchor = (rows // len(page.nodes)).astype(np.intc), rows % len(page.nodes)
        self._set(family, anchor.astype(np.intc), np.bincount(family, minlength=1)[family] > 1)
        # Names that are always together lead to the same units.
        same = range_hashes(self.bounds, self.unit, self.unit)
        is_new = np.zeros(len(same), bool)
        is_new[groups(same)[1]] = True
        self._set(self.family, self.anchor, np.repeat(is_new, np.diff(self.bounds)))
        self.end = page.nodes.last[self.unit] + np.intc(1)
        """One past the last node of each unit."""

    def _set(self, family: Ints, anchor: Ints, kept: Flags) -> None:
        self.family, self.anchor = family[kept], anchor[kept]
        ends = np.flatnonzero(self.family[1:] != self.family[:-1]) + 1
        self.bounds = np.concatenate(([0], ends, [len(self.family)])).astype(np.intc)
        """First row of each family, and one past the last of all."""
        self.following, self.unit = self.elements.units(self.family, self.anchor)

    def _rows(self) -> tuple[npt.NDArray[np.uint64], Ints]:
        """What elements repeat by, and the elements."""
        nodes, clues, texts = self.page.nodes, self.clues, self.page.texts
        dated = texts.node[np.fromiter(clues.dated, np.int64, len(clues.dated))].astype(np.int64)
        moments = np.fromiter(clues.moments, np.int64, len(clues.moments))
        times = np.concatenate((dated[nodes.tag[dated] == tags.ID["time"]], moments))
        typed = np.flatnonzero(clues.is_typed)
        # Elements without a name repeat as siblings.
        siblings = np.flatnonzero(nodes.end_text - nodes.first_text >= 2)
        named, count = nodes.tag[clues.name_node], int(nodes.tag.max(initial=0)) + 1
        kinds = (
            (clues.name_node, named * np.int64(len(clues.all_names)) + clues.name),
            (typed, np.zeros(len(typed), np.int64)),
            (dated, self._paths[dated]),
            (times, np.zeros(len(times), np.int64)),
            (siblings, (nodes.parent[siblings] + np.int64(1)) * count + nodes.tag[siblings]),
        )
        keys = [
            key.astype(np.uint64) ^ (np.uint64(kind) << np.uint64(60))
            for kind, (_, key) in enumerate(kinds)
        ]
        return np.concatenate(keys), np.concatenate([node for node, _ in kinds])

    @property
    def _paths(self) -> npt.NDArray[np.uint64]:
        """The tags from the root to each element, hashed."""
        nodes = self.page.nodes
        tag = np.minimum(nodes.tag, len(tags.NAMES))
        return walk.paths(nodes.parent, tag, np.zeros(len(nodes), np.uint64))[0]

    @cached_property
    def clue_columns(self) -> tuple[Floats, Floats]:
        """The columns of texts and of nodes that `Sums` are sums of."""
        return clue_columns(self.page, self.clues)

    @cached_property
    def family_ends(self) -> Ints:
        """One past the last row of the family of each row."""
        return np.repeat(self.bounds[1:], np.diff(self.bounds))

    @cached_property
    def beside(self) -> Flags:
        """Whether the unit of each row and the next are of one family and siblings."""
        parent = self.page.nodes.parent[self.unit]
        same = (self.family[1:] == self.family[:-1]) & (parent[1:] == parent[:-1])
        return np.append(same, False)

    @cached_property
    def forward(self) -> Ints:
        """Ends of the units with what follows each up to the next; after the last, to the end."""
        nodes = self.page.nodes
        parent = np.maximum(nodes.parent[self.unit], 0)
        end = np.where(self.beside, np.append(self.unit[1:], np.intc(0)), self.end)
        last = np.append(False, self.beside[:-1]) & ~self.beside
        return np.where(last, nodes.last[parent] + np.intc(1), end)

    @cached_property
    def backward(self) -> Ints:
        """First nodes of the units with what stands before each up to the one before."""
        parent = np.maximum(self.page.nodes.parent[self.unit], 0)
        behind = np.append(False, self.beside[:-1])
        first = np.where(behind, np.append(np.intc(0), self.end[:-1]), self.unit)
        return np.where(self.beside & ~behind, parent + np.intc(1), first)


def clue_columns(page: Page, clues: Clues) -> tuple[Floats, Floats]:
    """The columns of texts and of nodes that `Sums` are sums of."""
    nodes, texts = page.nodes, page.texts
    seen = texts.flags & UNSEEN == 0
    dated = np.zeros(len(texts), bool)
    dated[list(clues.dated)] = True
    moments = np.zeros(len(nodes), bool)
    moments[list(clues.moments)] = True
    words = texts.words * seen
    plain = words * ((texts.flags & tags.IN_LINK == 0) & ~dated)
    weight = plain * np.where(texts.words < _FEW_WORDS, _FEW, 1.0)
    quoted = nodes.flags & tags.IN_QUOTE != 0
    quoted |= nodes_within(page, np.flatnonzero(clues.kinds & QUOTE))
    count = nodes.end_text - nodes.first_text
    authors = (clues.kinds & (AUTHOR | PROFILE) != 0) & (count > 0) & (count <= _MOST_AUTHOR_TEXTS)
    posts = (clues.kinds & POST != 0) & (page.sums_below(plain).astype(np.int64) >= 2)
    titles = _titles(page, seen & ~dated)
    of_texts = np.array((weight, plain, words, dated & ~quoted[texts.node], titles), float)
    of_nodes = np.array((moments, authors & ~quoted, clues.has_permalink, posts), float)
    return of_texts.T, of_nodes.T


def _titles(page: Page, seen: Flags) -> Flags:
    """Headings, and links that are a block of their own, each text once: titles of stories."""
    texts, blocks = page.texts, page.blocks
    linked = seen & (texts.flags & tags.IN_LINK != 0)
    large = seen & np.isin(page.nodes.tag[blocks.node], _LARGE)[texts.block]
    large &= texts.words >= _LARGE_TITLE
    alone = (texts.words >= _LINKED_TITLE) & (blocks.link_words == blocks.words)[texts.block]
    headings = (texts.words >= _HEADING_TITLE) & (texts.flags & tags.IN_HEADING != 0)
    places: dict[str, list[int]] = {}
    for text in limits.checked(np.flatnonzero(large | linked & (headings | alone)).tolist()):
        # "Re: The tamis" is the title of the thread again.
        content = page.text(text).rpartition(":")[2].strip()
        places.setdefault(content, []).append(text)
    titles = np.zeros(len(texts), bool)
    titles[[same[0] for same in places.values() if len(same) == 1]] = True
    return titles


def running_sums(columns: Floats) -> Floats:
    """Sums of columns from the first row on, before each and after the last."""
    made = np.zeros((len(columns) + 1, columns.shape[1]))
    np.cumsum(columns, axis=0, out=made[1:])
    return made
