"""Fitting of text block context: the attributes of Kim 2013 in a tree by C4.5."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tamis.labels.alignment import piece_shares
from tamis.labels.datasets import Example
from tamis.methods import text_block_context as context
from tamis.methods._base import check_choice
from tamis.model.weights.decision_tree import LEAF, Tree
from tamis.model.weights.load import Arrays
from tamis.page.reader import parse
from tamis.train import c45
from tamis.train import feature_table as fit
from tamis.train.c45 import CodedColumns, Node, Numbers
from tamis.train.feature_table import CONTENT_SHARE, FeatureTable, Fitted, Rows


@dataclass(frozen=True)
class ContextTraining:
    """How the tree is trained."""

    confidence: float = 0.7
    """Confidence factor of the pruning (Kim, sec. 4.3). Above 0.5 nothing is added to the errors on
    the training pages, so only splits go that save none."""
    least: int = 10
    """Fewest text blocks of a branch (Kim, sec. 4.3): half of the content blocks of a mean page."""
    text: str = "visible"
    """The text that is learned from, as the parameter of the method: `visible` or `all`."""
    smoothing: float = 1.0
    """How many pages' content blocks the share of content at a node counts for in that of the nodes
    below; 0 for the plain share in a leaf, as J48 has it. F on part of the training pages by folds
    over sites is .668 without and .685 with it (`benchmarks/text_blocks.py --leaves`)."""

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise ValueError(f"confidence is above 0 and below 1, not {self.confidence:g}")
        if self.least < 1:
            raise ValueError(f"least is at least 1, not {self.least}")
        if not 0 <= self.smoothing < math.inf:
            raise ValueError(f"smoothing is a number from 0 on, not {self.smoothing:g}")
        check_choice("text", self.text, context.TEXTS)

    def learner(self, table: FeatureTable) -> c45.Learner:
        smoothing = self.smoothing * mean_content(table)
        return c45.Learner(self.confidence, self.least, smoothing, NOMINAL)


NOMINAL = {
    column: len(context.PARENTS) + 1
    for column, name in enumerate(context.NAMES)
    if name.startswith("parent")
}
"""The columns of the attributes that have the parent, with the number of its values."""


def mean_content(table: FeatureTable) -> float:
    """Content blocks of a mean page: 97 of those that the shipped weights learned from."""
    return int(table.content.sum()) / max(1, len(np.unique(table.page)))


def train(
    training: ContextTraining, paths: Sequence[Path], out: Path, *, rows: int, **more: Any
) -> dict[str, float]:
    """Train on the sets, as `fit.run`."""
    table_of, fitted = partial(unit_table, training.text), partial(fit_and_measure, training)
    return fit.train_learner(table_of, fitted, paths, out, rows=rows, **more)


def unit_table(text: str, pages: Iterable[Example]) -> FeatureTable:
    """The attributes, one row per text block in the paper's sense, with labels from gold text."""
    return fit.collect_rows(pages, partial(_unit_rows, text))


def _unit_rows(text: str, example: Example) -> Rows:
    page = parse(example.html)
    units = context.cut_units(page, text)
    content = piece_shares(context.unit_texts(page, units), example.text or "") > CONTENT_SHARE
    return context.measure_units(units), content, units.words, []


# The tree


def columns_of(table: FeatureTable) -> Numbers:
    """The attributes in single precision, in which a tree of weights compares."""
    return table.rows.astype(np.float32)


def fit_and_measure(training: ContextTraining, table: FeatureTable, seed: int = 0) -> Fitted:
    part = table.sample(fit.MEASURED_ROWS, seed)
    measured = fit.measure_by_folds(columns_of(part), part, lambda: training.learner(part), seed)
    features = ("text_block_context", context.SPEC, context.BINARY_NAMES)
    return features, fit_weights(training, table), measured


def fit_weights(training: ContextTraining, table: FeatureTable) -> Arrays:
    """The weights: the tree, and the text that it learned from."""
    learned = training.learner(table).fit(columns_of(table), table.content)
    return {"text": np.array(training.text, dtype=np.str_), **binary_tree(learned).to_arrays()}


def binary_tree(learned: c45.DecisionTree) -> Tree:
    """A tree over the columns of `context.binary` that answers the share of content.

    A split by parent becomes a chain of tests for one value after the other, the commonest first;
    values without a training row end together at the share of the node.
    """
    content = learned.classes.tolist().index(True) if learned.classes.any() else None
    tree = _Chained(learned.columns)
    stack = [(learned.root, tree.add_leaf(), learned.root.counts / learned.root.counts.sum())]
    while stack:
        node, place, above = stack.pop()
        shares = learned.shares_of(node, above)
        tree.values[place] = 0.0 if content is None else round(float(shares[content]), 4)
        if node.children:
            stack += [(child, number, shares) for child, number in tree.divide(place, node)]
    return tree.as_tree()


class _Chained:
    """The nodes of a binary tree in the making."""

    def __init__(self, columns: CodedColumns) -> None:
        self.columns = columns
        self.tests: list[tuple[int, float, int, int]] = []
        """Feature, threshold, left and right of each node, as the weights have them."""
        self.values: list[float] = []

    def add_leaf(self, value: float = 0.0) -> int:
        self.tests.append((LEAF, 0.0, -1, -1))
        self.values.append(value)
        return len(self.tests) - 1

    def divide(self, place: int, node: Node) -> list[tuple[Node, int]]:
        """Let a leaf divide as a node of C4.5: its children with their numbers."""
        first = BINARY_COLUMN[node.column]
        if node.column not in NOMINAL:
            left, right = self._test(place, first, self.columns.threshold(node))
            return [(node.children[0], left), (node.children[1], right)]
        known = [value for value, child in enumerate(node.children) if len(child.rows)]
        known.sort(key=lambda value: -len(node.children[value].rows))
        numbers = []
        for value in known:
            if value == known[-1] and len(known) == len(node.children):
                numbers.append(place)  # what is left
                break
            place, own = self._test(place, first + value, 0.5)
            numbers.append(own)
        return [(node.children[value], own) for value, own in zip(known, numbers, strict=True)]

    def _test(self, place: int, feature: int, threshold: float) -> tuple[int, int]:
        """Let a leaf test a column; its two children have its value until they get their own."""
        value, self.values[place] = self.values[place], 0.0
        left, right = self.add_leaf(value), self.add_leaf(value)
        self.tests[place] = feature, threshold, left, right
        return left, right

    def as_tree(self) -> Tree:
        features, thresholds, *children = zip(*self.tests, strict=True)
        feature, left, right = (np.array(row, np.int32) for row in (features, *children))
        return Tree(feature, np.array(thresholds), left, right, np.array(self.values))


_BINARY_PLACES = {name: column for column, name in enumerate(context.BINARY_NAMES)}
BINARY_COLUMN = tuple(
    _BINARY_PLACES[name.replace("parent", "parent=other")] for name in context.NAMES
)
"""The column of `context.binary` of each attribute; of the parent that of its first value."""
