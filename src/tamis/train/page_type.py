"""Training of the page types: from pages whose type is known to weights.

Every step is by folds over sites, as in `tamis.train.boosted`: the trees see the weights of names
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
from sklearn.metrics import roc_auc_score

from tamis.describe import page_type as model
from tamis.describe.overview import OVERVIEW
from tamis.describe.page_type import BAGS, PLACES, TYPES
from tamis.errors import DatasetError, LimitError
from tamis.evaluate import datasets
from tamis.methods._base import Flags, Floats
from tamis.model.features.batch import Indexes, Matrix
from tamis.model.weights.forest import Forest
from tamis.page.read import parse
from tamis.train import card
from tamis.train.boosted import FOLDS, SAME_EACH_TIME, Arrays, expected_calibration_error, fold_of
from tamis.train.documents import site_of
from tamis.train.export import forest_of
from tamis.train.labels import Say

# Names on fewer sites share their hash with too many others. Swept on wcxb-dev, folds by site: 15
# to 25 for names and 2 to 4 for addresses are equal; 40 and 8 lose 0.006 of the accuracy, 2 for
# what is declared loses as much.
_FEWEST_SITES = {"names": 20, "declared": 4, "address": 3}
_PENALTY = {"names": 10.0, "declared": 3.0, "address": 1.0}
_STEPS = 50

# 70 to 150 rounds of 5 to 15 leaves and rates of 0.03 to 0.06 are within 0.004 of each other.
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


@dataclass(frozen=True, eq=False)
class TypedPage:
    """A page whose type is known."""

    site: str
    kind: int
    """Place in `TYPES`."""
    given: model.Description
    """With the address that the set gives."""
    own: model.Description
    """With the address that the page declares, if it does."""


def read(paths: Iterable[Path], say: Say = lambda text: None) -> list[TypedPage]:
    """The pages of some sets that have a type."""
    pages = []
    for path in paths:
        say(f"reading {path.name}")
        for example in datasets.read(path):
            if example.page_type not in TYPES:
                continue
            try:
                page = parse(example.html)
            except LimitError:
                continue
            kind = TYPES.index(example.page_type)
            given, own = model.describe(page, example.url), model.describe(page)
            pages.append(TypedPage(site_of(example), kind, given, own))
    if not pages:
        raise DatasetError("no page of these sets has one of the types in the field `page_type`")
    return pages


class TypedPages:
    """The pages as tables: each page twice, with the address of the set and with its own."""

    def __init__(self, pages: Sequence[TypedPage]) -> None:
        self.pages = pages
        self.kind = np.array([page.kind for page in pages])
        self.fold = np.array([fold_of(page.site) for page in pages])
        self.site = np.unique([page.site for page in pages], return_inverse=True)[1]
        described = [page.given for page in pages] + [page.own for page in pages]
        self.numbers = np.array([description.numbers for description in described], np.float32)
        self.names = _incidence([description.places for description in described])

    def bag_weights(self, without: Iterable[int]) -> Arrays:
        """The weights of names, learned without some folds."""
        pages = np.flatnonzero(~np.isin(self.fold, list(without)))
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
            weights.append(_logistic(bag[:, chosen].tocsr(), self.kind[pages], _PENALTY[name]))
            places.append(first + chosen)
        return {
            "place": np.concatenate(places).astype(np.uint32),
            "weight": np.concatenate(weights).astype(np.float16),
        }

    def bag_columns(self, weights: Arrays) -> Matrix:
        """What the names of each page weigh."""
        row, weight = model.weights_of_names(weights)
        dense = weight[row]
        parts = [slice(number * PLACES, (number + 1) * PLACES) for number in range(len(BAGS))]
        return np.concatenate([self.names[:, part] @ dense[part] for part in parts], axis=1)

    def forests(self, columns: Matrix, without: Iterable[int], seed: int) -> Arrays:
        """Trees for each type, learned without some folds."""
        pages = np.flatnonzero(~np.isin(self.fold, list(without)))
        rows = np.concatenate((pages, pages + len(self.pages)))
        kind = np.tile(self.kind[pages], 2)
        arrays: Arrays = {}
        table = np.concatenate((self.numbers, columns), axis=1)[rows]
        for number, name in enumerate(TYPES):
            data = lightgbm.Dataset(table, kind == number, weight=np.full(len(rows), 0.5))
            booster = lightgbm.train({**_PARAMETERS, "seed": seed}, data, _TREES)
            arrays |= forest_of(booster).arrays(f"{name}.")
        return arrays


def _incidence(bags: Sequence[npt.NDArray[np.intc]]) -> sparse.csr_matrix:
    """One row per page, one column per hash: 1 where the page has it."""
    places = [np.unique(bag) for bag in bags]
    first = np.concatenate(([0], np.cumsum([len(row) for row in places])))
    column = np.concatenate(places)
    shape = (len(bags), len(BAGS) * PLACES)
    return sparse.csr_matrix((np.ones(len(column), np.float32), column, first), shape)


def _logistic(bag: sparse.csr_matrix, kind: Indexes, penalty: float) -> Floats:
    """Weights of a multinomial logistic regression with an L2 penalty, the intercept left out."""
    transposed = bag.T.tocsr()
    wanted = np.eye(len(TYPES))[kind]

    def loss(flat: Floats) -> tuple[float, Floats]:
        values = flat.reshape(-1, len(TYPES))
        chances = model.softmax(bag @ values[1:].astype(np.float32) + values[0])
        fit = -np.log(chances[np.arange(len(kind)), kind] + 1e-9).sum()
        slope = chances - wanted
        by_name = transposed @ slope.astype(np.float32) + penalty * values[1:]
        square = float((values[1:] ** 2).sum())
        return float(fit) + penalty / 2 * square, np.vstack((slope.sum(axis=0), by_name)).ravel()

    start = np.zeros((bag.shape[1] + 1) * len(TYPES))
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    weights: Floats = fitted.x.reshape(-1, len(TYPES))[1:]
    return weights


_CALIBRATION_PENALTY = 5.0


def _calibration(odds: Floats, kind: Indexes) -> Arrays:
    """Scale and shift of each type's log odds that make the probabilities most likely."""
    wanted = np.eye(len(TYPES))[kind]

    def loss(flat: Floats) -> tuple[float, Floats]:
        scale, shift = flat.reshape(2, -1)
        chances = model.softmax(odds * scale + shift)
        slope = chances - wanted
        fit = -np.log(chances[np.arange(len(kind)), kind] + 1e-9).sum()
        apart = np.stack((scale - 1, shift)) * _CALIBRATION_PENALTY
        slopes = np.stack(((slope * odds).sum(axis=0), slope.sum(axis=0))) + apart
        away = float((apart**2).sum()) / _CALIBRATION_PENALTY / 2
        return float(fit) + away, slopes.ravel()

    start = np.concatenate((np.ones(len(TYPES)), np.zeros(len(TYPES))))
    scale, shift = minimize(loss, start, jac=True, method="L-BFGS-B").x.reshape(2, -1)
    return {"scale": scale, "shift": shift}


