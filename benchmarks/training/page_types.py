"""Training of the page types: from pages whose type is known to weights.

The pages of some sets are all of one type, or known to be no overview pages (`SETS`). They weigh
less than those of a set with pages of all types, whose balance of types is the one that the
probabilities are calibrated for. Each page is seen three times: with its address, without,
and without the names of its elements, like a page of 2005.

Every step is by folds over sites, as in `training.boosted`: the trees see the weights of names
as they will be on new sites, so a page's columns come from weights that were learned without its
fold. For an honest report the same holds once more inside each fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from tamis.describe.types import page_type as model
from tamis.describe.types.name_bags import BAGS
from tamis.describe.types.page_type import FORESTS, OVERVIEW, PLACES, TYPES
from tamis.errors import DatasetError, LimitError
from tamis.labels import datasets
from tamis.methods._base import Flags, Floats
from tamis.model.weights.forest import Forest
from tamis.page.arrays import Indexes, Matrix
from tamis.page.reader import parse
from tamis.train.block_table import SAME_EACH_TIME
from tamis.train.feature_table import Say
from tamis.train.labelled_pages import site_of
from tamis.train.weights import forest_of
from training import grafts
from training.boosted import Arrays, expected_calibration_error
from training.folds import FOLDS, fold_of, path_of_fold
from training.licences import write_weights

NO_OVERVIEW = "no overview"

SETS = {
    **dict.fromkeys(
        ("news2023", "scrapinghub", "readability", "trafilatura-eval", "world-news", "mercury"),
        ("article", 0.3),
    ),
    "articles2024": ("article", 1.0),
    "recipes": ("article", 0.2),
    "forum52": ("forum", 1.0),
    "forums2024": ("forum", 1.0),
    "products": ("product", 1.0),
    "records": (NO_OVERVIEW, 0.1),
}
"""Sets whose pages are of one type, and the weight of a page; a page with a type of its own has 1.

