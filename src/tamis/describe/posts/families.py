"""Families of elements that repeat, and the units that their members stand for.

Elements with one name (a class, a type, a property, an id without its number), one path to a date
or one parent are the anchors of a family. The unit of an anchor is the highest element around it
that holds no other anchor of its family. So the names of a post, of its date and of its author all
lead to the same units. Sums of clues say how much a unit looks like a post.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.describe.attribute_values import number_equal_keys
from tamis.describe.posts.clues import AUTHOR, POST, PROFILE, QUOTE, UNSEEN, Clues
from tamis.describe.posts.elements import ElementTree, hash_ranges
from tamis.model.features import element_hashes
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Hashes, Ints, sort_distinct
from tamis.page.structure.subtrees import mark_nodes
from tamis.page.table import Page

_LARGE = tags.find_ids("h1 h2")
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


def find_text_ranges(page: Page, first: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Find the first text and the end of the texts of each range of nodes."""
    nodes = page.nodes
    low = nodes.first_text[first]
    high = np.append(nodes.first_text, np.intc(len(page.texts)))[np.minimum(end, len(nodes))]
    inside = nodes.end_text[np.maximum(nodes.parent[first], 0)]
    return low, np.maximum(np.minimum(high, inside), low)


def mark_covered(page: Page, units: Sequence[PostUnit]) -> Flags:
    if not units:
        return np.zeros(len(page.texts), bool)
    low, high = find_text_ranges(page, *split_columns(units))
    begin, end = (np.bincount(places, minlength=len(page.texts) + 1) for places in (low, high))
    within: Flags = np.cumsum(begin - end)[:-1] > 0
    return within


def split_columns(units: Sequence[PostUnit]) -> tuple[Ints, Ints]:
    first, end, *_ = np.array(units, np.intc).reshape(-1, 4).T.copy()
    return first, end


