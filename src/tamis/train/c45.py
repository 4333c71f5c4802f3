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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.page.arrays import Floats

Numbers: TypeAlias = npt.NDArray[Any]
Codes: TypeAlias = npt.NDArray[np.int32]

DEEPEST = 800
"""Levels of a tree at most; those of 676,000 text blocks have 43."""

_MOST_LEAST = 25
_LEAST_SHARE = 0.1
"""A side of a cut has this share of the mean class, but no more than 25 rows are asked for."""
_ROUNDING = 1e-9
"""Gains that differ by less are the same: the first cut is taken on every machine."""
_MEAN_TOLERANCE = 1e-3
"""A column that is nearly of the mean gain competes, as in J48."""
_CELLS = 1 << 21
"""Columns of a node are looked at together up to this many values: few calls, bounded memory."""
_PRUNING_TOLERANCE = 0.1
"""Of a subtree and a leaf with nearly the same errors the leaf is better, as in J48."""


@dataclass(eq=False, slots=True)
class Node:
    """A node with the training rows that reach it; a leaf without `children`."""

    rows: Codes
    counts: Numbers
    """Rows of each class."""
    column: int = -1
    cut: int = -1
    """Of a number: the code of the largest value that goes to the first child."""
    children: list[Node] = field(default_factory=list)
    errors: float = 0.0
    """Expected errors of the subtree."""

    @property
    def wrong(self) -> int:
        """Training rows that are not of the commonest class."""
        return int(self.counts.sum() - self.counts.max())

    def become_leaf(self) -> None:
        self.column, self.cut, self.children = -1, -1, []


@dataclass(frozen=True, eq=False)
class CodedColumns:
    """The values of the training rows by column, in ascending order."""

    values: tuple[Numbers, ...]
    nominal: Mapping[int, int]
    """Nominal columns with the number of their values, which are 0, 1, 2 ..."""

    @classmethod
    def of(cls, table: Numbers, nominal: Mapping[int, int]) -> CodedColumns:
        """The values in a table."""
        values = (
            np.arange(nominal[number]) if number in nominal else np.unique(column)
            for number, column in enumerate(table.T)
        )
        return cls(tuple(values), nominal)

    def encode(self, table: Numbers) -> Codes:
        """The place of each number among the values of its column, one row per column.

        A number is at most a value where its place is at most that of the value.
        """
        return np.array(
            [
                np.searchsorted(values, column).astype(np.int32)
                for values, column in zip(self.values, table.T, strict=True)
            ]
        )

    def threshold(self, node: Node) -> float:
        """The largest value that goes to the first child of a cut."""
        return float(self.values[node.column][node.cut])

    def divide(self, node: Node, codes: Codes, rows: Codes) -> list[Codes]:
        """Some rows by the child that they go to."""
        own = codes[node.column, rows]
        if node.column not in self.nominal:
            first = own <= node.cut
            return [rows[first], rows[~first]]
        sizes = np.bincount(own, minlength=self.nominal[node.column])
        return np.split(rows[np.argsort(own, kind="stable")], np.cumsum(sizes)[:-1])