The records are cars, jobs, films, universities of 2010. As products they would be the only old
pages of a type, and with them 0.56 of l3s-gn1 are taken for articles instead of 0.91: so they only
say what is no overview page.
"""

# The weights of the three rows of a page, see `TypedPage.rows`.
_ROWS = (0.35, 0.35, 0.3)

# Names on fewer sites share their hash with too many others. Swept on wcxb-dev, folds by site: 12
# to 25 for names and 2 to 4 for addresses are equal; 40 and 8 lose 0.006 of the accuracy, 2 for
# what is declared loses as much.
_FEWEST_SITES = {"names": 20, "declared": 4, "address": 3, "root": 4}
_PENALTY = {"names": 10.0, "declared": 3.0, "address": 1.0, "root": 3.0}
_STEPS = 50

# 100 to 200 rounds with rates of 0.04 to 0.06 are within 0.004 of each other.
_TREES = 100
_PARAMETERS = {
    **SAME_EACH_TIME,
    "objective": "binary",
    "learning_rate": 0.06,
    "num_leaves": 8,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "lambda_l2": 3.0,
    "max_bin": 63,
    "num_threads": 1,
}

# The linear model is worth 0.01 of the log loss; 0.003 and 0.01 are equal.
_LINEAR_C = 0.01


@dataclass(frozen=True, eq=False)
class TypedPage:
    """A page whose type is known."""

    dataset: str
    site: str
    kind: int
    """Place in `TYPES`, -1 if it is only known to be no overview page."""
    weight: float
    rows: tuple[model.Description, model.Description, model.Description]
    """With the address that the set gives; with the one that the page declares, if it does; and
    likewise without the names of its elements."""

    @property
    def balanced(self) -> bool:
        """Whether its set has pages of all types."""
        return self.dataset not in SETS


def read(paths: Iterable[Path], say: Say = lambda text: None) -> list[TypedPage]:
    """The pages of some sets that have a type."""
    pages = []
    for path in paths:
        say(f"reading {path.name}")
        name = datasets.name_of(path)
        for example in datasets.read(path):
            kind, weight = SETS.get(name, (example.page_type, 1.0))
            if kind not in (*TYPES, NO_OVERVIEW):
                continue
            try:
                page = parse(example.html)
            except LimitError:
                continue
            aged = parse(grafts.strip_names(page.source), content_type="text/html; charset=utf-8")
            rows = model.describe(page, example.url), model.describe(page), model.describe(aged)
            place = -1 if kind == NO_OVERVIEW else TYPES.index(kind)
            pages.append(TypedPage(name, site_of(example), place, weight, rows))
    if not any(page.balanced for page in pages):
        raise DatasetError("no page of these sets has one of the types in the field `page_type`")
    return pages


class TypedPages:
    """The pages as tables, with three rows each: all first rows, all second, all third."""

    def __init__(self, pages: Sequence[TypedPage]) -> None:
        self.pages = pages
        self.kind = np.array([page.kind for page in pages])
        self.fold = np.array([fold_of(page.site) for page in pages])
        self.site = np.unique([page.site for page in pages], return_inverse=True)[1]
        self.weight = np.array([page.weight for page in pages])
        self.balanced = np.array([page.balanced for page in pages])
        described = [page.rows[number] for number in range(len(_ROWS)) for page in pages]
        self.numbers = np.array([description.numbers for description in described], np.float32)
        self.names = _incidence([description.places for description in described])

    def bag_weights(self, without: Iterable[int]) -> Arrays:
        """The weights of names, learned without some folds."""
        pages = np.flatnonzero(~np.isin(self.fold, list(without)) & (self.kind >= 0))
        places, weights = [], []
        for number, name in enumerate(BAGS):
            first = number * PLACES
            bag = self.names[pages, first : first + PLACES]
            pairs = bag.tocoo()
            sites = np.unique(
                pairs.col.astype(np.int64) * len(self.pages) + self.site[pages][pairs.row]
            )
            common = np.bincount(sites // len(self.pages), minlength=PLACES)
            chosen = np.flatnonzero(common >= _FEWEST_SITES[name])
            of_chosen = bag[:, chosen].tocsr()
            weights.append(
                _logistic(of_chosen, self.kind[pages], self.weight[pages], _PENALTY[name])
            )
            places.append(first + chosen)
        return {
            "place": np.concatenate(places).astype(np.uint32),
            "weight": np.concatenate(weights).astype(np.float16),
        }

    def bag_columns(self, weights: Arrays) -> Matrix:
        """What the names of each row weigh."""
        row, weight = model.read_name_weights(weights)
        dense = weight[row]
        parts = [slice(number * PLACES, (number + 1) * PLACES) for number in range(len(BAGS))]
        return np.concatenate([self.names[:, part] @ dense[part] for part in parts], axis=1)

    def odds_model(self, columns: Matrix, without: Iterable[int], seed: int) -> Arrays:
        """The forests and the linear model, learned without some folds."""
        rows = np.flatnonzero(np.tile(~np.isin(self.fold, list(without)), len(_ROWS)))
        kind = np.tile(self.kind, len(_ROWS))[rows]
        weight = np.repeat(_ROWS, len(self.pages))[rows] * np.tile(self.weight, len(_ROWS))[rows]
        table = np.concatenate((self.numbers, columns), axis=1)[rows]
        overview = np.isin(kind, _OVERVIEW_KINDS)
        arrays: Arrays = {}
        linear = []
        for name in FORESTS:
            if name == "overview":
                seen, wanted = np.ones(len(kind), bool), overview
            else:
                seen, wanted = kind >= 0, kind == TYPES.index(name)
            if name == FORESTS[-1] and overview.any():
                seen = overview
            learned = table[seen], wanted[seen], weight[seen]
            data = lightgbm.Dataset(*learned[:2], weight=learned[2])
            booster = lightgbm.train({**_PARAMETERS, "seed": seed}, data, _TREES)
            arrays |= forest_of(booster).to_arrays(f"{name}.")
            linear.append(_linear(*learned))
        return {**arrays, "linear": np.stack(linear, axis=1)}


_OVERVIEW_KINDS = [TYPES.index(name) for name in OVERVIEW]


def _linear(table: Matrix, wanted: Flags, weight: Floats) -> Floats:
    """A linear model as `page_type.linear_odds` reads it, of all columns at equal scale."""
    if wanted.all() or not wanted.any():
        return np.zeros(table.shape[1] + 1)
    squashed = model.squash(table).astype(float)
    mean, deviation = squashed.mean(axis=0), squashed.std(axis=0) + 1e-3
    learner = LogisticRegression(C=_LINEAR_C, max_iter=1000)
    learner.fit((squashed - mean) / deviation, wanted, sample_weight=weight)
    slopes = learner.coef_[0] / deviation
    return np.append(slopes, learner.intercept_ - mean @ slopes)


def _incidence(bags: Sequence[npt.NDArray[np.intc]]) -> sparse.csr_matrix:
    """One row per page, one column per hash: 1 where the page has it."""
    places = [np.unique(bag) for bag in bags]
    first = np.concatenate(([0], np.cumsum([len(row) for row in places])))
    column = np.concatenate(places)
    shape = (len(bags), len(BAGS) * PLACES)
    return sparse.csr_matrix((np.ones(len(column), np.float32), column, first), shape)


def _logistic(bag: sparse.csr_matrix, kind: Indexes, weight: Floats, penalty: float) -> Floats:
    """Weights of a multinomial logistic regression with an L2 penalty, the intercept left out."""
    transposed = bag.T.tocsr()
    wanted = np.eye(len(TYPES))[kind]

    def loss(flat: Floats) -> tuple[float, Floats]:
        values = flat.reshape(-1, len(TYPES))
        chances = model.compute_softmax(bag @ values[1:].astype(np.float32) + values[0])
        fit = -(weight * np.log(chances[np.arange(len(kind)), kind] + 1e-9)).sum()
        slope = (chances - wanted) * weight[:, None]
        by_name = transposed @ slope.astype(np.float32) + penalty * values[1:]
        square = float((values[1:] ** 2).sum())
        return float(fit) + penalty / 2 * square, np.vstack((slope.sum(axis=0), by_name)).ravel()

    start = np.zeros((bag.shape[1] + 1) * len(TYPES))
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    weights: Floats = fitted.x.reshape(-1, len(TYPES))[1:]
    return weights


# Of 0.5 to 100 the one with the least calibration error; the log loss is 0.002 above the best.
_CALIBRATION_PENALTY = 20.0


def _calibration(odds: Floats, kind: Indexes) -> Arrays:
    """Scale and shift of each forest's log odds that make the probabilities most likely."""
    overview = np.isin(kind, _OVERVIEW_KINDS)
    of_forest = np.array([FORESTS.index(_forest_of(name)) for name in TYPES])[kind]
    wanted = np.eye(len(FORESTS))[of_forest]
    wanted[:, -1] = kind == TYPES.index(FORESTS[-1])

    def loss(flat: Floats) -> tuple[float, Floats]:
        scale, shift = flat.reshape(2, -1)
        at = odds * scale + shift
        chances = np.empty_like(at)
        chances[:, :-1] = model.compute_softmax(at[:, :-1])
        chances[:, -1] = 0.5 + 0.5 * np.tanh(0.5 * at[:, -1])
        slope = chances - wanted
        slope[~overview, -1] = 0
        right = chances[np.arange(len(kind)), of_forest]
        name = np.where(wanted[:, -1] > 0, chances[:, -1], 1 - chances[:, -1])[overview]
        fit = -np.log(right + 1e-9).sum() - np.log(name + 1e-9).sum()
        apart = np.stack((scale - 1, shift)) * _CALIBRATION_PENALTY
        slopes = np.stack(((slope * odds).sum(axis=0), slope.sum(axis=0))) + apart
        away = float((apart**2).sum()) / _CALIBRATION_PENALTY / 2
        return float(fit) + away, slopes.ravel()

    start = np.concatenate((np.ones(len(FORESTS)), np.zeros(len(FORESTS))))
    scale, shift = minimize(loss, start, jac=True, method="L-BFGS-B").x.reshape(2, -1)
    return {"scale": scale, "shift": shift}