class Families:
    """All families of a page as columns, one family after the other, each with several anchors."""

    def __init__(self, page: Page, clues: Clues) -> None:
        self.page, self.clues = page, clues
        self.elements = ElementTree(page, clues)
        key, node = self._find_repeating()
        group, _ = number_equal_keys(key)
        rows = sort_distinct(group * np.int64(len(page.nodes)) + node)
        family, anchor = (rows // len(page.nodes)).astype(np.intc), rows % len(page.nodes)
        repeats = np.bincount(family, minlength=1)[family] > 1
        self._set_rows(family[repeats], anchor.astype(np.intc)[repeats])
        # Names that always stand together lead to the same units.
        same = hash_ranges(self.bounds, self.unit, self.unit)
        is_new = np.zeros(len(same), bool)
        is_new[number_equal_keys(same)[1]] = True
        kept = np.repeat(is_new, np.diff(self.bounds))
        self._set_rows(self.family[kept], self.anchor[kept])
        self.end = page.nodes.last[self.unit] + np.intc(1)
        """One past the last node of each unit."""
        self.clue_columns = tabulate_clues(page, clues)

    def _set_rows(self, family: Ints, anchor: Ints) -> None:
        self.family, self.anchor = family, anchor
        ends = np.flatnonzero(self.family[1:] != self.family[:-1]) + 1
        self.bounds = np.concatenate(([0], ends, [len(self.family)])).astype(np.intc)
        """First row of each family, and one past the last of all."""
        self.following, self.unit = self.elements.find_units(self.family, self.anchor)

    def _find_repeating(self) -> tuple[Hashes, Ints]:
        """Find what elements may repeat by, as keys, and the element of each key."""
        nodes, clues, texts = self.page.nodes, self.clues, self.page.texts
        dated = texts.node[np.fromiter(clues.dated, np.int64, len(clues.dated))].astype(np.int64)
        moments = np.fromiter(clues.moments, np.int64, len(clues.moments))
        times = np.concatenate((dated[nodes.tag[dated] == tags.ID["time"]], moments))
        typed = np.flatnonzero(clues.is_typed)
        # Elements without a name repeat as siblings.
        siblings = np.flatnonzero(nodes.end_text - nodes.first_text >= 2)
        named, count = nodes.tag[clues.name_node], int(nodes.tag.max(initial=0)) + 1
        tag = np.minimum(nodes.tag, len(tags.NAMES))
        paths = element_hashes.hash_paths(nodes.parent, tag, np.zeros(len(nodes), np.uint64))[0]
        kinds = (
            (clues.name_node, named * np.int64(len(clues.all_names)) + clues.name),
            (typed, np.zeros(len(typed), np.int64)),
            (dated, paths[dated]),
            (times, np.zeros(len(times), np.int64)),
            (siblings, (nodes.parent[siblings] + np.int64(1)) * count + nodes.tag[siblings]),
        )
        keys = [
            key.astype(np.uint64) ^ (np.uint64(kind) << np.uint64(60))
            for kind, (_, key) in enumerate(kinds)
        ]
        return np.concatenate(keys), np.concatenate([node for node, _ in kinds])

    @cached_property
    def family_ends(self) -> Ints:
        """For each row, one past the last row of its family."""
        return np.repeat(self.bounds[1:], np.diff(self.bounds))

    @cached_property
    def _has_neighbour(self) -> Flags:
        """Whether the unit of each row and the next unit of its family are siblings."""
        parent = self.page.nodes.parent[self.unit]
        same = (self.family[1:] == self.family[:-1]) & (parent[1:] == parent[:-1])
        return np.append(same, False)

    @cached_property
    def extended_ends(self) -> Ints:
        """Ends of the units with what follows each of them up to the next, or to the end."""
        nodes = self.page.nodes
        parent = np.maximum(nodes.parent[self.unit], 0)
        end = np.where(self._has_neighbour, np.append(self.unit[1:], np.intc(0)), self.end)
        last = np.append(False, self._has_neighbour[:-1]) & ~self._has_neighbour
        return np.where(last, nodes.last[parent] + np.intc(1), end)

    @cached_property
    def extended_firsts(self) -> Ints:
        """First nodes of the units with what stands between each of them and the one before."""
        parent = np.maximum(self.page.nodes.parent[self.unit], 0)
        behind = np.append(False, self._has_neighbour[:-1])
        first = np.where(behind, np.append(np.intc(0), self.end[:-1]), self.unit)
        return np.where(self._has_neighbour & ~behind, parent + np.intc(1), first)


def tabulate_clues(page: Page, clues: Clues) -> tuple[Floats, Floats]:
    """Tabulate the clues that are summed over units: columns of texts, and columns of nodes.

    Of texts: words outside of links and dates, those of short texts counted less; the same words
    counted in full; all words; dates; titles. Of nodes: dates in attributes, names of authors,
    permalinks, elements named as posts.
    """
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
    quoted |= mark_nodes(page, np.flatnonzero(clues.kinds & QUOTE))
    count = nodes.end_text - nodes.first_text
    authors = (clues.kinds & (AUTHOR | PROFILE) != 0) & (count > 0) & (count <= _MOST_AUTHOR_TEXTS)
    posts = (clues.kinds & POST != 0) & (page.sums_below(plain).astype(np.int64) >= 2)
    titles = _mark_titles(page, seen & ~dated)
    of_texts = np.array((weight, plain, words, dated & ~quoted[texts.node], titles), float)
    of_nodes = np.array((moments, authors & ~quoted, clues.has_permalink, posts), float)
    return of_texts.T, of_nodes.T


def _mark_titles(page: Page, seen: Flags) -> Flags:
    """Mark titles of stories: headings and links with a block of their own, each text once."""
    texts, blocks = page.texts, page.blocks
    linked = seen & (texts.flags & tags.IN_LINK != 0)
    large = seen & np.isin(page.nodes.tag[blocks.node], _LARGE)[texts.block]
    large &= texts.words >= _LARGE_TITLE
    alone = (texts.words >= _LINKED_TITLE) & (blocks.link_words == blocks.words)[texts.block]
    headings = (texts.words >= _HEADING_TITLE) & (texts.flags & tags.IN_HEADING != 0)
    places: dict[str, list[int]] = {}
    for text in limits.check_each(np.flatnonzero(large | linked & (headings | alone)).tolist()):
        # "Re: The tamis" is the title of the thread again.
        content = page.text(text).rpartition(":")[2].strip()
        places.setdefault(content, []).append(text)
    titles = np.zeros(len(texts), bool)
    titles[[same[0] for same in places.values() if len(same) == 1]] = True
    return titles
