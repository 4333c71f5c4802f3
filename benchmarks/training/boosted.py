"""Training of the default method: from pages with gold to weights.

Every step is by folds over sites. The weights of class tokens are a linear model of the blocks'
chains of tokens; the trees must see them as they will be on new sites, so a page's token columns
come from a model that did not see its fold. For an honest report the same holds once more inside
each fold: the columns of fold `i` in the model for fold `k` come from tokens learned without both.
The trees of the second stage learn from what the first ones said of folds that they did not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from tamis.decide.decision import best_expected_f
from tamis.methods._base import Flags, Floats
from tamis.methods.tamis import FRAGMENT, TAKEN, summarize_page
from tamis.model.features import corrections, group_features, spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import TokenTable, list_chains
from tamis.page.arrays import Indexes, Matrix
from tamis.train.block_table import PARAMETERS, TOKEN_COLUMNS, BlockTable, TrainingPage
from tamis.train.weights import forest_of
from training.folds import FOLDS, fold_of

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Stage:
    """How the trees of a stage are grown."""

    trees: int
    parameters: Mapping[str, float]


FIRST = Stage(
    300,
    {"learning_rate": 0.05, "num_leaves": 31, "min_data_in_leaf": 40, "feature_fraction": 0.25},
)
SECOND = Stage(
    150,
    {"learning_rate": 0.06, "num_leaves": 15, "min_data_in_leaf": 60, "feature_fraction": 0.4},
)


# Tokens on fewer sites say more about the sites than about content.
_FEWEST_SITES = 3
_TOKEN_PENALTY = 1.0
_TOKEN_STEPS = 60
_LEAST_TOKEN_WEIGHT = 0.01
_MOST_REPEATS = 3.0


class TrainingTable(BlockTable):
    """The blocks of a corpus, with what their tokens and trees are learned from."""

    def __init__(
        self, samples: Sequence[TrainingPage], columns: Sequence[int] | None = None
    ) -> None:
        super().__init__(samples)
        self.folds = np.array([fold_of(page.site) for page in samples])
        self.fold = self.folds[self.page]
        self.columns = list(range(len(spec.NAMES))) if columns is None else list(columns)
        self._chains()

    def _chains(self) -> None:
        """The tokens of each block as rows of a sparse matrix, equal rows of a page once."""
        rows, tokens, numbers, count = [], [], [], 0
        for page in self.samples:
            own = list_chains(page.names)
            rows += [own.near + count, own.far + count]
            # Far away a token is not the same token as near by: its inverse stands for it.
            tokens += [own.near_token, ~own.far_token]
            numbers.append(own.chain + count)
            count += int(own.chain.max()) + 1 if len(own.chain) else 0
        self.chain = np.concatenate(numbers)
        self.tokens, column = np.unique(np.concatenate(tokens), return_inverse=True)
        self.is_near = np.isin(self.tokens, np.concatenate(tokens[::2]))
        ones = np.ones(len(column), np.float32)
        shape = (count, len(self.tokens))
        self.chain_tokens = sparse.csr_matrix((ones, (np.concatenate(rows), column)), shape)
        self.chain_tokens.data = np.minimum(self.chain_tokens.data, _MOST_REPEATS)
        site = np.unique([page.site for page in self.samples], return_inverse=True)[1]
        self.chain_site = np.zeros(count, np.intp)
        self.chain_site[self.chain] = site[self.page]

    # Tokens

    def token_table(self, without: Iterable[int] = ()) -> TokenTable:
        """The weights of tokens, learned without some folds."""
        rows = np.flatnonzero(self.known & ~np.isin(self.fold, list(without)))
        count = self.chain_tokens.shape[0]
        weight: Floats = np.bincount(self.chain[rows], self.weight[rows], count).astype(float)
        content = np.bincount(self.chain[rows], (self.weight * self.labels)[rows], count)
        used = np.flatnonzero(weight)
        matrix = self.chain_tokens[used]
        pairs = matrix.tocoo()
        sites = int(self.chain_site.max()) + 1
        keys = np.unique(pairs.col.astype(np.int64) * sites + self.chain_site[used][pairs.row])
        common = np.bincount(keys // sites, minlength=len(self.tokens)) >= _FEWEST_SITES
        chosen = np.flatnonzero(common)
        learned = _logistic(matrix[:, chosen], content[used] / weight[used], weight[used])
        return self._table(chosen, learned)

    def _table(self, chosen: Indexes, learned: Floats) -> TokenTable:
        near = self.is_near[chosen]
        tokens = np.where(near, self.tokens[chosen], ~self.tokens[chosen])
        both, place = np.unique(tokens, return_inverse=True)
        weights = np.zeros((len(both), 2), np.float32)
        weights[place, np.where(near, 0, 1)] = learned
        strong = np.abs(weights).max(axis=1) > _LEAST_TOKEN_WEIGHT
        return TokenTable.from_arrays({"token": both[strong], "weight": weights[strong]})

    def token_values(self, table: TokenTable, pages: Iterable[int]) -> Matrix:
        """The token columns of some pages."""
        parts = [np.zeros((0, TOKEN_COLUMNS), np.float32)]
        parts += [self.samples[page].token_values(table) for page in pages]
        return np.concatenate(parts)

    # Trees

    def table(self, token_values: Matrix) -> Matrix:
        """All columns; those that are left out are 0."""
        whole = np.concatenate((self.values, token_values), axis=1)
        if len(self.columns) < whole.shape[1]:
            left_out = np.setdiff1d(np.arange(whole.shape[1]), self.columns)
            whole[:, left_out] = 0
        return whole

    def boosted(
        self, table: Matrix, without: Iterable[int], seed: int, stage: Stage
    ) -> lightgbm.Booster:
        """Trees learned without some folds."""
        rows = self.learned & ~np.isin(self.fold, list(without))
        data = lightgbm.Dataset(table[rows], self.labels[rows], weight=50 * self.weight[rows])
        return lightgbm.train({**PARAMETERS, **stage.parameters, "seed": seed}, data, stage.trees)

    def second_table(self, table: Matrix, odds: Floats) -> Matrix:
        """What the second stage reads, from the columns and the log odds of the first."""
        values = np.empty((len(self), len(group_features.COLUMNS)), np.float32)
        for number, page in enumerate(self.samples):
            rows = self.rows(number)
            values[rows] = _second_table(page, table[rows], odds[rows])
        return values

    def settled(self, first: Floats, second: Floats) -> Floats:
        """The log odds of both stages, the same for blocks that belong together."""
        result = np.empty(len(self))
        for number, page in enumerate(self.samples):
            rows = self.rows(number)
            result[rows] = _settle_odds(page, first[rows], second[rows])
        return result


def _second_table(page: TrainingPage, table: Matrix, odds: Floats) -> Matrix:
    columns = Batch.from_pages([page.page]).columns
    return group_features.make_table(
        columns, group_features.find_groups(columns), odds, table, TAKEN
    )


def _settle_odds(page: TrainingPage, first: Floats, second: Floats) -> Floats:
    columns = Batch.from_pages([page.page]).columns
    return corrections.combine_odds(columns, group_features.find_groups(columns), first, second)


def _logistic(matrix: sparse.csr_matrix, content: Floats, weight: Floats) -> Floats:
    """Weights of a logistic regression on soft labels with an L2 penalty."""
    transposed = matrix.T.tocsr()

    def loss(values: Floats) -> tuple[float, Floats]:
        odds = matrix @ values[1:].astype(np.float32) + values[0]
        p = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        fit = weight * (content * np.log(p + 1e-9) + (1 - content) * np.log(1 - p + 1e-9))
        slope = weight * (p - content)
        by_token = transposed @ slope.astype(np.float32) + _TOKEN_PENALTY * values[1:]
        penalty = 0.5 * _TOKEN_PENALTY * float(values[1:] @ values[1:])
        return float(-fit.sum()) + penalty, np.concatenate(([slope.sum()], by_token))

    start = np.zeros(matrix.shape[1] + 1)
    options = {"maxiter": _TOKEN_STEPS}
    weights: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", options=options).x[1:]
    return weights


@dataclass(frozen=True, eq=False)
class Trained:
    """Weights, and what they predict of pages they did not learn from."""

    arrays: Arrays
    """The weights to ship."""
    folds: list[Arrays]
    """For each fold weights that were learned without it."""
    probabilities: Floats
    """Of each block, by the weights of its fold."""


class Work:
    """Where the slow steps of a training come from: here they are done."""

    def table(self, name: str, make: Callable[[], TokenTable]) -> TokenTable:
        """Weights of tokens."""
        return make()

    def booster(self, name: str, make: Callable[[], lightgbm.Booster]) -> lightgbm.Booster:
        """Trees."""
        return make()


def train(
    corpus: TrainingTable,
    refusals: Sequence[TrainingPage],
    work: Work | None = None,
    seed: int = 0,
    say: Callable[[str], None] = lambda text: None,
) -> Trained:
    """Learn from a corpus, and from `refusals` what a page is like that has nothing to extract."""
    work = work or Work()
    tables: dict[frozenset[int], TokenTable] = {}
    for first in range(FOLDS):
        say(f"weights of class tokens without fold {first + 1} of {FOLDS}")
        for second in range(first, FOLDS):
            without = frozenset((first, second))
            tables[without] = work.table(
                f"tokens-{first}-{second}", partial(corpus.token_table, without)
            )
    odds = np.zeros(len(corpus))
    boosters = []
    own_columns = np.zeros((len(corpus), TOKEN_COLUMNS), np.float32)
    for fold in range(FOLDS):
        say(f"trees without fold {fold + 1} of {FOLDS}")
        columns = np.zeros_like(own_columns)
        for other in range(FOLDS):
            pages = np.flatnonzero(corpus.folds == other)
            values = corpus.token_values(tables[frozenset((fold, other))], pages)
            columns[corpus.fold == other] = values
        here = corpus.fold == fold
        own_columns[here] = columns[here]
        values = corpus.table(columns)
        make = partial(corpus.boosted, values, (fold,), seed, FIRST)
        boosters.append(work.booster(f"trees-{fold}", make))
        odds[here] = forest_of(boosters[-1]).predict(np.ascontiguousarray(values[here]))
    say("trees of all folds")
    table = corpus.table(own_columns)
    whole = work.booster("trees", partial(corpus.boosted, table, (), seed, FIRST))
    say("structures")
    table = corpus.second_table(table, odds)
    second_odds = np.zeros(len(corpus))
    second_boosters = []
    for fold in range(FOLDS):
        say(f"trees of the second stage without fold {fold + 1} of {FOLDS}")
        make = partial(corpus.boosted, table, (fold,), seed, SECOND)
        second_boosters.append(work.booster(f"second-{fold}", make))
        here = corpus.fold == fold
        rows = np.ascontiguousarray(table[here])
        second_odds[here] = forest_of(second_boosters[-1]).predict(rows)
    say("trees of the second stage")
    second = work.booster("second", partial(corpus.boosted, table, (), seed, SECOND))
    say("calibration")
    odds = corpus.settled(odds, second_odds)
    fold_arrays = []
    probabilities = np.zeros(len(corpus))
    refusal_odds = _refusal_odds(refusals, tables, boosters, second_boosters)
    for fold in range(FOLDS):
        others = corpus.fold != fold
        curve = calibration(corpus, odds, others)
        here = ~others
        probabilities[here] = np.interp(odds[here], curve["odds"], curve["probability"])
        nothing = _fit_nothing(corpus, odds, curve, refusals, refusal_odds, without=fold)
        trees = boosters[fold], second_boosters[fold]
        fold_arrays.append(_arrays(tables[frozenset((fold,))], trees, curve, nothing))
    curve = calibration(corpus, odds, np.ones(len(corpus), bool))
    nothing = _fit_nothing(corpus, odds, curve, refusals, refusal_odds, without=None)
    tokens = work.table("tokens", corpus.token_table)
    return Trained(_arrays(tokens, (whole, second), curve, nothing), fold_arrays, probabilities)


def _arrays(
    table: TokenTable,
    boosters: tuple[lightgbm.Booster, lightgbm.Booster],
    curve: Arrays,
    nothing: Floats,
) -> Arrays:
    first, second = boosters
    return {
        **table.to_arrays("tokens."),
        **forest_of(first).to_arrays("forest."),
        **forest_of(second).to_arrays("second."),
        **{f"calibration.{name}": values for name, values in curve.items()},
        "nothing": nothing,
    }


_KNOTS = 48
_APART = 1e-9


def calibration(corpus: TrainingTable, odds: Floats, rows: Flags) -> Arrays:
    """A rising curve from the trees' log odds to probabilities, as knots."""
    rows = rows & corpus.known
    x, y, weight = odds[rows], corpus.labels[rows], corpus.weight[rows]
    order = np.argsort(x, kind="stable")
    rising = IsotonicRegression(out_of_bounds="clip").fit(x, y, sample_weight=weight).predict(x)
    # Each knot stands for the same weight; the means of rising stretches rise, too.
    share = np.cumsum(weight[order]) / weight.sum()
    knots: list[float] = []
    means: list[float] = []
    # Equal odds are in one stretch: no two knots may be the same.
    cuts = np.minimum(np.searchsorted(share, np.arange(1, _KNOTS) / _KNOTS), len(order) - 1)
    cuts = np.unique(np.searchsorted(x[order], x[order][cuts]))
    for part in np.array_split(order, cuts):
        if not len(part):
            continue
        knot = float(np.average(x[part], weights=weight[part]))
        if not knots or knot > knots[-1] + _APART:  # odds of equal blocks may differ by rounding
            knots.append(knot)
            means.append(float(np.average(rising[part], weights=weight[part])))
    knots = [min(-12.0, knots[0] - 1), *knots, max(12.0, knots[-1] + 1)]
    # A little of the slope of the odds everywhere, so that no two blocks become equal.
    level = np.clip([0.0, *means, 1.0], 0, 1)
    probability = 0.999 * level + 0.001 / (1 + np.exp(-np.array(knots)))
    return {"odds": np.array(knots), "probability": probability}


