"""Text densities of the elements of a page, after Sun, Song and Liao (2011), and what they choose.

`methods.cetd` is the whole method; `methods.dragnet` takes its numbers as features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import visible_texts
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.structure.subtrees import mark_nodes, mark_texts
from tamis.page.table import Page

DENSITIES = ("composite", "text")
THRESHOLDS = ("path", "body")
_LINKS = tags.find_ids("a button select")


@dataclass(frozen=True, eq=False)
class Densities:
    """Two numbers of each element."""

    density: Floats
    """Text density or composite text density (definitions 1 and 2)."""
    sums: Floats
    """Sum of the densities of its children; of an element without children its own."""


def measure_densities(page: Page, kind: str = "composite") -> Densities:
    nodes, texts = page.nodes, page.texts
    shown: Flags = nodes.flags & tags.HIDDEN == 0
    links = np.flatnonzero(np.isin(nodes.tag, _LINKS) & shown)
    linked = mark_nodes(page, links)
    chars = np.where(visible_texts(page), texts.chars, 0)
    link_chars = np.where(mark_texts(page, links), chars, 0)
    counts = (
        page.sums_below(chars).astype(float),
        _count_below(page, shown),
        page.sums_below(link_chars).astype(float),
        _count_below(page, shown & linked),
    )
    all_chars, all_links = int(chars.sum()), int(link_chars.sum())
    link_share = all_links / max(all_chars, 1)
    density = _compute_density(kind, link_share, *counts)
    nothing = np.zeros(len(texts))
    runs = _compute_density(
        kind, link_share, chars.astype(float), nothing, link_chars * 1.0, nothing
    )
    # The body holds all that is shown, so nothing is lost without the root.
    below = np.bincount(nodes.parent[1:], density[1:], len(nodes))
    own = np.bincount(texts.node, runs, len(nodes))
    return Densities(density, np.where(counts[1] > 0, below + own, density))


def content_elements(page: Page, tree: Densities, threshold: str = "path") -> tuple[Indexes, float]:
    """The elements that are content with all that is in them, and the threshold.

    That is the least density on the `path` from the body to the element with the largest sum, or
    the density of the `body`.
    """
    nodes = page.nodes
    body = _find_body(page)
    best, richest = _largest_below(page, tree.sums)
    path = [int(richest[body])]
    while path[-1] > body:
        path.append(int(nodes.parent[path[-1]]))
    least = tree.density[path].min() if threshold == "path" else tree.density[body]
    inside = np.arange(body, nodes.last[body] + 1)
    poor = mark_nodes(page, inside[tree.density[inside] < least])
    reached = inside[~poor[inside] & (best[inside] > 0)]
    return np.unique(richest[reached]), float(least)


def _compute_density(
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


def _find_body(page: Page) -> int:
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
