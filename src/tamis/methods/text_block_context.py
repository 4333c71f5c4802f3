"""Text block context: densities, parent tags and distances of a block and four neighbours.

Kim et al. add to the word and link densities of Kohlschuetter et al. what the page looks like
around a block: the element it is in, and how many tags away its neighbours are. A decision tree
decides by the 25 attributes of the block, the two before and the two after.

Our reading: the paper's unit, text that no tag but `a` interrupts, is finer than our blocks; it is
kept for the attributes, and a block's score is the mean over its words; `units` has the verdict on
each. Hidden text and units without a word are left out, unless `text` is `all`. A line of the
refined page is a tag of the source. Word density counts 80 words per sentence, as the paper says.
The learner is C4.5, as WEKA's J48 (`tamis.train.c45`), with the paper's parameters. A unit's score
is the share of content in its leaf, drawn towards that of the nodes above if these units are few.

When it fails: pages unlike those it was trained on, since the tree learns distances of their
templates; short content between menus; long boilerplate in `p`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from tamis._runtime import limits
from tamis.errors import WeightsError
from tamis.methods._base import Choices, Method, Scores, Unit, visible_texts
from tamis.methods._shared.verdicts import count_things, list_units
from tamis.model.features.batch import list_ranges
from tamis.model.weights.decision_tree import Tree
from tamis.model.weights.load import Weights, load, path_of_shipped
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes, Ints
from tamis.page.table import Page

SPEC = 1
"""Version of the attributes; weights for another one do not load."""

PARENTS = tuple(
    "a b blockquote br dd dl dt font h1 h2 h3 h4 h5 h6 img li ol p pre q table ul".split()
)
"""Table 1 of the paper: the parent tags that are distinguished. 0 stands for any other."""

SENTENCE_WORDS = 80
"""Words of a sentence, by which formula 1 counts sentences."""

TEXTS = ("visible", "all")
_SHIPPED = {"visible": "text_block_context", "all": "text_block_context_all"}

NEIGHBOURS = (-2, -1, 0, 1, 2)
ATTRIBUTES = ("word_density", "link_density", "parent", "lines_before", "lines_after")

NAMES = tuple(f"{name}[{place:+d}]" for place in NEIGHBOURS for name in ATTRIBUTES)
"""The 25 attributes, as the columns of `measure_units`."""

BINARY_NAMES = tuple(
    f"{'' if name != 'parent' else 'parent='}{value}[{place:+d}]"
    for place in NEIGHBOURS
    for name in ATTRIBUTES
    for value in ((name,) if name != "parent" else ("other", *PARENTS))
)
"""The columns of `expand_parents`."""

_PARENT_OF_TAG = np.zeros(len(tags.NAMES) + 1, dtype=np.intp)
_PARENT_OF_TAG[[tags.ID[name] for name in PARENTS]] = np.arange(1, len(PARENTS) + 1)


@dataclass(frozen=True)
class TextBlockContext(Method):
    """Densities, parent tag and distances of a block and four neighbours, by a decision tree."""

    weights: str = ""
    """Path of weights that `tamis train text-block-context` made from the same `text`; empty for
    those that come with tamis. The parameters of the paper are those of the training."""
    text: str = "visible"
    """What the units are made of: `visible` text, with a word in each unit, or `all` text, as the
    paper's parser gives it, which knows no styles (sec. 4.1)."""

    citation: ClassVar[str] = (
        "M. Kim, Y. Kim, W. Song, A. Khil: Main Content Extraction from Web Documents Using Text"
        " Block Context. DEXA 2013."
    )
    decides_on: ClassVar[str] = "text blocks"
    _choices: ClassVar[Choices] = {"text": TEXTS}

    def score(self, page: Page) -> Scores:
        """Share of content in the leaves of the tree that the words of each block end at."""
        page_units = cut_units(page, self.text)
        return on_blocks(
            page, page_units, self._tree.predict(expand_parents(measure_units(page_units)))
        )

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The paper's text blocks: content is what ends at a leaf with at least half content."""
        page_units = cut_units(page, self.text)
        table = measure_units(page_units)
        first, sizes = page_units.first, page_units.end - page_units.first
        of_text = np.full(len(page.texts), -1, np.intp)
        of_text[page_units.texts[list_ranges(first, sizes)]] = np.repeat(
            np.arange(len(first)), sizes
        )
        own = len(ATTRIBUTES) * NEIGHBOURS.index(0)
        columns = table[:, own : own + len(ATTRIBUTES)].T.tolist()
        attributes = dict(zip(ATTRIBUTES, columns, strict=True))
        attributes["parent"] = [("other", *PARENTS)[int(tag)] for tag in attributes["parent"]]
        scores = self._tree.predict(expand_parents(table))
        return list_units(page, of_text, page_units.node, scores, attributes)

    @property
    def _tree(self) -> Tree:
        path = self.weights or path_of_shipped(_SHIPPED[self.text])
        weights = load(path, method="text_block_context", spec=SPEC)
        learned_from = str(weights.arrays.get("text", "visible"))
        if learned_from != self.text:
            raise WeightsError(
                f"{path}: learned from text={learned_from}, not from text={self.text}; give the"
                f" method text={learned_from}, or train with --parameter text={self.text}"
            )
        return _check_weights(weights)

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        tree, page_units = self._tree, cut_units(page, self.text)
        table = expand_parents(measure_units(page_units))
        leaves = tree.find_leaves(table)
        # The unit with most words of each block; a block without words has none.
        order = np.lexsort((-page_units.words, page_units.block))
        place = np.searchsorted(page_units.block, blocks)
        counts = np.searchsorted(page_units.block, blocks, side="right") - place
        bounds: dict[int, dict[int, tuple[float, float]]] = {}
        sentences = []
        for first, count in limits.check_each(
            zip(place.tolist(), counts.tolist(), strict=True), 100
        ):
            if not count:
                sentences.append("It has no words.")
                continue
            unit = int(order[first])
            if (leaf := int(leaves[unit])) not in bounds:
                bounds[leaf] = tree.find_bounds(leaf)
            size = count_things(int(page_units.words[unit]), "word")
            which = "It" if count == 1 else f"The largest of its {count} text blocks, {size},"
            path = _describe_path(bounds[leaf], table[unit])
            sentences.append(
                f"{which} ends at a leaf of the tree with {tree.value[leaf]:.0%} content: {path}."
            )
        return sentences


