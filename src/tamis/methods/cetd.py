"""Content extraction via text density: the elements whose parts have many characters per tag.

Sun, Song and Liao give each element the characters below it over the tags below it. The composite
density corrects that by links: their characters and tags lower it, the more the fewer other
characters there are. A single paragraph may be short, so elements are compared by the sum of the
densities of their children (DensitySum). The element with the largest sum is content; the least
density on its path from the body is the threshold: every element that reaches it, as all above it
do, adds the element with the largest sum inside it.

Our reading: characters are counted without white space; hidden text and elements do not count, as
if they were not there. Links are `a`, `button` and `select`, and the tags inside them are link
tags. Text directly in an element counts in its sum like a child without tags, run by run, as in
the authors' program. 0 tags, 0 link characters and so on count as 1, so that every density is
finite.

When it fails: content whose elements have few characters per tag, such as lists, tables, forums of
short posts and product data; a notice in one long run wins over an article with many tags; where
the body itself is the poorest on the path, dense boilerplate elsewhere passes the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis import limits
from tamis.methods._base import (
    Flags,
    Floats,
    Indexes,
    Method,
    Scores,
    Unit,
    check_choice,
    kept_share,
)
from tamis.methods._shared.sentences import element_name, longest_runs
from tamis.methods._shared.units import list_units
from tamis.page import tags
from tamis.page.subtree import nodes_within, texts_below
from tamis.page.table import Page

_DENSITIES = ("composite", "text")
_THRESHOLDS = ("path", "body")
_LINKS = [tags.ID[name] for name in ("a", "button", "select")]


@dataclass(frozen=True)
class Cetd(Method):
    """Text density of the tree: elements by the sum of the densities of their children."""

    density: str = "composite"
    """Characters per tag, corrected by links (`composite`, CTD) or not (`text`, TD)."""
    threshold: str = "path"
    """The least density on the `path` from the body to the best element, or that of the `body`."""

    citation: ClassVar[str] = (
        "F. Sun, D. Song, L. Liao: DOM Based Content Extraction via Text Density. SIGIR 2011."
    )
    decides_on: ClassVar[str] = "elements"

    def __post_init__(self) -> None:
        """Refuse an unknown density or threshold."""
        check_choice("density", self.density, _DENSITIES)
        check_choice("threshold", self.threshold, _THRESHOLDS)

    def score(self, page: Page) -> Scores:
        """The share of each block's characters that are in an element that was taken."""
        if not (page.texts.flags & tags.HIDDEN == 0).any():
            return np.zeros(len(page.blocks))
        tree = densities(page, self.density)
        return kept_share(page, texts_below(page, self._taken(page, tree)[0]))

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The elements with text: content is in one that has the largest sum where it stands."""
        shown = page.texts.flags & tags.HIDDEN == 0
        filled: Flags = page.sums_below(shown.astype(np.int64)).astype(np.int64) > 0
        rows = np.flatnonzero(filled)
        if not len(rows):
            return ()
        tree = densities(page, self.density)
        taken, threshold = self._taken(page, tree)
        return list_units(
            page,
            np.where(shown, (np.cumsum(filled) - 1)[page.texts.node], -1),
            rows,
            nodes_within(page, taken)[rows].astype(float),
            {
                "density": tree.density[rows].tolist(),
                "DensitySum": tree.sums[rows].tolist(),
                "threshold": [threshold] * len(rows),
            },
        )

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        """The density of the element around each block, and what takes it or keeps it out."""
        tree = densities(page, self.density)
        taken, threshold = self._taken(page, tree)
        inside = texts_below(page, taken)
        owners = zip(page.blocks.node[blocks], longest_runs(page, blocks), strict=True)
        sentences = []
        for node, text in limits.checked(owners, every=10):
            own = f"Its {element_name(page, node)} has a density of {tree.density[node]:.1f}; it is"
            if inside[text]:
                below = page.texts.node[text]
                best = int(taken[(taken <= below) & (page.nodes.last[taken] >= below)][0])
                sentences.append(
                    f"{own} in the {element_name(page, best)} whose parts have the largest sum of"
                    f" densities, {tree.sums[best]:.1f}."
                )
            else:
                sentences.append(
                    f"{own} in no element with the largest sum of densities where the threshold of"
                    f" {threshold:.1f} is reached."
                )
        return sentences

    def _taken(self, page: Page, tree: Densities) -> tuple[Indexes, float]:
        """The elements that are content with all that is in them, and the threshold."""
        nodes = page.nodes
        body = _body(page)
        best, richest = _largest_below(page, tree.sums)
        path = [int(richest[body])]
        while path[-1] > body:
            path.append(int(nodes.parent[path[-1]]))
        least = tree.density[path].min() if self.threshold == "path" else tree.density[body]
        inside = np.arange(body, nodes.last[body] + 1)
        poor = nodes_within(page, inside[tree.density[inside] < least])
        reached = inside[~poor[inside] & (best[inside] > 0)]
        return np.unique(richest[reached]), float(least)


@dataclass(frozen=True, eq=False)
class Densities:
    """Two numbers of each element."""

    density: Floats
    """Text density or composite text density (definitions 1 and 2)."""
    sums: Floats
    """Sum of the densities of its children; of an element without children its own."""


def densities(page: Page, kind: str = "composite") -> Densities:
    """The densities of all elements of a page."""
    nodes, texts = page.nodes, page.texts
    shown: Flags = nodes.flags & tags.HIDDEN == 0
    links = np.flatnonzero(np.isin(nodes.tag, _LINKS) & shown)
    linked = nodes_within(page, links)
    chars = np.where(texts.flags & tags.HIDDEN == 0, texts.chars, 0)
    link_chars = np.where(texts_below(page, links), chars, 0)
    counts = (
        page.sums_below(chars).astype(float),
        _count_below(page, shown),
        page.sums_below(link_chars).astype(float),
        _count_below(page, shown & linked),
    )
    all_chars, all_links = int(chars.sum()), int(link_chars.sum())
    link_share = all_links / max(all_chars, 1)
    density = _density(kind, link_share, *counts)
    nothing = np.zeros(len(texts))
    runs = _density(kind, link_share, chars.astype(float), nothing, link_chars * 1.0, nothing)
    # The body holds all that is shown, so nothing is lost without the root.
    below = np.bincount(nodes.parent[1:], density[1:], len(nodes))
    own = np.bincount(texts.node, runs, len(nodes))
    return Densities(density, np.where(counts[1] > 0, below + own, density))


def _density(
    kind: str, link_share: float, chars: Floats, inside: Floats, link_chars: Floats, links: Floats
) -> Floats:
    """Density by the characters, tags, link characters and link tags of elements.

    `link_share` is that of the characters of the body. TD = C / T; CTD multiplies it by the
    logarithm of (C / LC) (T / LT) to the base ln(C LC / (C - LC) + link_share C + e).
    """
    tags_inside = np.maximum(inside, 1)
    text: Floats = chars / tags_inside
    if kind == "text":
        return text
    plain = np.maximum(chars - link_chars, 1)
    link_chars, links = np.maximum(link_chars, 1), np.maximum(links, 1)
    base = np.log(chars * link_chars / plain + link_share * chars + np.e)
    gain = np.log(np.maximum(chars * tags_inside / (link_chars * links), 1))
    # Without characters the base is 1 and the density 0.
    composite: Floats = text * gain / np.where(chars > 0, np.log(base), 1)
    return composite


def _body(page: Page) -> int:
    return int(np.flatnonzero(page.nodes.tag == tags.ID["body"])[:1].sum())


def _count_below(page: Page, wanted: Flags) -> Floats:
    """For each node how many of the nodes below it are wanted."""
    sums = np.append(0, np.cumsum(wanted))
    result: Floats = (sums[page.nodes.last + 1] - sums[1:]).astype(float)
    return result


def _largest_below(page: Page, values: Floats) -> tuple[Floats, Indexes]:
    """For each node the largest value at or below it, and the first node that has it."""
    nodes = page.nodes
    best = values.copy()
    order = np.argsort(nodes.depth, kind="stable")
    ends = np.cumsum(np.bincount(nodes.depth))
    for depth in range(len(ends) - 1, 0, -1):
        limits.check()
        level = order[ends[depth - 1] : ends[depth]]
        np.maximum.at(best, nodes.parent[level], best[level])
    # One step towards the value: the first child that has it, or nowhere if the node has it itself.
    step = np.arange(len(values))
    children = np.arange(len(values) - 1, 0, -1)
    parents = nodes.parent[children]
    there = (best[children] == best[parents]) & (values[parents] < best[parents])
    step[parents[there]] = children[there]
    for _ in range(int(nodes.depth.max(initial=0)).bit_length()):
        step = step[step]
    return best, step