def _forest_of(kind: str) -> str:
    return "overview" if kind in OVERVIEW else kind


@dataclass(frozen=True, eq=False)
class TrainedTypes:
    """Weights of page types."""

    arrays: Arrays
    """Those to ship."""
    folds: list[Arrays]
    """For each fold those that were learned without it."""


def train(typed: TypedPages, seed: int = 0, say: Say = lambda text: None) -> TrainedTypes:
    """Learn from all pages, and five times without those of a fold."""
    bags: dict[frozenset[int], Arrays] = {}
    for first in range(FOLDS):
        say(f"weights of names without fold {first + 1} of {FOLDS}")
        for second in range(first, FOLDS):
            pair = frozenset((first, second))
            bags[pair] = typed.bag_weights(pair)
    fold_of_row = np.tile(typed.fold, len(_ROWS))
    own = np.zeros((len(fold_of_row), len(model.COLUMNS) - len(model.NUMBERS)), np.float32)
    odds = np.zeros((len(fold_of_row), len(FORESTS)))
    forests = []
    for fold in range(FOLDS):
        say(f"trees without fold {fold + 1} of {FOLDS}")
        columns = np.zeros_like(own)
        for second in range(FOLDS):
            there = fold_of_row == second
            columns[there] = typed.bag_columns(bags[frozenset((fold, second))])[there]
        here = fold_of_row == fold
        own[here] = columns[here]
        forests.append(typed.odds_model(columns, (fold,), seed))
        odds[here] = _odds(forests[-1], np.concatenate((typed.numbers, columns), axis=1)[here])
    # Calibrated for pages as they are: with their address, and without.
    as_is = np.tile(typed.balanced, len(_ROWS)) & (np.arange(len(odds)) < 2 * len(typed.pages))
    kind = np.tile(typed.kind, len(_ROWS))
    folds = []
    for fold in range(FOLDS):
        others = as_is & (fold_of_row != fold)
        curve = _calibration(odds[others], kind[others])
        folds.append({**bags[frozenset((fold,))], **forests[fold], **curve})
    say("trees of all folds")
    curve = _calibration(odds[as_is], kind[as_is])
    return TrainedTypes(
        {**typed.bag_weights(()), **typed.odds_model(own, (), seed), **curve}, folds
    )