@lru_cache(maxsize=8)
def _check_weights(weights: Weights) -> Tree:
    tree = Tree.from_arrays(weights.arrays, len(BINARY_NAMES))
    if (tree.value < 0).any() or (tree.value > 1).any():
        raise WeightsError("these weights have a share of content that is not between 0 and 1")
    return tree


_PLACES = ("two before", "the block before", "itself", "the block after", "two after")
_COLUMNS = len(BINARY_NAMES) // len(NEIGHBOURS)


def _describe_path(bounds: Mapping[int, tuple[float, float]], row: Floats) -> str:
    """The conditions on the way to a leaf with the values of a unit, by place."""
    # Where the parent is known, what it is not goes without saying.
    parents = {
        column // _COLUMNS
        for column, (low, _) in bounds.items()
        if "parent=" in BINARY_NAMES[column] and low >= 0
    }
    places: dict[str, list[str]] = {}
    for column, (low, high) in bounds.items():
        place = column // _COLUMNS
        own = f"[{NEIGHBOURS[place]:+d}]"
        name = BINARY_NAMES[column].removesuffix(own).replace("_", " ")
        if name.startswith("parent="):
            if low < 0 and place in parents:
                continue
            verb = "in" if low >= 0 else "not in"
            condition = f"{verb} {name.removeprefix('parent=')}"
        else:
            span = f"above {low:.3g}" if high == math.inf else f"at most {high:.3g}"
            span = f"{low:.3g} to {high:.3g}" if math.isfinite(high - low) else span
            condition = f"{name} {row[column]:.3g} ({span})"
        places.setdefault(_PLACES[place], []).append(condition)
    return "; ".join(f"{place}: {', '.join(own)}" for place, own in places.items())


@dataclass(frozen=True, eq=False)
class Units:
    """The paper's text blocks, in document order."""

    texts: Indexes
    """The texts that count, in document order."""
    first: Indexes
    """Place in `texts` of each unit's first text."""
    end: Indexes
    """One past its last."""
    block: Ints
    """The block it is in."""
    words: Floats
    link_words: Floats
    node: Indexes
    """The element around it."""
    parent: Indexes
    """Its tag: an entry of `PARENTS`, from 1, or 0."""
    lines_before: Floats
    """Tags between it and the unit before, 0 at the first."""