def walk(root: Node) -> Iterator[Node]:
    """A node and all below it, parents before their children."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


# Growing: which column divides the rows of a node, and where


@dataclass(frozen=True)
class Split:
    """How well a column divides the rows of a node."""

    column: int
    gain: float
    ratio: float
    cut: int = -1


@dataclass(frozen=True, eq=False)
class Growth:
    """The training rows, how few of them a branch may have, and how much is pruned."""

    columns: CodedColumns
    codes: Codes
    labels: Codes
    classes: int
    least: int
    confidence: float = 0.25

    def grow(self) -> Node:
        root = self.make_leaf(np.arange(len(self.labels), dtype=np.int32))
        bits = n_log_n(len(self.labels))
        stack = [(root, 0)]
        while stack:
            node, depth = stack.pop()
            split = self._choose_split(node, bits) if depth < DEEPEST else None
            if split is None:
                continue
            node.column, node.cut = split.column, split.cut
            parts = self.columns.divide(node, self.codes, node.rows)
            node.children = [self.make_leaf(part) for part in parts]
            stack += [(child, depth + 1) for child in node.children]
        return root

    def make_leaf(self, rows: Codes) -> Node:
        return Node(rows, np.bincount(self.labels[rows], minlength=self.classes))

    def _choose_split(self, node: Node, bits: Floats) -> Split | None:
        """The split of a node by gain ratio; None if it stays a leaf."""
        if len(node.rows) < 2 * self.least or not node.wrong:
            return None
        splits = [*self._find_cuts(node, bits), *self._divide_by_value(node, bits)]
        splits.sort(key=lambda split: split.column)
        if not splits:
            return None
        mean = sum(split.gain for split in splits) / len(splits)
        best = None
        for split in splits:
            above = best.ratio if best else 0.0
            if split.gain >= mean - _MEAN_TOLERANCE and split.ratio > above + _ROUNDING:
                best = split
        return best

    def _find_cuts(self, node: Node, bits: Floats) -> Iterator[Split]:
        """The best cut of each column of numbers."""
        size = len(node.rows)
        share = min(_MOST_LEAST, _LEAST_SHARE * size / self.classes)
        fewest = math.ceil(max(self.least, share))
        if size < 2 * fewest:
            return
        numbers = np.setdiff1d(np.arange(len(self.codes)), list(self.columns.nominal))
        step = max(1, _CELLS // size)
        for place in range(0, len(numbers), step):
            yield from self._find_best_cuts(numbers[place : place + step], node, fewest, bits)

    def _find_best_cuts(
        self, numbers: Numbers, node: Node, fewest: int, bits: Floats
    ) -> Iterator[Split]:
        """The best cut of each of some columns: all cuts of rows that are sorted by value."""
        size = len(node.rows)
        shift = max(1, self.classes - 1).bit_length()
        labels = self.labels[node.rows]
        keys = np.sort((self.codes[numbers[:, None], node.rows] << shift) | labels, axis=1)
        codes, classes = keys >> shift, keys & ((1 << shift) - 1)
        changes = codes[:, fewest - 1 : size - fewest] != codes[:, fewest : size - fewest + 1]
        place, before = np.nonzero(changes)
        if not len(place):
            return
        before += fewest  # rows of the first side
        rest: Numbers = before
        after = bits[before] + bits[size - before]
        for number in range(self.classes):
            own: Numbers = rest
            if number < self.classes - 1:
                own = np.cumsum(classes == number, axis=1, dtype=np.int32)[place, before - 1]
                rest = rest - own
            after -= bits[own] + bits[node.counts[number] - own]
        gain = (_measure_disorder(node.counts, bits) - after) / size
        found, first, tries = np.unique(place, return_index=True, return_counts=True)
        largest = np.maximum.reduceat(gain, first)
        good = np.flatnonzero(gain >= np.repeat(largest, tries) - _ROUNDING)
        best = good[np.unique(place[good], return_index=True)[1]]
        for row, cut, count in zip(found.tolist(), best.tolist(), tries.tolist(), strict=True):
            corrected = float(gain[cut]) - math.log2(count) / size
            if corrected <= _ROUNDING:
                continue
            sides = np.array((before[cut], size - before[cut]))
            column = int(numbers[row])
            values = self.columns.values[column]
            low, high = codes[row, before[cut] - 1 : before[cut] + 1]
            middle = (float(values[low]) + float(values[high])) / 2
            at_most = int(np.searchsorted(values, middle, side="right")) - 1
            yield Split(
                column, corrected, corrected * size / _measure_disorder(sides, bits), at_most
            )

    def _divide_by_value(self, node: Node, bits: Floats) -> Iterator[Split]:
        """The split of each nominal column."""
        labels, size = self.labels[node.rows], len(node.rows)
        for column, values in self.columns.nominal.items():
            keys = self.codes[column, node.rows] * self.classes + labels
            counts = np.bincount(keys, minlength=values * self.classes)
            counts = counts.reshape(values, self.classes)
            branches = counts.sum(axis=1)
            if np.count_nonzero(branches >= self.least) < 2:
                continue
            after = float(bits[branches].sum() - bits[counts].sum())
            gain = (_measure_disorder(node.counts, bits) - after) / size
            yield Split(column, gain, gain * size / _measure_disorder(branches, bits))

    # Pruning, by the errors that are to be expected

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
        for node in walk(root):
            if not node.children:
                continue
            parts = self.columns.divide(node, self.codes, node.rows)
            for child, part in zip(node.children, parts, strict=True):
                fresh = self.make_leaf(part)
                child.rows, child.counts = fresh.rows, fresh.counts

    def _expect_errors_with(self, root: Node, rows: Codes) -> float:
        """The errors to expect of a subtree that gets more rows."""
        total = 0.0
        stack = [(root, rows)]
        while stack:
            node, rows = stack.pop()
            if not len(rows):
                total += node.errors
            elif not node.children:
                total += self._expect_errors(node.counts + self.make_leaf(rows).counts)
            else:
                parts = self.columns.divide(node, self.codes, rows)
                stack += zip(node.children, parts, strict=True)
        return total

    def _expect_errors(self, counts: Numbers) -> float:
        size = int(counts.sum())
        errors = size - int(counts.max())
        return errors + added_errors(size, errors, self.confidence)


def n_log_n(most: int) -> Floats:
    """n log2 n of the numbers from 0 on."""
    numbers = np.arange(most + 1, dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1))


def _measure_disorder(counts: Numbers, bits: Floats) -> float:
    """The bits to tell the kind of each of these rows: their number times the entropy."""
    return float(bits[counts.sum()] - bits[counts].sum())


# The learned tree


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
        labels = numbers.astype(np.int32)
        growth = Growth(columns, codes, labels, len(classes), self.least, self.confidence)
        root = growth.grow()
        collapse(root)
        growth.prune(root)
        return DecisionTree(root, columns, classes, self.smoothing)


# Pruning


def collapse(root: Node) -> None:
    for node in reversed(list(walk(root))):
        node.errors = sum(child.errors for child in node.children) if node.children else node.wrong
        if node.children and node.errors >= node.wrong:
            node.become_leaf()
            node.errors = node.wrong


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
