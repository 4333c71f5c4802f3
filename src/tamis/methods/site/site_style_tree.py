"""Site style tree: what looks and reads the same wherever it is in the tree is noise.

Yi, Liu and Li merge the trees of a site's pages. An element of the merged tree has one or more
styles, the sequences of its children that occur; its presentation is the more important the more
its styles differ, the content of a leaf the more its words differ from page to page. Importance
goes up the tree; elements below a threshold with all below them are noise.

Our reading: the elements are the block-level ones with text that is shown, distinguished by tag;
with class names, which come and go with the page, F over big9 falls by 0.07. Inline elements belong
to the text of their block. An element's own text is one more child of it. The features of text are
its words. What no fitted page has at its place is content. The threshold is the site's in the
paper; ours, 0.9, is the best of 0.1 to 0.9 on five of the nine sites of big9.

When it fails: one more box near the root makes another style, below which nothing is known: it
wants hundreds of pages, as in the paper; on ten it is the weakest of the site methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import Scores, Unit, kept_share, visible_texts
from tamis.methods._shared.site_blocks import class_names, number_repetitions, text_words
from tamis.methods._shared.site_method import (
    REFERENCES,
    Repetition,
    SiteMethod,
    check_bits,
    longest_texts,
    no_bits,
    page_bit,
    spread,
    unpack_bits,
)
from tamis.methods._shared.verdicts import list_units
from tamis.page import arrays, tags
from tamis.page.arrays import Flags, Floats, Hashes, Indexes
from tamis.page.structure.subtrees import find_nearest
from tamis.page.table import Page

_BLOCK = np.array([trait & tags.BLOCK != 0 for trait in tags.TRAITS] + [False])

# More change the entropies no more; the paper takes 400 to 500 of a site.
_MOST_PAGES = 1000
_ROUNDED = 1e-6  # by which an importance may be out of its range


@dataclass(frozen=True, eq=False)
class Elements:
    """The block-level elements of a page that have text, parents before children."""

    tag: Indexes
    place: Hashes
    """The path from the root: at each step the style of the parent and the number of the child."""
    style: Hashes
    """The tags of its children in order."""
    parent: Indexes
    level: Indexes
    """Number of elements above it."""
    of_text: Indexes
    """The element of each text."""
    word_element: Indexes
    """Words of the page: their elements."""
    word: Hashes
    """Words of the page."""
    name: str = ""
    """Of the page."""

    @classmethod
    def from_page(cls, page: Page, *, classes: bool = False, name: str = "") -> Elements:
        """Find the place and the style of each element."""
        nodes, (text, word) = page.nodes, text_words(page)
        tag = np.minimum(nodes.tag, len(tags.NAMES))
        chosen = _have_words(page, text)
        element = find_nearest(page, chosen)
        own = np.flatnonzero(chosen)
        row = np.cumsum(chosen) - 1
        parent = row[element[nodes.parent[own]]]
        parent[:1] = 0
        number = number_repetitions(parent)
        number[:1] = 0
        kind = arrays.mix_hashes(tag, 0)
        if classes:
            node, class_name = class_names(page)
            np.add.at(kind, node, arrays.mix_hashes(class_name, 1))
        step = arrays.mix_hashes(kind[own], number)
        style = np.zeros(len(own), np.uint64)
        np.add.at(style, parent[1:], step[1:])
        place, level = np.zeros(len(own), np.uint64), np.zeros(len(own), np.intp)
        order = np.argsort(nodes.depth[own], kind="stable")
        ends = np.flatnonzero(np.diff(nodes.depth[own][order], append=-1)) + 1
        for begin, end in limits.check_each(pairwise(ends.tolist()), every=100):
            rows = order[begin:end]
            above = parent[rows]
            place[rows] = arrays.mix_hashes(
                arrays.mix_hashes(place[above], style[above]), step[rows]
            )
            level[rows] = level[above] + 1
        of_text = row[element[page.texts.node]]
        words = of_text[text], word
        return cls(tag[own].astype(np.intp), place, style, parent, level, of_text, *words, name)


def _have_words(page: Page, text: Indexes) -> Flags:
    """The block-level elements with words, and the root; `text` is that of each word."""
    nodes = page.nodes
    worded = np.zeros(len(page.texts) + 1, np.intp)
    worded[text + 1] = 1
    worded = np.cumsum(worded)
    tag = np.minimum(nodes.tag, len(tags.NAMES))
    chosen: Flags = _BLOCK[tag] & (worded[nodes.end_text] > worded[nodes.first_text])
    chosen[:1] = True
    return chosen


@dataclass(frozen=True, eq=False)
class StyleTree:
    """The merged tree: the importance of each place."""

    places: Hashes
    """Sorted."""
    importance: Floats
    pages: Indexes
    """Pages that have each place."""
    on_pages: Hashes
    """One bit per page with a name."""
    names: tuple[str, ...]
    """Of some of the pages."""
    keys: frozenset[int]
    """Keys of the pages."""
    tag: Indexes
    """The tag of each place."""
    parent: Indexes
    """The place above it, of the root the root."""
    style: Hashes
    """The style of that place in which it is."""
    style_pages: Indexes
    """Pages that have that style."""
    number: Indexes
    """Which child of the style it is."""

    @classmethod
    def from_readings(cls, pages: Iterable[Elements], count: int, gamma: float) -> StyleTree:
        """Merge the trees of so many pages; the same page twice counts once."""
        chosen = set(spread(count, _MOST_PAGES))
        distinct: dict[int, Elements] = {}
        for number, tree in enumerate(pages):
            if number in chosen:
                distinct[arrays.make_key(tree.word)] = tree
        trees = list(distinct.values())
        if not trees:
            none, zero = np.zeros(0, np.uint64), np.zeros(0, np.intp)
            shape = zero, zero, none, zero, zero
            return cls(none, np.zeros(0), zero, no_bits(0), (), frozenset(), *shape)
        places, element = np.unique(
            np.concatenate([tree.place for tree in trees]), return_inverse=True
        )
        ends = np.cumsum([len(tree.place) for tree in trees])
        own = np.split(element, ends[:-1])
        page_counts = np.bincount(element)
        importance = _weigh_elements(trees, own, page_counts, gamma)
        named = spread(len(trees), REFERENCES)
        on_pages = no_bits(len(places))
        for number, page in enumerate(named):
            on_pages[own[page]] |= page_bit(number)
        names = tuple(trees[page].name or f"page {page + 1}" for page in named)
        shape = _describe_places(trees, own, len(places))
        return cls(places, importance, page_counts, on_pages, names, frozenset(distinct), *shape)

    @property
    def page_count(self) -> int:
        return len(self.keys)

    def check(self) -> None:
        arrays.check_rising(self.places, "the places")
        count = len(self.places)
        check_bits(self.on_pages, count, self.names)
        columns = (self.pages, self.tag, self.parent, self.style_pages, self.number)
        if any(column.shape != (count,) for column in (self.importance, self.style, *columns)):
            raise ValueError("the columns of the tree have different lengths")
        if any((column < 0).any() for column in columns) or (self.parent >= count).any():
            raise ValueError("a place of the tree is below one that is not there")
        if any((column > len(self.keys)).any() for column in (self.pages, self.style_pages)):
            raise ValueError("a place of the tree is on more pages than there are")
        if not ((self.importance > -_ROUNDED) & (self.importance < 1 + _ROUNDED)).all():
            raise ValueError("an importance is not between 0 and 1")

    def find_importance(self, elements: Elements) -> Floats:
        """The importance of the elements of a page, 1 where no fitted page has one."""
        at, known = arrays.find_hashes(self.places, elements.place)
        importance = np.ones(len(at))
        importance[known] = self.importance[at[known]]
        return importance

    def count_pages(self, elements: Elements) -> tuple[Indexes, Flags]:
        """The number of pages that have the place of each element, and which named ones have."""
        pages = arrays.look_up(self.places, self.pages, elements.place)
        bits = arrays.look_up(self.places, self.on_pages, elements.place)
        return pages, unpack_bits(bits, len(self.names))


@dataclass(frozen=True)
class SiteStyleTree(SiteMethod):
    """What looks and reads the same on the pages of the site is noise."""

    gamma: float = 0.9
    """The more styles an element has, the less its children count (sec. 3.2)."""
    threshold: float = 0.9
    """Importance below which an element is noise (sec. 3.3, set by hand for each site)."""
    classes: bool = False
    """Whether elements with other class names are other elements (sec. 3.1: attributes)."""

    citation: ClassVar[str] = (
        "L. Yi, B. Liu, X. Li: Eliminating Noisy Information in Web Pages for Data Mining. KDD"
        " 2003."
    )
    measure: ClassVar[str] = "importance"
    reading: ClassVar[type[Any]] = Elements
    knowledge: ClassVar[type[Any]] = StyleTree
    decides_on: ClassVar[str] = "elements"

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"threshold is between 0 and 1, not {self.threshold}")

    def score(self, page: Page) -> Scores:
        """The importance of each text's element, one half at the threshold."""
        elements = self.read(page)
        return kept_share(
            page, self._grade_importance(self.known.find_importance(elements))[elements.of_text]
        )

    def units(self, page: Page) -> tuple[Unit, ...]:
        elements = self.read(page)
        known: StyleTree = self.known
        importance = known.find_importance(elements)
        pages, _ = known.count_pages(elements)
        shown = visible_texts(page)
        return list_units(
            page,
            np.where(shown, elements.of_text, -1),
            np.flatnonzero(_have_words(page, text_words(page)[0])),
            self._grade_importance(importance),
            {
                "importance": importance.tolist(),
                "threshold": [self.threshold] * len(importance),
                "pages": pages.astype(float).tolist(),
            },
        )

    def _grade_importance(self, importance: Floats) -> Scores:
        below = importance / (2 * self.threshold)
        above = 1 - (1 - importance) / (2 * (1 - self.threshold))
        return np.where(importance < self.threshold, below, above)

    def repetition(self, page: Page) -> Repetition:
        """The importance of the element of each block, and the pages that have one there."""
        known: StyleTree = self.known
        elements, text = self.read(page), longest_texts(page)
        element = np.append(elements.of_text, 0)[text]
        pages, on = known.count_pages(elements)
        new = arrays.make_key(elements.word) not in known.keys
        return Repetition(
            measure=self.measure,
            values=np.where(text >= 0, known.find_importance(elements)[element], np.nan),
            border=self.threshold,
            pages=np.maximum(pages[element] + new, 1.0),
            all_pages=known.page_count + new,
            on=on[element] & (text >= 0)[:, None],
            names=known.names,
        )

    def read(self, page: Page, url: str | None = None) -> Elements:
        return Elements.from_page(page, classes=self.classes, name=url or "")

    def _learn(self, readings: Iterable[Elements], count: int) -> StyleTree:
        return StyleTree.from_readings(readings, count, self.gamma)