def cut_units(page: Page, text: str = "visible") -> Units:
    """The paper's text blocks of a page, of one of `TEXTS`."""
    everything = text == "all"
    texts = np.flatnonzero(everything | visible_texts(page))
    starts = np.flatnonzero(_find_begins(page, texts))
    if not len(starts):
        nothing, none = np.zeros(0, np.intp), np.zeros(0)
        block = page.texts.block[:0]
        return Units(texts, nothing, nothing, block, none, none, nothing, nothing, none)
    words = page.texts.words[texts].astype(float)
    linked = page.texts.flags[texts] & tags.IN_LINK != 0
    sums, link_sums = np.add.reduceat(words, starts), np.add.reduceat(words * linked, starts)
    kept = np.flatnonzero(everything | (sums > 0))
    first, end = starts[kept], np.append(starts[1:], len(texts))[kept]
    tags_before = page.texts.tags[texts]
    lines = np.zeros(len(kept))
    lines[1:] = tags_before[first[1:]] - tags_before[end[:-1] - 1]
    node = _find_elements(page, page.texts.node[texts], starts)[kept]
    return Units(
        texts=texts,
        first=first,
        end=end,
        block=page.texts.block[texts[first]],
        words=sums[kept],
        link_words=link_sums[kept],
        node=node,
        parent=_PARENT_OF_TAG[np.minimum(page.nodes.tag[node], len(tags.NAMES))],
        lines_before=lines,
    )


def measure_units(page_units: Units) -> Floats:
    """The 25 attributes of each unit; beyond the ends of the page all are 0."""
    words = page_units.words
    sentences = np.maximum(np.ceil(words / SENTENCE_WORDS), 1)
    lines = page_units.lines_before
    own = np.column_stack(
        (
            words / sentences,
            page_units.link_words / np.maximum(words, 1),
            page_units.parent,
            lines,
            np.append(lines[1:], 0.0)[: len(lines)],
        )
    )
    padded = np.pad(own, ((2, 2), (0, 0)))
    count = len(own)
    return np.column_stack([padded[2 + place : 2 + place + count] for place in NEIGHBOURS])


def expand_parents(table: Floats) -> Floats:
    """The attributes with the parent tag, which is nominal, as 23 columns of 0 and 1."""
    width = len(ATTRIBUTES)
    columns = []
    for number in range(len(NEIGHBOURS)):
        part = table[:, width * number : width * (number + 1)]
        parents = part[:, 2:3] == np.arange(len(PARENTS) + 1)
        columns += [part[:, :2], parents, part[:, 3:]]
    return np.concatenate(columns, axis=1)


def on_blocks(page: Page, page_units: Units, scores: Floats) -> Floats:
    """Scores of units as scores of blocks: the mean over the block's words."""
    blocks = len(page.blocks)
    weighted = np.bincount(page_units.block, scores * page_units.words, blocks)
    words = np.bincount(page_units.block, page_units.words, blocks)
    result: Floats = weighted / np.maximum(words, 1)
    return result


def unit_texts(page: Page, page_units: Units) -> list[str]:
    texts = page_units.texts.tolist()
    spans = zip(page_units.first.tolist(), page_units.end.tolist(), strict=True)
    return [" ".join(map(page.text, texts[first:end])) for first, end in spans]


def _find_begins(page: Page, texts: Indexes) -> Flags:
    """Whether a tag that is not `a` comes between each text and the one before."""
    begins = np.ones(len(texts), bool)
    anchors = np.sort(_anchor_tags(page))
    between = np.diff(np.searchsorted(anchors, page.texts.start[texts]))
    begins[1:] = np.diff(page.texts.tags[texts]) > between
    return begins


def _anchor_tags(page: Page) -> Ints:
    links = np.flatnonzero(page.nodes.tag == tags.ID["a"])
    source = np.frombuffer(page.source, np.uint8)
    starts, closes = page.nodes.start[links], page.nodes.close[links]
    closes = closes[closes + 2 < len(source)]
    # What ended the element may be another tag than its own.
    own = (source[closes] == ord("<")) & (source[closes + 1] == ord("/"))
    own &= source[closes + 2] | 32 == ord("a")
    own &= ~np.isin(source[np.minimum(closes + 3, len(source) - 1)] | 32, _LETTERS)
    return np.unique(np.concatenate((starts, closes[own])))


_LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz", np.uint8)


def _find_elements(page: Page, nodes: Ints, starts: Indexes) -> Indexes:
    # The highest element that has one of its texts; of two links beside each other, their parent.
    keys = (page.nodes.depth[nodes].astype(np.int64) << 32) | nodes
    around = np.minimum.reduceat(keys, starts) & 0xFFFFFFFF
    alone = np.minimum.reduceat(nodes, starts) == np.maximum.reduceat(nodes, starts)
    link = ~alone & (page.nodes.tag[around] == tags.ID["a"])
    result: Indexes = np.where(link, np.maximum(page.nodes.parent[around], 0), around)
    return result