def train_without(typed: TypedPages, dataset: str, curve: Arrays, seed: int = 0) -> Arrays:
    """Weights from all pages but those of a set and of its sites, with a calibration of others."""
    sites = {page.site for page in typed.pages if page.dataset == dataset}
    rest = TypedPages([page for page in typed.pages if page.site not in sites])
    fold_of_row = np.tile(rest.fold, len(_ROWS))
    columns = np.zeros((len(fold_of_row), len(model.COLUMNS) - len(model.NUMBERS)), np.float32)
    for fold in range(FOLDS):
        here = fold_of_row == fold
        columns[here] = rest.bag_columns(rest.bag_weights((fold,)))[here]
    calibration = {name: curve[name] for name in ("scale", "shift")}
    return {**rest.bag_weights(()), **rest.odds_model(columns, (), seed), **calibration}


def _odds(arrays: Arrays, table: Matrix) -> Floats:
    rows = np.ascontiguousarray(table)
    each = (Forest.from_arrays(arrays, len(model.COLUMNS), f"{name}.") for name in FORESTS)
    trees = np.stack([forest.predict(rows) for forest in each], axis=1)
    return trees + model.compute_linear_odds(rows, arrays["linear"])


# Measures


def chances(pages: Sequence[TypedPage], folds: Sequence[Arrays], *, url: bool = True) -> Floats:
    """Of each page the probabilities of the types, by weights that did not see its site."""
    models = [model.PageTypeModel.from_arrays(arrays) for arrays in folds]
    described = [(fold_of(page.site), page.rows[0 if url else 1]) for page in pages]
    return np.array([models[fold].estimate_types(page) for fold, page in described])


def measures(predicted: Floats, kind: Indexes) -> dict[str, float]:
    """Accuracy, calibration and the area under the curve for overview pages."""
    is_overview = np.isin(kind, _OVERVIEW_KINDS)
    overview = predicted[:, _OVERVIEW_KINDS].sum(axis=1)
    best = model.decide_places(predicted)
    figures = {
        "accuracy": float((best == kind).mean()),
        "log loss": float(-np.log(predicted[np.arange(len(kind)), kind] + 1e-9).mean()),
        "expected calibration error": calibration_error(
            predicted[np.arange(len(kind)), best], best == kind
        ),
        "overview, area under the curve": area_under_curve(overview, is_overview),
        "overview, expected calibration error": calibration_error(overview, is_overview),
    }
    for number, name in enumerate(TYPES):
        right = float(((best == kind) & (kind == number)).sum())
        figures[f"precision, {name}"] = right / max(int((best == number).sum()), 1)
        figures[f"recall, {name}"] = right / max(int((kind == number).sum()), 1)
    return {name: round(value, 4) for name, value in figures.items()}


def calibration_error(predicted: Floats, true: Flags) -> float:
    """Mean difference of probability and truth in ten bins."""
    return expected_calibration_error(predicted, true.astype(float), np.ones(len(predicted)))


def area_under_curve(predicted: Floats, true: Flags) -> float:
    """Area under the ROC curve; a half if all pages are of one kind."""
    return float(roc_auc_score(true, predicted)) if 0 < true.sum() < len(true) else 0.5


def run(
    paths: Sequence[Path],
    out: Path,
    *,
    folds: Path | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds.

    `folds` gets the weights for each fold.
    """
    pages = read(paths, say)
    trained = train(TypedPages(pages), seed, say)
    say("measuring")
    balanced = [page for page in pages if page.balanced]
    kind = np.array([page.kind for page in balanced])
    figures = {
        f"{name}, {address}, folds by site": value
        for address, url in (("with URL", True), ("without URL", False))
        for name, value in measures(chances(balanced, trained.folds, url=url), kind).items()
    }
    features = ("page_type", model.SPEC, model.COLUMNS)
    write_weights(out, trained.arrays, features, paths, figures, seed)
    if folds is not None:
        folds.mkdir(parents=True, exist_ok=True)
        for fold, arrays in enumerate(trained.folds):
            path = path_of_fold(folds, "page_type", fold)
            write_weights(path, arrays, features, paths, {}, seed)
    return figures
