"""C4.5: decision trees by gain ratio, pruned by pessimistic errors (Quinlan 1993 and 1996).

The learner of Kim et al. is J48, WEKA's C4.5. This one follows it for rows without missing values:

- A number is cut in two where the information gain is largest, both sides with at least `least`
  rows and, where that is more, a tenth of the rows per class, up to 25. The gain is lowered by what
  it takes to say which cut it was: the logarithm of the number of possible cuts over the rows (the
  MDL correction). The threshold is a value of the training rows: the largest not above the middle.
- A nominal column has one branch for each value. At least two of them have `least` rows.
- Of the columns with at least the mean gain, the one with the largest gain ratio is taken.
- A subtree that makes no fewer errors on the training rows than a leaf becomes one.
- Pruning compares what a subtree, a leaf in its place, and its largest branch in its place
  ("subtree raising") are expected to get wrong: the errors on the training rows and what
  `confidence` adds to them. Above 0.5 it adds nothing, as in WEKA: what is pruned then are splits
  that save no error.

A leaf answers with the shares of the classes among its rows, an empty one with those of its parent.
Leaves of few rows make these shares extreme. `smoothing` draws those of every node towards those of
the node above, as Quinlan's M5 does with its values (1992): a node of n rows has
(n share + smoothing shares above) / (n + smoothing).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from tamis.page.arrays import Floats
from tamis.train.gain_ratio import CodedColumns, Codes, Growth, Node, Numbers, walk

_PRUNING_TOLERANCE = 0.1
"""Of a subtree and a leaf with nearly the same errors the leaf is better, as in J48."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """A learned tree."""

    root: Node
    columns: CodedColumns
    classes: Numbers
    smoothing: float

    def predict(self, table: Numbers) -> Numbers:
        predicted: Numbers = self.classes[self.shares(table).argmax(axis=1)]
        return predicted

    def shares(self, table: Numbers) -> Floats:
        """The shares of the classes in the leaf that each row ends at."""
        codes = self.columns.encode(table)
        result = np.zeros((len(table), len(self.classes)))
        rows = np.arange(len(table), dtype=np.int32)
        stack = [(self.root, rows, self.root.counts / self.root.counts.sum())]
        while stack:
            node, rows, above = stack.pop()
            if not len(rows):
                continue
            shares = self.shares_of(node, above)
            if not node.children:
                result[rows] = shares
                continue
            parts = self.columns.divide(node, codes, rows)
            stack += [(*each, shares) for each in zip(node.children, parts, strict=True)]
        return result

    def shares_of(self, node: Node, above: Floats) -> Floats:
        """The shares of the classes at a node, from its rows and the shares at the node above."""
        weight = self.smoothing if len(node.rows) else 1.0
        shares: Floats = (node.counts + weight * above) / (len(node.rows) + weight)
        return shares

    def nodes(self) -> list[Node]:
        return list(walk(self.root))


@dataclass(frozen=True)
class Learner:
    """C4.5 with its parameters; the defaults are those of J48."""

    confidence: float = 0.25
    """The lower, the more is pruned; above 0.5 nothing is added to the errors."""
    least: int = 2
    """Rows that at least two branches of a split have."""
    smoothing: float = 0.0
    """Rows that the shares at the node above count for in the shares at a node (Quinlan 1992)."""
    nominal: Mapping[int, int] = field(default_factory=dict)
    """Nominal columns with the number of their values, which are 0, 1, 2 ..."""

    def fit(self, table: Numbers, labels: Numbers) -> DecisionTree:
        """Learn a tree from a table, one row per label."""
        classes, numbers = np.unique(labels, return_inverse=True)
        columns = CodedColumns.of(table, self.nominal)
        codes = columns.encode(table)
        growth = Growth(columns, codes, numbers.astype(np.int32), len(classes), self.least)
        root = growth.grow()
        collapse(root)
        Pruning(growth, self.confidence).prune(root)
        return DecisionTree(root, columns, classes, self.smoothing)


# Pruning


def collapse(root: Node) -> None:
    for node in reversed(list(walk(root))):
        node.errors = sum(child.errors for child in node.children) if node.children else node.wrong
        if node.children and node.errors >= node.wrong:
            node.become_leaf()
            node.errors = node.wrong


@dataclass(frozen=True, eq=False)
class Pruning:
    """Pruning by the errors that are to be expected."""

    growth: Growth
    confidence: float

    def prune(self, root: Node) -> None:
        stack = [(root, False)]
        while stack:
            node, are_children_pruned = stack.pop()
            if not node.children:
                node.errors = self._expect_errors(node.counts)
            elif not are_children_pruned:
                stack.append((node, True))
                stack += [(child, False) for child in node.children]
            elif self._prune_node(node):
                stack.append((node, False))

    def _prune_node(self, node: Node) -> bool:
        """Prune a node whose children are; whether its largest branch has its place now."""
        largest = max(node.children, key=lambda child: len(child.rows))
        others = np.concatenate([child.rows for child in node.children if child is not largest])
        as_tree = sum(child.errors for child in node.children)
        as_branch = self._expect_errors_with(largest, others)
        as_leaf = self._expect_errors(node.counts)
        if as_leaf <= min(as_tree, as_branch) + _PRUNING_TOLERANCE:
            node.become_leaf()
            node.errors = as_leaf
        elif as_branch <= as_tree + _PRUNING_TOLERANCE:
            node.column, node.cut, node.children = largest.column, largest.cut, largest.children
            self._send_rows(node)
            return True
        else:
            node.errors = as_tree
        return False

    def _send_rows(self, root: Node) -> None:
        """Send the rows of a node down to its leaves."""
        growth = self.growth
        for node in walk(root):
            if not node.children:
                continue
            parts = growth.columns.divide(node, growth.codes, node.rows)
            for child, part in zip(node.children, parts, strict=True):
                fresh = growth.make_leaf(part)
                child.rows, child.counts = fresh.rows, fresh.counts

    def _expect_errors_with(self, root: Node, rows: Codes) -> float:
        """The errors to expect of a subtree that gets more rows."""
        growth, total = self.growth, 0.0
        stack = [(root, rows)]
        while stack:
            node, rows = stack.pop()
            if not len(rows):
                total += node.errors
            elif not node.children:
                total += self._expect_errors(node.counts + growth.make_leaf(rows).counts)
            else:
                parts = growth.columns.divide(node, growth.codes, rows)
                stack += zip(node.children, parts, strict=True)
        return total

    def _expect_errors(self, counts: Numbers) -> float:
        size = int(counts.sum())
        errors = size - int(counts.max())
        return errors + added_errors(size, errors, self.confidence)


def added_errors(size: int, errors: float, confidence: float) -> float:
    """What the errors of a leaf are raised by to the upper limit of their confidence interval.

    The limit is Wilson's with the continuity correction. It does not hold for less than one error:
    without any the limit is exact, and between none and one it is interpolated.
    """
    if confidence > 0.5 or not size:
        return 0.0
    if errors < 1:
        none: float = size * (1 - confidence ** (1 / size))
        return none + errors * (added_errors(size, 1, confidence) - none) if errors else none
    if errors + 0.5 >= size:
        return max(size - errors, 0.0)
    deviation = NormalDist().inv_cdf(1 - confidence)
    share, square = (errors + 0.5) / size, deviation**2
    spread = deviation * math.sqrt((share * (1 - share) + square / (4 * size)) / size)
    limit = (share + square / (2 * size) + spread) / (1 + square / size)
    return limit * size - errors
