"""Decision trees as flat arrays: one row per node, all rows of a table walked level by level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.errors import WeightsError
from tamis.model.weights.load import Arrays
from tamis.page.arrays import Floats

LEAF = -1
DEEPEST = 1000
"""Levels of a tree at most: each is a step of a walk. The shipped ones have 43 at most."""


@dataclass(frozen=True, eq=False)
class Tree:
    """A binary tree. Node 0 is the root; a child has a higher number than its parent."""

    feature: npt.NDArray[np.int32]
    """Column to look at, `LEAF` at a leaf."""
    threshold: Floats
    """Left if the column's value is at most this, else right."""
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: Floats
    """What a leaf answers."""

    @classmethod
    def from_arrays(cls, arrays: Arrays, columns: int) -> Tree:
        """The tree in `arrays`, for tables of that many columns; a `WeightsError` if it is none."""
        missing = [name for name in cls.__dataclass_fields__ if name not in arrays]
        if missing:
            raise WeightsError(f"these arrays are no tree: {missing[0]!r} is missing")
        given = {name: np.asarray(arrays[name]) for name in cls.__dataclass_fields__}
        for name, array in given.items():
            if array.dtype.kind not in ("f" if name in ("threshold", "value") else "i"):
                raise WeightsError(f"these arrays are no tree: {name!r} is of type {array.dtype}")
        if not _is_sound(given, columns):
            raise WeightsError(
                "these arrays are no tree: a child, a column or a value is out of range"
            )
        if _is_too_deep(given):
            raise WeightsError(f"these arrays are no tree: a node is below {DEEPEST} others")
        return cls(
            *(given["feature"].astype(np.int32), given["threshold"].astype(np.float64)),
            *(given["left"].astype(np.int32), given["right"].astype(np.int32)),
            given["value"].astype(np.float64),
        )

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The tree as arrays, for `tamis.model.weights.load.save`."""
        return dict(vars(self))

    def predict(self, table: Floats) -> Floats:
        """The value of the leaf that each row of the table ends at."""
        return self.value[self.find_leaves(table)]

    def find_bounds(self, leaf: int) -> dict[int, tuple[float, float]]:
        """What leads to a leaf, from the root on: columns, above and up to what they must be."""
        above = np.full(len(self.feature), -1, np.int32)
        inner = np.flatnonzero(self.feature != LEAF)
        above[self.left[inner]] = above[self.right[inner]] = inner
        path = [leaf]
        while above[path[-1]] >= 0:
            path.append(int(above[path[-1]]))
        bounds: dict[int, tuple[float, float]] = {}
        for child, node in reversed(list(pairwise(path))):
            low, high = bounds.get(column := int(self.feature[node]), (-math.inf, math.inf))
            threshold = float(self.threshold[node])
            if child == self.left[node]:
                bounds[column] = low, min(high, threshold)
            else:
                bounds[column] = max(low, threshold), high
        return bounds

    def find_leaves(self, table: Floats) -> npt.NDArray[np.int32]:
        """The leaf that each row of the table ends at.

        Thresholds were learned from values in single precision; compared in double, a value next
        to a threshold could go the other way.
        """
        table = table.astype(np.float32)
        node = np.zeros(len(table), dtype=np.int32)
        walking = np.arange(len(table))
        while True:
            feature = self.feature[node[walking]]
            inner = feature != LEAF
            walking, feature = walking[inner], feature[inner]
            if not len(walking):
                return node
            at = node[walking]
            to_left = table[walking, feature].astype(np.float64) <= self.threshold[at]
            node[walking] = np.where(to_left, self.left[at], self.right[at])


def _is_sound(arrays: Arrays, columns: int) -> bool:
    feature, left, right, value = (arrays[name] for name in ("feature", "left", "right", "value"))
    size = feature.size
    if not size or any(array.shape != (size,) for array in arrays.values()):
        return False
    inner = np.flatnonzero(feature != LEAF)
    children = np.concatenate((left[inner], right[inner]))
    # A child after its parent, and of no other: the walk ends.
    return bool(
        (feature >= LEAF).all()
        and (feature < columns).all()
        and (children > np.concatenate((inner, inner))).all()
        and (children < size).all()
        and np.bincount(children).max(initial=0) <= 1
        and np.isfinite(value).all()
        and np.isfinite(arrays["threshold"]).all()
    )


def _is_too_deep(arrays: Arrays) -> bool:
    level = np.zeros(1, np.intp)
    for _ in range(DEEPEST + 1):
        level = level[arrays["feature"][level] != LEAF]
        if not len(level):
            return False
        level = np.concatenate((arrays["left"][level], arrays["right"][level]))
    return True
