"""Training of the ranker of readings: how much better another reading of a page is.

A page is read with scores of weights that did not see its site, as the shipped weights will see new
sites. The ranker learns the F1 of each reading beyond that of the first, over the words of blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import lightgbm
import numpy as np

from tamis.decide.readings import describe_readings, take_best
from tamis.labels.alignment import tokenize
from tamis.methods._base import Floats
from tamis.methods.tamis import Tamis
from tamis.model.features.reading_features import READINGS, find_margins
from tamis.page.arrays import Matrix
from tamis.page.table import Page
from tamis.train.block_table import SAME_EACH_TIME
from tamis.train.labelled_pages import LabelledPage
from tamis.train.weights import forest_of
from training.boosted import Arrays
from training.folds import FOLDS, fold_of

_TREES = 150
_PARAMETERS = {
    **SAME_EACH_TIME,
    "objective": "regression",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 1.0,
    "max_bin": 127,
}
_FEWEST_PAGES = 100
_MARGINS = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05)
# With -.06 forum52 gains .01 more, and the forums of wcxb-dev lose .005.
_THREAD_MARGINS = (-0.02, -0.01, *_MARGINS)
# More or less F1 says nothing more about a reading.
_MOST_GAIN = 0.3
# How many times as much as precision recall counts where only is known what must be there.
_RECALL = 3
# Pages that were made over are not real. Of other pages than articles there are few.
_MADE_OVER, _OTHER_TYPE = 0.3, 1.5


@dataclass(frozen=True, eq=False)
class RankedPage:
    """The readings of a page and what each is worth."""

    fold: int
    weight: float
    dataset: str
    """The name of its set, empty if the page was made over."""
    table: Matrix
    """One row per reading, as the ranker sees it."""
    gains: Floats
    """F1 beyond that of the first reading."""


def read_pages(
    labelled: Iterable[LabelledPage],
    methods: Sequence[Tamis],
    is_forum: Callable[[LabelledPage, Page], bool],
    *,
    made_over: bool = False,
) -> Iterable[RankedPage]:
    """The pages that have more than one reading, by the weights of their folds."""
    for source in labelled:
        page, example = source.page, source.example
        fold = fold_of(source.site)
        scores = methods[fold].score(page)
        if not len(scores):
            continue
        readings, table = describe_readings(page, scores, partial(is_forum, source, page))
        if len(readings) < 2:
            continue
        texts = page.block_texts(np.arange(len(page.blocks)))
        words = np.array([float(len(tokenize(text))) for text in texts])
        known = ~np.isnan(source.labels)
        words[~known] = 0
        content = words * np.where(known, source.labels, 0)
        gold = float(content.sum()) if example.text is None else float(len(tokenize(example.text)))
        kept = np.array(list(readings.values()), float)
        # Of some pages only is known what must be there: what else is kept matters less.
        square = 1 if example.text is not None or example.without else _RECALL**2
        f1 = (1 + square) * (kept @ content) / np.maximum(kept @ words + square * gold, 1)
        weight = _MADE_OVER if made_over else 1.0
        if example.page_type not in (None, "article", "recipe"):
            weight *= _OTHER_TYPE
        dataset = "" if made_over else example.dataset
        yield RankedPage(fold, weight, dataset, table.copy(), f1 - f1[0])


def train(
    pages: Sequence[RankedPage], seed: int, say: Callable[[str], None]
) -> tuple[Arrays, list[Arrays]]:
    """The ranker of all pages, and for each fold one that was learned without it.

    Nothing is learned from a few pages: weights without a ranker keep the first reading.
    """
    if len(pages) < _FEWEST_PAGES:
        return {}, [{}] * FOLDS
    boosters = []
    predicted: list[tuple[RankedPage, Floats]] = []
    for fold in range(FOLDS):
        say(f"ranker without fold {fold + 1} of {FOLDS}")
        boosters.append(_fit([page for page in pages if page.fold != fold], seed))
        for page in pages:
            if page.fold == fold and page.dataset:
                predicted.append((page, boosters[-1].predict(page.table)))
    margins, gain = choose_margins(predicted)
    say(f"margins {margins.tolist()}: {gain:+.4f} F1 on pages with several readings, by sets")
    say("ranker of all folds")
    return (
        _arrays(_fit(pages, seed), margins),
        [_arrays(booster, margins) for booster in boosters],
    )


def choose_margins(predicted: Sequence[tuple[RankedPage, Floats]]) -> tuple[Floats, float]:
    """By how much each kind of reading must be better, and the mean gain of the sets with that.

    Threads are few, so that the ranker says too little of them; they have a margin of their own.
    """
    best, most = np.zeros(len(READINGS)), -1.0
    for usual in _MARGINS:
        for of_thread in _THREAD_MARGINS:
            margins = np.full(len(READINGS), usual)
            margins[READINGS.index("thread")] = of_thread
            of_sets: dict[str, list[float]] = {}
            for page, gains in predicted:
                place = take_best(gains - find_margins(page.table, margins))
                of_sets.setdefault(page.dataset, []).append(float(page.gains[place]))
            gain = float(np.mean([np.mean(of_set) for of_set in of_sets.values()]))
            if gain > most:
                best, most = margins, gain
    return best, most


def _fit(pages: Sequence[RankedPage], seed: int) -> lightgbm.Booster:
    table = np.concatenate([page.table[1:] for page in pages])
    gains = np.concatenate([page.gains[1:] for page in pages]).clip(-_MOST_GAIN, _MOST_GAIN)
    weight = np.repeat([page.weight for page in pages], [len(page.gains) - 1 for page in pages])
    data = lightgbm.Dataset(table, gains, weight=weight)
    return lightgbm.train({**_PARAMETERS, "seed": seed}, data, _TREES)


def _arrays(booster: lightgbm.Booster, margins: Floats) -> Arrays:
    arrays: dict[str, Any] = forest_of(booster).to_arrays("ranker.")
    return {**arrays, "ranker.margins": margins}
