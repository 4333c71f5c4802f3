"""Small trees that correct the default method, grown on the log odds of weights that are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import lightgbm
import numpy as np

from tamis.bench.measures import bag_of_words
from tamis.flow import make_result
from tamis.methods._base import Flags, Floats
from tamis.methods.tamis import TAKEN, Tamis
from tamis.model.features import corrections, group_features
from tamis.model.features.batch import Batch
from tamis.model.weights.forest import LEAF, Forest
from tamis.model.weights.load import Arrays
from tamis.options import Options
from tamis.page.arrays import Indexes, Matrix
from tamis.train.block_table import PARAMETERS, BlockTable, TrainingPage
from tamis.train.labelled_pages import LabelledPage
from tamis.train.weights import forest_of

# docs/explanation/decisions/017-teaching.md has what was tried. 40 trees, 3 or 4 leaves or a rate
# of 0.1 gain no more over all kinds of pages; leaves of 40 blocks lose less than those of 10.
TREES = 20
SMALL_TREES = {
    **PARAMETERS,
    "learning_rate": 0.05,
    "num_leaves": 6,
    "min_data_in_leaf": 40,
    "lambda_l2": 20.0,
    "max_bin": 63,
    "num_threads": 1,
}
_FIRST_SHARE, _SECOND_SHARE = 0.25, 0.4  # of the columns for each tree


@dataclass(frozen=True, eq=False)
class Correction:
    """Trees that are appended to the forests of a model."""

    first: Forest
    second: Forest | None
    """None while only those of the first are grown."""

    def scale(self, strength: float) -> Correction:
        second = None if self.second is None else _scale_forest(self.second, strength)
        return Correction(_scale_forest(self.first, strength), second)

    def append_to(self, arrays: Arrays) -> Arrays:
        added = self.first.to_arrays("forest.")
        if self.second is not None:
            added |= self.second.to_arrays("second.")
        return {**arrays, **{name: np.append(arrays[name], own) for name, own in added.items()}}


class _Stages(NamedTuple):
    """What both stages say of the blocks of a page."""

    table: Matrix
    """What the second stage reads."""
    odds: Floats
    settled: Floats


@dataclass(frozen=True, eq=False)
class Measures:
    """One number per page."""

    f1: Floats
    loss: Floats
    """Mean cross-entropy of its blocks, which moves before F1 does."""


class Teacher:
    """Some pages, and what the weights that are there make of them.

    A page has its own method, so that each can be measured by weights that did not see its site.
    """

    def __init__(
        self, pages: Sequence[LabelledPage], methods: Sequence[Tamis], seed: int = 0
    ) -> None:
        self.pages, self.seed = pages, seed
        self._methods = methods
        self._models = [method.load_model() for method in methods]
        self.table = BlockTable([TrainingPage.of_labelled(page) for page in pages])
        tokens = [
            sample.token_values(model.tokens)
            for sample, model in zip(self.table.samples, self._models, strict=True)
        ]
        self._values = np.concatenate((self.table.values, np.concatenate(tokens)), axis=1)
        rows = map(self.table.rows, range(len(pages)))
        self._first = np.concatenate(
            [
                model.forest.predict(self._values[own])
                for model, own in zip(self._models, rows, strict=True)
            ]
        )

    def learn(self, pages: Iterable[int]) -> Correction:
        chosen = [*pages]
        parts = [np.arange(len(self.table))[self.table.rows(page)] for page in chosen]
        learned = [part[self.table.learned[part]] for part in parts]
        rows = np.concatenate(learned)
        first = self._grow(self._values[rows], rows, self._first[rows], _FIRST_SHARE)
        tables, odds = [], []
        for page, part in zip(chosen, parts, strict=True):
            here = self.table.learned[part]
            stages = self._run_stages(page, Correction(first, None))
            tables.append(stages.table[here])
            odds.append(stages.odds[here])
        second = self._grow(np.concatenate(tables), rows, np.concatenate(odds), _SECOND_SHARE)
        return Correction(first, _scale_forest(second, 1 / (1 - corrections.OWN_SHARE)))

    def _grow(self, values: Matrix, rows: Indexes, odds: Floats, share: float) -> Forest:
        labels, weight = self.table.labels[rows], 50 * self.table.weight[rows]
        data = lightgbm.Dataset(values, labels, weight=weight, init_score=odds)
        parameters = {**SMALL_TREES, "feature_fraction": share, "seed": self.seed}
        return forest_of(lightgbm.train(parameters, data, TREES))

    def _run_stages(self, page: int, correction: Correction | None) -> _Stages:
        rows, model = self.table.rows(page), self._models[page]
        values, first = self._values[rows], self._first[rows]
        if correction is not None:
            first = first + correction.first.predict(values)
        columns = Batch.from_pages([self.pages[page].page]).columns
        groups = group_features.find_groups(columns)
        table = group_features.make_table(columns, groups, first, values, TAKEN)
        second = model.second.predict(table)
        if correction is not None and correction.second is not None:
            second += correction.second.predict(table)
        odds = corrections.OWN_SHARE * first + (1 - corrections.OWN_SHARE) * second
        settled = corrections.combine_odds(columns, groups, first, second)
        corrections.lower_extra_blocks(columns, groups, settled)
        return _Stages(table, odds, settled)

    def measure(self, pages: Iterable[int], correction: Correction | None = None) -> Measures:
        rows = [self._measure_page(page, correction) for page in pages]
        f1, loss = np.array(rows).T
        return Measures(f1, loss)

    def _measure_page(self, number: int, correction: Correction | None) -> tuple[float, float]:
        source, rows, model = self.pages[number], self.table.rows(number), self._models[number]
        stages = self._run_stages(number, correction)
        loss = _cross_entropy(stages.odds, self.table.labels[rows], self.table.weight[rows])
        scores = np.interp(stages.settled, model.odds, model.probability)
        method = self._methods[number]
        result = make_result(
            source.page, scores, method, Options(method=method), source.example.url, use_data=False
        )
        return f1_of(source, result.kept), loss


def _cross_entropy(odds: Floats, labels: Floats, weight: Floats) -> float:
    """Mean cross-entropy of the blocks whose label is known."""
    known = ~np.isnan(labels)
    if not known.any():
        return 0.0
    each = np.logaddexp(0, odds[known]) - labels[known] * odds[known]
    return float(np.average(each, weights=weight[known]))


def f1_of(source: LabelledPage, kept: Flags) -> float:
    """F1 of what is kept: bag of words with the gold text, else the words of labelled blocks."""
    example = source.example
    if example.text is not None and not example.blocks:
        text = "\n".join(source.page.block_texts(np.flatnonzero(kept)))
        return bag_of_words(text, example.text).f1
    known = ~np.isnan(source.labels)
    words = np.maximum(source.page.blocks.words, 1)[known]
    content, own = source.labels[known], kept[known]
    total = float(words @ content + words @ own)
    return 2 * float(words @ (content * own)) / total if total else 1.0


def _scale_forest(forest: Forest, factor: float) -> Forest:
    arrays = forest.to_arrays()
    leaves = arrays["feature"] == LEAF
    value = np.where(leaves, arrays["value"] * np.float32(factor), arrays["value"])
    return Forest.from_arrays({**arrays, "value": value}, forest.columns)
