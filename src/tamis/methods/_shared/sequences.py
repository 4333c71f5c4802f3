"""Numbers of units in page order: their neighbours, tag ratios, curves and clusters of curves.

Tag ratios, smoothed, their derivative and the clusters of both are from CETR (Weninger, Hsu, Han
2010), which Peters and Lecocq (2013) take over. The functions work on any sequence of units;
`tag_ratios` takes blocks as the unit.
"""

from __future__ import annotations

import math

import numpy as np

from tamis._runtime import limits
from tamis.page.arrays import Flags, Floats, Indexes
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
