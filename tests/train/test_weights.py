"""Models of LightGBM as forests."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import Any

import lightgbm
import numpy as np
import pytest

from tamis.errors import WeightsError
from tamis.train.weights import LARGEST, float32_at_most, forest_of

COLUMNS = 12
QUIET = {"verbose": -1, "num_threads": 1, "deterministic": True, "seed": 1}


def _table(seed: int, rows: int) -> np.ndarray:
    """Columns of several kinds: measures, counts, flags, shares with many zeros, and tiny ones."""
    source = np.random.default_rng(seed)
    table = source.normal(size=(rows, COLUMNS)).astype(np.float32)
    table[:, 1::4] = np.floor(np.abs(table[:, 1::4]) * 20)
    table[:, 2] = table[:, 2] > 0.5
    table[:, 3] = np.where(table[:, 3] > 0, table[:, 3] / np.float32(3), 0)
    table[:, 4] *= np.float32(1e-38)
    table[:, 6] *= np.float32(1e37)
    return table


def _labels(table: np.ndarray) -> np.ndarray:
    score = table[:, 0] * table[:, 3] + table[:, 1] / 20 - table[:, 2] + table[:, 4] * 1e38
    return (score > np.median(score)).astype(float)


def _trained(rounds: int = 30, **parameters: Any) -> lightgbm.Booster:
    table = _table(0, 2_000)
    return lightgbm.train(
        {"objective": "binary", "min_data_in_leaf": 5} | QUIET | parameters,
        lightgbm.Dataset(table, _labels(table)),
        rounds,
    )


class Dumped:
    """Stands in for a booster, with changes to what it dumps."""

    def __init__(self, model: dict[str, Any]):
        self.model = model

    def dump_model(self) -> dict[str, Any]:
        return self.model


@pytest.fixture(scope="module")
def booster() -> lightgbm.Booster:
    return _trained()


def _near(booster: lightgbm.Booster) -> np.ndarray:
    """Rows whose values are the thresholds themselves and the numbers next to them."""
    rows = []

    def visit(node: dict[str, Any]) -> None:
        if "split_feature" in node:
            with np.errstate(over="ignore"):
                near = np.float32(node["threshold"])
            for value in (np.nextafter(near, -np.inf), near, np.nextafter(near, np.inf)):
                row = _table(len(rows), 1)[0]
                row[node["split_feature"]] = value
                rows.append(row)
            visit(node["left_child"])
            visit(node["right_child"])

    for tree in booster.dump_model()["tree_info"]:
        visit(tree["tree_structure"])
    return np.array(rows, np.float32)


@pytest.mark.parametrize(
    "parameters",
    [
        {"num_leaves": 31},
        {"num_leaves": 63},
        {"num_leaves": 150, "min_data_in_leaf": 1},
        {"objective": "cross_entropy"},
        {"objective": "regression", "max_bin": 1023},
        {"boosting": "dart", "max_depth": 4},
        {"min_data_in_leaf": 5_000},  # trees of one leaf
    ],
    ids=str,
)
def test_scores_are_those_of_lightgbm(parameters: dict[str, Any]) -> None:
    booster = _trained(10, **parameters)
    forest = forest_of(booster)
    assert len(forest) == booster.num_trees()
    table = np.concatenate((_table(1, 500), _near(booster).reshape(-1, COLUMNS)[:2_000]))
    np.testing.assert_allclose(
        forest.predict(table), booster.predict(table, raw_score=True), rtol=0, atol=1e-5
    )


def test_every_row_lands_in_the_leaf_of_lightgbm(booster: lightgbm.Booster) -> None:
    table = np.concatenate((_table(2, 500), _near(booster)))
    leaves = booster.predict(table, pred_leaf=True)
    model = booster.dump_model()

    def number_leaves(node: dict[str, Any]) -> None:
        if "split_feature" in node:
            number_leaves(node["left_child"])
            number_leaves(node["right_child"])
        else:
            node["leaf_value"] = node["leaf_index"]

    for index, tree in enumerate(model["tree_info"]):
        number_leaves(tree["tree_structure"])
        forest = forest_of(Dumped(model | {"tree_info": [tree]}))
        np.testing.assert_array_equal(forest.predict(table), leaves[:, index])


def test_only_the_best_iterations_are_exported(booster: lightgbm.Booster) -> None:
    shorter = copy.deepcopy(booster)
    shorter.best_iteration = 7
    forest = forest_of(shorter)
    table = _table(3, 50)
    assert len(forest) == 7
    np.testing.assert_allclose(
        forest.predict(table), shorter.predict(table, raw_score=True), rtol=0, atol=1e-5
    )


def test_a_model_of_several_classes_is_refused() -> None:
    table = _table(0, 200)
    booster = lightgbm.train(
        {"objective": "multiclass", "num_class": 3} | QUIET,
        lightgbm.Dataset(table, np.arange(200) % 3),
        2,
    )
    with pytest.raises(WeightsError, match="3 scores per row"):
        forest_of(booster)


def test_a_category_is_refused() -> None:
    table = np.arange(400, dtype=float).reshape(-1, 1) % 4
    booster = lightgbm.train(
        {"objective": "binary"} | QUIET,
        lightgbm.Dataset(table, table[:, 0] == 2, categorical_feature=[0]),
        2,
    )
    with pytest.raises(WeightsError, match="column 0 by category"):
        forest_of(booster)


def test_values_that_were_missing_in_training_are_refused() -> None:
    table = _table(0, 500)
    labels = _labels(table)
    table[::3, 0] = np.nan
    booster = lightgbm.train({"objective": "binary"} | QUIET, lightgbm.Dataset(table, labels), 5)
    with pytest.raises(WeightsError, match=r"missing values of column 0 \(NaN\)"):
        forest_of(booster)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"zero_as_missing": True}, r"missing values of column \d+ \(Zero\)"),
        ({"linear_tree": True}, "linear models"),
        ({"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}, "mean of the trees"),
    ],
)
def test_what_a_forest_cannot_do_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        forest_of(_trained(3, **parameters))


@pytest.mark.parametrize("threshold", [-1e300, float("inf"), float("nan")])
def test_a_threshold_that_no_column_has_is_refused(threshold: float) -> None:
    leaf = {"leaf_value": 1.0}
    root = {
        "split_feature": 0,
        "decision_type": "<=",
        "missing_type": "None",
        "threshold": threshold,
        "left_child": leaf,
        "right_child": leaf,
    }
    model = {
        "max_feature_idx": 0,
        "num_tree_per_iteration": 1,
        "tree_info": [{"tree_index": 0, "tree_structure": root}],
    }
    with pytest.raises(WeightsError, match="splits column 0 at"):
        forest_of(Dumped(model))


def test_too_many_columns_are_refused() -> None:
    model = {"max_feature_idx": 40_000, "num_tree_per_iteration": 1, "tree_info": []}
    with pytest.raises(WeightsError, match="40001 columns"):
        forest_of(Dumped(model))


@pytest.mark.parametrize(
    "value", [0.0, 0.1, -0.1, 1 / 3, 1e-35, -1e-46, 1e-46, -1e-50, 16_777_217.0, 3e38, 1e300, -3e38]
)
def test_a_threshold_is_rounded_down(value: float) -> None:
    rounded = float32_at_most(value)
    assert rounded.dtype == np.float32
    assert float(rounded) <= value
    with np.errstate(over="ignore"):
        above = np.nextafter(rounded, np.float32(np.inf))
    assert float(above) > value or float(rounded) == LARGEST


def test_the_export_is_imported_without_lightgbm() -> None:
    code = "import sys, json, tamis.train.weights; print(json.dumps('lightgbm' in sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) is False