def _refusal_odds(
    refusals: Sequence[TrainingPage],
    tables: dict[frozenset[int], TokenTable],
    boosters: Sequence[lightgbm.Booster],
    second_boosters: Sequence[lightgbm.Booster],
) -> list[Floats]:
    """What the trees of its fold predict for each."""
    forests = [forest_of(booster) for booster in boosters]
    second_forests = [forest_of(booster) for booster in second_boosters]
    result = []
    for page in refusals:
        fold = fold_of(page.site)
        columns = page.token_values(tables[frozenset((fold,))])
        table = np.concatenate((page.values, columns), axis=1)
        odds = forests[fold].predict(table)
        table = _second_table(page, table, odds)
        result.append(_settle_odds(page, odds, second_forests[fold].predict(table)))
    return result


# Refusals weigh as much as 3% of the pages of the corpus that have gold.
_REFUSAL_SHARE = 0.03


def _fit_nothing(
    corpus: TrainingTable,
    odds: Floats,
    curve: Arrays,
    refusals: Sequence[TrainingPage],
    refusal_odds: Sequence[Floats],
    without: int | None,
) -> Floats:
    """A logistic model of `summary`: the chance that a page has nothing to extract."""
    with_gold = [
        (page, odds[corpus.rows(number)])
        for number, page in enumerate(corpus.samples)
        if len(page.words) and len(page.page.source) >= FRAGMENT and not np.isnan(page.gold_words)
    ]
    pages = [*with_gold, *zip(refusals, refusal_odds, strict=True)]
    weight = np.ones(len(pages))
    weight[len(with_gold) :] = _REFUSAL_SHARE * len(with_gold) / max(1, len(refusals))
    kept = np.array([fold_of(page.site) != without for page, _ in pages])
    rows = np.array([_summary(page, page_odds, curve) for page, page_odds in pages])
    empty = np.array([page.gold_words == 0 for page, _ in pages])
    mean, deviation = rows[kept].mean(axis=0), rows[kept].std(axis=0) + 1e-9
    model = LogisticRegression(C=1.0, max_iter=1000)
    model.fit(((rows - mean) / deviation)[kept], empty[kept], sample_weight=weight[kept])
    slopes = model.coef_[0] / deviation
    return np.concatenate((model.intercept_ - slopes @ mean, slopes))


def _summary(page: TrainingPage, odds: Floats, curve: Arrays) -> Floats:
    probabilities = np.interp(odds, curve["odds"], curve["probability"])
    expected = best_expected_f(probabilities, page.words)[1]
    return summarize_page(expected, probabilities, page.words, len(page.page.source))


def expected_calibration_error(probabilities: Floats, labels: Floats, words: Floats) -> float:
    """Mean difference of probability and share of content in ten bins, by words."""
    known = ~np.isnan(labels)
    p, y, w = probabilities[known], labels[known], words[known]
    bins = np.minimum((10 * p).astype(int), 9)
    predicted, true = np.bincount(bins, p * w, 10), np.bincount(bins, y * w, 10)
    return float(np.abs(predicted - true).sum() / w.sum())
