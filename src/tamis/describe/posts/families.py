"""Families of elements that repeat, and the units that their members stand for.

Elements with one name (a class, a type, a property, an id without its number), one path to a date
or one parent are the anchors of a family. The unit of an anchor is the highest element around it
that holds no other anchor of its family; so the names of a post, of its date or of its author all
lead to the same units. `Sums` say how much a unit looks like a post.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.describe.posts.clues import AUTHOR, POST, PROFILE, QUOTE, UNSEEN, Clues
from tamis.model.features.batch import Batch
from tamis.page import tags
from tamis.page.subtree import nodes_within
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Key: TypeAlias = tuple[int, str]
"""Tag and name of an element."""

# Elements that an anchor may be below its unit.
_LEVELS = 60
_OUTER = [tags.ID["html"], tags.ID["body"]]
_LARGE = [tags.ID["h1"], tags.ID["h2"]]
# Words of a unit that count, and what those of short runs count: cards of users are made of these.
_MOST_WORDS = 400.0
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
        worth: Floats = np.sqrt(np.clip(self.weight, 1, _MOST_WORDS)) - 1
        return np.where(self.good, worth, 0.0)


def texts_of(page: Page, first: Ints, end: Ints) -> tuple[Ints, Ints]:
    """First texts and ends of the ranges of nodes."""
    nodes = page.nodes
    low = nodes.first_text[first].astype(np.int64)
    high = np.append(nodes.first_text, len(page.texts))[np.minimum(end, len(nodes))]
    inside = nodes.end_text[np.maximum(nodes.parent[first], 0)]
    return low, np.maximum(np.minimum(high, inside), low)


def covered(page: Page, units: Sequence[PostUnit]) -> Flags:
    """Whether each text is in one of the units."""
    if not units:
        return np.zeros(len(page.texts), bool)
    low, high = texts_of(page, *columns_of(units))
    begin, end = (np.bincount(places, minlength=len(page.texts) + 1) for places in (low, high))
    within: Flags = np.cumsum(begin - end)[:-1] > 0
    return within


def columns_of(units: Sequence[PostUnit]) -> tuple[Ints, Ints]:
    """First nodes and ends."""
    return np.array([unit.first for unit in units]), np.array([unit.end for unit in units])


class Families:
    """All families of a page, in columns: the anchors of one after those of the other."""

    def __init__(self, page: Page, clues: Clues) -> None:
        self.page, self.clues = page, clues
        self.parent = page.nodes.parent.tolist()
        self.last = page.nodes.last.astype(np.int64)
        self._keys: dict[int, list[Key]] = {}
        rows = self._rows()
        table = np.array(sorted(rows), np.int64).reshape(-1, 2)
        self.family, self.anchor = table[:, 0].copy(), table[:, 1].copy()
        self.first = np.flatnonzero(np.append(True, self.family[1:] != self.family[:-1]))

    def _rows(self) -> set[tuple[int, int]]:
        page, clues = self.page, self.clues
        numbers: dict[object, int] = {}
        rows: set[tuple[int, int]] = set()
        tag, parent = page.nodes.tag.tolist(), self.parent

        def add(key: object, node: int) -> None:
            rows.add((numbers.setdefault(key, len(numbers)), node))

        for node, names in limits.checked(clues.names.items()):
            for name in names:
                add((tag[node], name), node)
        for node in np.flatnonzero(clues.is_typed).tolist():
            add("typed", node)
        paths = Batch.of([page]).paths.path
        for text in limits.checked(clues.dated):
            node = int(page.texts.node[text])
            add(("date", int(paths[node])), node)
            if tag[node] == tags.ID["time"]:
                add("time", node)
        for node in clues.moments:
            add("time", node)
        # Elements without a name repeat as siblings.
        several = np.flatnonzero(page.nodes.end_text - page.nodes.first_text >= 2)
        for node in limits.checked(several.tolist()):
            add((parent[node], tag[node]), node)
        return rows

    @cached_property
    def following(self) -> Ints:
        """Row of the first anchor of the family behind each anchor, the number of rows if none."""
        count = len(self.page.nodes)
        keys = self.family * count + self.anchor
        last = self.last[self.anchor]
        place = np.searchsorted(keys, self.family * count + last, side="right")
        same = np.append(self.family, -1)[place] == self.family
        return np.where(same, place, len(self.family))

    @cached_property
    def unit(self) -> Ints:
        """The unit of each anchor."""
        nodes = self.page.nodes
        behind = np.append(self.anchor, len(nodes))[self.following]
        same = np.append(False, self.family[1:] == self.family[:-1])
        before = np.where(same, np.append(-1, self.anchor[:-1]), -1)
        unit = self.anchor.copy()
        outer = np.isin(nodes.tag, _OUTER)
        for _ in range(_LEVELS):
            above = np.maximum(nodes.parent[unit].astype(np.int64), 0)
            rises = (above > before) & (nodes.last[above] < behind) & ~outer[above] & (unit > 0)
            if not rises.any():
                break
            limits.check()
            unit = np.where(rises, above, unit)
        return unit

    @cached_property
    def beside(self) -> Flags:
        """Whether the unit of each row and the next are of one family and siblings."""
        parent = self.page.nodes.parent[self.unit]
        same = (self.family[1:] == self.family[:-1]) & (parent[1:] == parent[:-1])
        return np.append(same, False)

    @cached_property
    def end(self) -> Ints:
        """One past the last node of each unit."""
        return self.last[self.unit] + 1

    @cached_property
    def forward(self) -> Ints:
        """Ends of the units with what follows each up to the next; after the last, to the end."""
        parent = np.maximum(self.page.nodes.parent[self.unit], 0)
        end = np.where(self.beside, np.append(self.unit[1:], 0), self.end)
        last = np.append(False, self.beside[:-1]) & ~self.beside
        return np.where(last, self.last[parent] + 1, end)

    @cached_property
    def backward(self) -> Ints:
        """First nodes of the units with what stands before each up to the one before."""
        parent = np.maximum(self.page.nodes.parent[self.unit], 0)
        behind = np.append(False, self.beside[:-1])
        first = np.where(behind, np.append(0, self.end[:-1]), self.unit)
        return np.where(self.beside & ~behind, parent.astype(np.int64) + 1, first)

    def keys(self, node: int) -> list[Key]:
        """Tag and names of an element; the names of the one around if it has none."""
        keys = self._keys.get(node)
        if keys is None:
            tag, above = int(self.page.nodes.tag[node]), self.parent[node]
            if names := self.clues.names.get(node):
                keys = [(tag, name) for name in names]
            else:
                around = self.clues.names.get(above, [str(above)])
                keys = [(tag, f"in {name}") for name in around]
            self._keys[node] = keys
        return keys


def clue_columns(families: Families) -> tuple[tuple[npt.NDArray[np.generic], ...], ...]:
    """The columns of texts and of nodes that `Sums` are sums of."""
    page, clues = families.page, families.clues
    nodes, texts = page.nodes, page.texts
    seen = texts.flags & UNSEEN == 0
    dated = np.zeros(len(texts), bool)
    dated[list(clues.dated)] = True
    in_date = dated
    moments = np.zeros(len(nodes), bool)
    moments[list(clues.moments)] = True
    words = texts.words * seen
    plain = words * ((texts.flags & tags.IN_LINK == 0) & ~dated)
    weight = plain * np.where(texts.words < _FEW_WORDS, _FEW, 1.0)
    quoted = nodes.flags & tags.IN_QUOTE != 0
    quoted |= nodes_within(page, np.flatnonzero(clues.kinds & QUOTE))
    dated = dated & ~quoted[texts.node]
    count = nodes.end_text - nodes.first_text
    authors = (clues.kinds & (AUTHOR | PROFILE) != 0) & (count > 0) & (count <= _MOST_AUTHOR_TEXTS)
    posts = (clues.kinds & POST != 0) & (page.sums_below(plain).astype(np.int64) >= 2)
    of_texts = (weight, plain, words, dated, _titles(page, seen & ~in_date))
    return of_texts, (moments, authors & ~quoted, clues.has_permalink, posts)


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


def running_sums(columns: npt.NDArray[np.generic]) -> Floats:
    """Sums of rows from the first column on, before each and after the last."""
    made = np.zeros((len(columns), columns.shape[1] + 1))
    np.cumsum(columns, axis=1, out=made[:, 1:])
    return made
