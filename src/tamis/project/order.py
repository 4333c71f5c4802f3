"""Which pages teach most: those with close decisions that are unlike the labelled ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]

# Pages that are chosen one after another, each far from those before; the rest by one look.
_GREEDY = 200


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
    distance = np.full(len(vectors), 2.0)
    for known in labelled:
        distance = np.minimum(distance, _distances(vectors, known))
    left = np.ones(len(vectors), bool)
    order: list[int] = []
    for _ in range(min(_GREEDY, len(vectors))):
        # Rounded, so that the order of a sum on another machine changes nothing.
        value = np.where(left, np.round((distance + 1e-3) * doubt, 6), -1.0)
        best = int(value.argmax())
        order.append(best)
        left[best] = False
        distance = np.minimum(distance, _distances(vectors, vectors[best]))
    rest = np.flatnonzero(left)
    value = np.round((distance + 1e-3) * doubt, 6)[rest]
    order.extend(rest[np.argsort(-value, kind="stable")].tolist())
    return order


def _distances(vectors: Vectors, other: Vectors) -> npt.NDArray[np.float64]:
    distances: npt.NDArray[np.float64] = np.sqrt(((vectors - other) ** 2).sum(axis=1))
    return distances.astype(float)