def train(
    typed: TypedPages, seed: int = 0, say: Say = lambda text: None
) -> tuple[Arrays, list[Arrays]]:
    """Weights, and for each fold those that were learned without it."""
    bags: dict[frozenset[int], Arrays] = {}
    for first in range(FOLDS):
        say(f"weights of names without fold {first + 1} of {FOLDS}")
        for second in range(first, FOLDS):
            pair = frozenset((first, second))
            bags[pair] = typed.bag_weights(pair)
    both = np.tile(typed.fold, 2)
    own = np.zeros((len(both), len(model.COLUMNS) - len(model.NUMBERS)), np.float32)
    odds = np.zeros((len(both), len(TYPES)))
    forests = []
    for fold in range(FOLDS):
        say(f"trees without fold {fold + 1} of {FOLDS}")
        columns = np.zeros_like(own)
        for second in range(FOLDS):
            there = both == second
            columns[there] = typed.bag_columns(bags[frozenset((fold, second))])[there]
        here = both == fold
        own[here] = columns[here]
        forests.append(typed.forests(columns, (fold,), seed))
        odds[here] = _odds(forests[-1], np.concatenate((typed.numbers, columns), axis=1)[here])
    folds = []
    kind = np.tile(typed.kind, 2)
    for fold in range(FOLDS):
        others = both != fold
        curve = _calibration(odds[others], kind[others])
        folds.append({**bags[frozenset((fold,))], **forests[fold], **curve})
    say("trees of all folds")
    whole = {**typed.bag_weights(()), **typed.forests(own, (), seed), **_calibration(odds, kind)}
    return whole, folds


def _odds(forests: Arrays, table: Matrix) -> Floats:
    rows = np.ascontiguousarray(table)
    each = (Forest.of(forests, len(model.COLUMNS), f"{name}.") for name in TYPES)
    return np.stack([forest.predict(rows) for forest in each], axis=1)


# Measures


def chances(pages: Sequence[TypedPage], folds: Sequence[Arrays], *, url: bool = True) -> Floats:
    """Of each page the probabilities of the types, by weights that did not see its site."""
    models = [model.PageTypeModel.of(arrays) for arrays in folds]
    described = [(fold_of(page.site), page.given if url else page.own) for page in pages]
    return np.array([models[fold].probabilities(page) for fold, page in described])


def measures(predicted: Floats, kind: Indexes) -> dict[str, float]:
    """Accuracy, calibration and the area under the curve for overview pages."""
    overview_kinds = [TYPES.index(name) for name in OVERVIEW]
    is_overview = np.isin(kind, overview_kinds)
    overview = predicted[:, overview_kinds].sum(axis=1)
    best = predicted.argmax(axis=1)
    figures = {
        "accuracy": float((best == kind).mean()),
        "log loss": float(-np.log(predicted[np.arange(len(kind)), kind] + 1e-9).mean()),
        "expected calibration error": calibration_error(predicted.max(axis=1), best == kind),
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
    paths: Sequence[Path], out: Path, *, seed: int = 0, say: Say = lambda text: None
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds."""
    pages = read(paths, say)
    typed = TypedPages(pages)
    arrays, folds = train(typed, seed, say)
    say("measuring")
    figures = {
        f"{name}, {address}, folds by site": value
        for address, url in (("with URL", True), ("without URL", False))
        for name, value in measures(chances(pages, folds, url=url), typed.kind).items()
    }
    card.write(out, arrays, ("page_type", model.SPEC, model.COLUMNS), paths, figures, seed)
    return figures
