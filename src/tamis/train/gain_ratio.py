"""Growing of C4.5's trees: which column divides the rows of a node, and where (`train.c45`)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Split:
    """How well a column divides the rows of a node."""

    column: int
    gain: float
    ratio: float
    cut: int = -1


@dataclass(frozen=True, eq=False)
class Growth:
    """The training rows, and how few of them a branch may have."""

    columns: CodedColumns
    codes: Codes
    labels: Codes
    classes: int
    least: int

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
        fewest = min(_MOST_LEAST, _LEAST_SHARE * size / self.classes)
        fewest = math.ceil(max(self.least, fewest))
        if size < 2 * fewest:
            return
        numbers = [
            column for column in range(len(self.codes)) if column not in self.columns.nominal
        ]
        step = max(1, _CELLS // size)
        for place in range(0, len(numbers), step):
            yield from self._find_best_cuts(
                np.array(numbers[place : place + step]), node, fewest, bits
            )

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


def n_log_n(most: int) -> Floats:
    """n log2 n of the numbers from 0 on."""
    numbers = np.arange(most + 1, dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1))


def _measure_disorder(counts: Numbers, bits: Floats) -> float:
    """The bits to tell the kind of each of these rows: their number times the entropy."""
    return float(bits[counts.sum()] - bits[counts].sum())
