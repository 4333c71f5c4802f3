"""Numbers of blocks and elements that several published methods look at.

Tag ratios, smoothed, their derivative and the clusters of both are from CETR (Weninger, Hsu, Han
2010), text densities of elements from CETD (Sun, Song, Liao 2011). Peters and Lecocq (2013) take
them over as features. Functions of curves work on any sequence of units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import visible_texts
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.structure.subtrees import mark_nodes, mark_texts
from tamis.page.table import Page

# Beyond four standard deviations a Gaussian is next to nothing.
_REACH = 4
# Lloyd's iterations settle in 3 to 20 on real pages; the bound is for the others.
_MOST_ITERATIONS = 100


def previous_values(values: Floats) -> Floats:
    """The value of the unit before each unit, 0 at the first."""
    return np.concatenate((np.zeros(1), values[:-1])) if len(values) else values


def next_values(values: Floats) -> Floats:
    """The value of the unit after each unit, 0 at the last."""
    return np.concatenate((values[1:], np.zeros(1))) if len(values) else values


def tag_ratios(page: Page, blocks: Indexes) -> Floats:
    """Characters of each block over its tags, at least 1.

    The tags of a block are those between the end of the text before it and its own last text:
    the end tags of the block before, its own start tags, and the inline tags inside.
    """
    last = page.blocks.end_text[blocks] - 1
    before = page.blocks.first_text[blocks] - 1
    tags_at = page.texts.tags
    tags_before = np.where(before < 0, 0, tags_at[before])
    return page.blocks.chars[blocks] / np.maximum(tags_at[last] - tags_before, 1)


def smooth_values(values: Floats, deviation: float = 1.0) -> Floats:
    """Each value with its neighbours, weighted by a Gaussian of that standard deviation.

    At the ends the weights that are left are scaled to 1.
    """
    reach = min(math.ceil(_REACH * deviation), len(values) - 1)
    if reach < 1:
        return values
    kernel = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * deviation**2))
    inside = slice(reach, reach + len(values))
    weights = np.convolve(np.ones(len(values)), kernel)[inside]
    result: Floats = np.convolve(values, kernel)[inside] / weights
    return result


def derive_values(values: Floats, window: int = 3) -> Floats:
    """How far the mean of the next values is from each value: rise and fall of the curve.

    Of the last values fewer come next; the last of all has 0.
    """
    sums = np.concatenate((np.zeros(1), np.cumsum(values)))
    first = np.arange(1, len(values) + 1)
    end = np.minimum(first + window, len(values))
    next_mean = (sums[end] - sums[first]) / np.maximum(end - first, 1)
    return np.where(end > first, next_mean - values, 0.0)


def absolute_derivative(values: Floats, window: int = 3, deviation: float = 1.0) -> Floats:
    """The derivative of a curve, smoothed, without its sign: high at the borders of content."""
    return np.abs(smooth_values(derive_values(values, window), deviation))


STARTS = ("diagonal", "random")


def leave_origin(
    ratios: Floats, derivatives: Floats, clusters: int = 3, start: str = "diagonal"
) -> Flags:
    verdict: Flags = cluster_points(ratios, derivatives, clusters, start)[0] != 0
    return verdict


def cluster_points(
    ratios: Floats, derivatives: Floats, clusters: int = 3, start: str = "diagonal"
) -> tuple[Indexes, Floats, Floats]:
    """The cluster of each point, and the centroids: k-means, the first one fixed at the origin.

    The other centroids start on the diagonal of the box around the points, at equal steps, or at
    random points, the same on every run: the same page always has the same clusters.
    """
    if start == "random" and len(ratios):
        points = np.random.default_rng(len(ratios)).integers(len(ratios), size=clusters - 1)
        across, up = (np.append(0.0, values[points]) for values in (ratios, derivatives))
    else:
        steps = np.arange(clusters) / (clusters - 1)
        across, up = steps * ratios.max(initial=0.0), steps * derivatives.max(initial=0.0)
    nearest = _find_nearest(ratios, derivatives, across, up)
    for _ in range(_MOST_ITERATIONS):
        limits.check()
        counts = np.bincount(nearest, minlength=clusters)
        filled = counts > 0
        filled[0] = False  # the origin stays
        counts = np.maximum(counts, 1)
        across = np.where(filled, np.bincount(nearest, ratios, clusters) / counts, across)
        up = np.where(filled, np.bincount(nearest, derivatives, clusters) / counts, up)
        before, nearest = nearest, _find_nearest(ratios, derivatives, across, up)
        if np.array_equal(before, nearest):
            break
    return nearest, across, up


def _find_nearest(xs: Floats, ys: Floats, across: Floats, up: Floats) -> Indexes:
    """The centroid nearest to each point, the first of equals."""
    least = xs**2 + ys**2
    nearest = np.zeros(len(xs), np.intp)
    for centroid in range(1, len(across)):
        distance = (xs - across[centroid]) ** 2 + (ys - up[centroid]) ** 2
        nearest[distance < least] = centroid
        least = np.minimum(least, distance)
    return nearest


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