def _describe_places(
    trees: Sequence[Elements], element: Sequence[Indexes], count: int
) -> tuple[Indexes, Indexes, Hashes, Indexes, Indexes]:
    """Tag, parent, style of the parent, pages of that style and number of so many places."""
    tag, parent, number = np.zeros((3, count), np.intp)
    style, of_parent = np.zeros((2, count), np.uint64)
    for tree, own in zip(trees, element, strict=True):
        tag[own], parent[own], number[own] = (
            tree.tag,
            own[tree.parent],
            number_repetitions(tree.parent),
        )
        style[own] = tree.style[tree.parent]
        of_parent[own] = arrays.mix_hashes(own[tree.parent], style[own])
    keys = [arrays.mix_hashes(own, tree.style) for tree, own in zip(trees, element, strict=True)]
    styles, pages = np.unique(np.concatenate(keys), return_counts=True)
    return tag, parent, style, pages[arrays.find_hashes(styles, of_parent)[0]], number


def _weigh_content(
    trees: Sequence[Elements], element: Sequence[Indexes], pages: Indexes
) -> tuple[Floats, Flags]:
    """Importance of the own text of each place, by the entropy of its words over the pages.

    And which places have own text.
    """
    at = np.concatenate([own[tree.word_element] for tree, own in zip(trees, element, strict=True)])
    page = np.repeat(np.arange(len(trees)), [len(tree.word) for tree in trees])
    feature = arrays.mix_hashes(at, np.concatenate([tree.word for tree in trees]))
    _, first, count = np.unique(
        arrays.mix_hashes(feature, page), return_index=True, return_counts=True
    )
    features, where, kind = np.unique(feature[first], return_index=True, return_inverse=True)
    total = np.bincount(kind, count, len(features))
    entropy = np.log(total) - np.bincount(kind, count * np.log(count), len(features)) / total
    place = at[first[where]]
    words = np.bincount(place, minlength=len(pages))
    mean = np.bincount(place, entropy, len(pages)) / np.maximum(words, 1)
    return np.where(pages > 1, 1 - mean / np.log(np.maximum(pages, 2)), 1.0), words > 0


