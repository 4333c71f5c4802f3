"""Which pages teach most: those with close decisions that are unlike the labelled ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

# Pages that are chosen one after another, each far from those before; the rest by one look.
_GREEDY = 200
# Of a page when nothing is labelled yet.
_FAR = 2.0
# Labelled pages that are compared at a time.
_AT_ONCE = 256


def teaching_order(
    vectors: Vectors, close: Sequence[int], labelled: Vectors, blocks: Sequence[int]
) -> list[int]:
    """Places of the open pages, those that teach most first; always the same for the same pages.

    Farthest-first: each page is the one whose distance to the labelled pages and to those before,
    times its share of close decisions, is greatest. Of equals the earlier one comes first.
    """
    if not len(vectors):
        return []
    doubt = 0.05 + np.sqrt(np.asarray(close) / np.maximum(np.asarray(blocks), 1))
    distance = np.full(len(vectors), _FAR)
    for start in range(0, len(labelled), _AT_ONCE):
        known = labelled[start : start + _AT_ONCE]
        distance = np.minimum(distance, _distances(vectors, known).min(axis=1))
    left = np.ones(len(vectors), bool)
    order: list[int] = []
    for _ in range(min(_GREEDY, len(vectors))):
        # Rounded, so that the order of a sum on another machine changes nothing.
        value = np.where(left, np.round((distance + 1e-3) * doubt, 6), -1.0)
        best = int(value.argmax())
        order.append(best)
        left[best] = False
        distance = np.minimum(distance, _distances(vectors, vectors[best : best + 1])[:, 0])
    rest = np.flatnonzero(left)
    value = np.round((distance + 1e-3) * doubt, 6)[rest]
    order.extend(rest[np.argsort(-value, kind="stable")].tolist())
    return order


def _distances(vectors: Vectors, others: Vectors) -> npt.NDArray[np.float64]:
    ours, theirs = vectors.astype(float), others.astype(float)
    squares = (ours**2).sum(axis=1)[:, None] + (theirs**2).sum(axis=1) - 2 * ours @ theirs.T
    distances: npt.NDArray[np.float64] = np.sqrt(np.maximum(squares, 0.0))
    return distances
