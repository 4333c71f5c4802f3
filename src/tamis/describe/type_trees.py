# cython: boundscheck=False
"""The weights of names and the forests of page types, read for one page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.errors import WeightsError

if TYPE_CHECKING:
    import cython
    import numpy.typing as npt

    from tamis.page.arrays import Floats, Ints, Matrix

COMPILED = not __file__.endswith(".py")


class NameWeights:
    """What each name weighs, one number per type."""

    def __init__(self, row_of: Ints, weights: Matrix) -> None:
        """`row_of` has the row of each place in `weights`; row 0 is for places without weights."""
        if row_of.max(initial=0) >= len(weights):
            raise WeightsError("a name has no row in the weights of names")
        self.row_of = row_of
        self.weights = weights
        # One bit per place, which stay in the cache: one name in five has weights.
        self.known = np.packbits(row_of != 0, bitorder="little")

    def weigh(self, places: Ints, out: Matrix) -> None:
        """Add up the weights of names, repeated ones once.

        Each bag has 2**16 places, and one column of sums per type.
        """
        number: cython.Py_ssize_t
        kind: cython.Py_ssize_t
        kinds: cython.Py_ssize_t = self.weights.shape[1]
        seen: cython.uchar[::1] = np.zeros(self.weights.shape[0], np.uint8).data
        for number in range(places.shape[0]):
            place: cython.int = places[number]
            if not self.known[place >> 3] >> (place & 7) & 1:
                continue
            row: cython.int = self.row_of[place]
            if not seen[row]:
                seen[row] = 1
                for kind in range(kinds):
                    out[(place >> 16) * kinds + kind] += self.weights[row, kind]


class TypeTrees:
    """Forests, to be walked by one page: `Forest` is for tables of many rows.

    All trees take a step at a time, so that the processor need not wait for one before it begins
    with the next. The two branches of a node are neighbours; a leaf leads to itself.
    """

    def __init__(self, feature: npt.NDArray[np.int16], value: Matrix, first: Ints) -> None:
        """`feature` and `value` are those of all trees in preorder; a leaf has no feature, but -1.

        `first` are the numbers of the first tree of each forest, and of all trees.
        """
        # From the last node to the first: branches that wait for the node above them.
        waiting: list[int] = []
        right, height = [0] * len(feature), [0] * len(feature)
        is_leaf = (feature < 0).tolist()
        for node in range(len(feature) - 1, -1, -1):
            if not is_leaf[node]:
                left, right[node] = waiting.pop(), waiting.pop()
                height[node] = 1 + max(height[left], height[right[node]])
            waiting.append(node)
        roots = waiting[::-1]
        # The highest trees first: at each step those that have an end are the last.
        heights = np.array([height[root] for root in roots], np.intc)
        by_height = np.argsort(-heights, kind="stable")
        order = [roots[tree] for tree in by_height.tolist()]
        self.place = np.argsort(by_height).astype(np.intc)
        self.walking = np.flip(np.cumsum(np.bincount(heights)[::-1]))[1:].astype(np.intc)
        branch = []
        for place, node in enumerate(order):  # grows while it is read
            branch.append(place if is_leaf[node] else len(order))
            if not is_leaf[node]:
                order += (node + 1, right[node])
        leaf, ordered = feature[order] < 0, value[order]
        self.first = first
        self.feature = np.where(leaf, 0, feature[order]).astype(np.int16)
        self.limit = np.where(leaf, np.inf, ordered).astype(np.float32)
        self.branch = np.array(branch, np.intc)
        self.answer = ordered

    def add(self, columns: Matrix, out: Floats) -> None:
        """Add what the trees of each forest say to the columns of a page, in their order."""
        step: cython.Py_ssize_t
        tree: cython.Py_ssize_t
        forest: cython.Py_ssize_t
        trees: cython.Py_ssize_t = self.first[self.first.shape[0] - 1]
        reached: cython.int[::1] = np.arange(trees, dtype=np.intc).data
        for step in range(self.walking.shape[0]):
            for tree in range(self.walking[step]):
                node: cython.int = reached[tree]
                over: cython.bint = columns[self.feature[node]] > self.limit[node]
                reached[tree] = self.branch[node] + over
        for forest in range(out.shape[0]):
            for tree in range(self.first[forest], self.first[forest + 1]):
                out[forest] += self.answer[reached[self.place[tree]]]