def _weigh_elements(
    trees: Sequence[Elements], element: Sequence[Indexes], pages: Indexes, gamma: float
) -> Floats:
    """Importance of each place: of its presentation and of what is below, from the leaves up."""
    content, worded = _weigh_content(trees, element, pages)
    keys = [arrays.mix_hashes(own, tree.style) for tree, own in zip(trees, element, strict=True)]
    _, first, style, count = np.unique(
        np.concatenate(keys), return_index=True, return_inverse=True, return_counts=True
    )
    owner = np.concatenate(element)[first]
    share = count / pages[owner]
    entropy = np.bincount(owner, -share * np.log(share), len(pages))
    presentation = np.where(pages > 1, entropy / np.log(np.maximum(pages, 2)), 1.0)
    damped = gamma ** np.bincount(owner, minlength=len(pages))
    # The style of the parent in which each place is, and its level: the same on all its pages.
    in_style, level = np.empty(len(pages), np.intp), np.empty(len(pages), np.intp)
    begin = 0
    for tree, own in zip(trees, element, strict=True):
        in_style[own], level[own] = style[begin + tree.parent], tree.level
        begin += len(own)
    # The own text of an element is a child in each of its styles.
    children = worded[owner].astype(float)
    sums = children * content[owner]
    result, below = content.copy(), np.zeros(len(pages))
    inner = np.zeros(len(pages), bool)
    inner[owner[in_style[level > 0]]] = True
    for places, styles in zip(_split_levels(level), _split_levels(level[owner]), strict=True):
        mean = sums[styles] / np.maximum(children[styles], 1)
        np.add.at(below, owner[styles], share[styles] * mean)
        rows = places[inner[places]]
        result[rows] = presentation[rows] + damped[rows] * (below[rows] - presentation[rows])
        np.add.at(sums, in_style[places], result[places])
        np.add.at(children, in_style[places], 1)
    return result


def _split_levels(level: Indexes) -> list[Indexes]:
    order = np.argsort(-level, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(level[order])) + 1)
