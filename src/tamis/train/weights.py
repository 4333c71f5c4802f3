"""From models of LightGBM to arrays that tamis reads without it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime.version import __version__
from tamis.errors import WeightsError
from tamis.labels import datasets
from tamis.model.weights import load
from tamis.model.weights.forest import LEAF, Forest

if TYPE_CHECKING:
    from lightgbm import Booster

Node: TypeAlias = Mapping[str, Any]

MOST_COLUMNS = 2**15
"""As many as a forest can number."""

LARGEST = float(np.finfo(np.float32).max)


def forest_of(booster: Booster) -> Forest:
    """The trees of a model with one raw score per row, or a `WeightsError`.

    As in `Booster.predict`, the iterations after the best one are left out if there is a best one.
    Every row goes to the leaf it goes to in LightGBM, so long as its values are numbers in single
    precision. Only the answers of the leaves are rounded, to single precision.
    """
    model = booster.dump_model()
    columns = int(model["max_feature_idx"]) + 1
    if model["num_tree_per_iteration"] != 1:
        raise _make_export_error(
            f"it has {model['num_tree_per_iteration']} scores per row, a forest has one"
        )
    if model.get("average_output"):
        raise _make_export_error(
            "its score is the mean of the trees (boosting=rf), that of a forest the sum"
        )
    if columns > MOST_COLUMNS:
        raise _make_export_error(f"it has {columns} columns, a forest at most {MOST_COLUMNS}")
    nodes = [
        _convert_node(tree["tree_index"], node)
        for tree in model["tree_info"]
        for node in _walk(tree["tree_structure"])
    ]
    arrays: dict[str, npt.NDArray[Any]] = {
        "feature": np.array([feature for feature, _ in nodes], np.int16),
        "value": np.array([value for _, value in nodes], np.float32),
    }
    return Forest.from_arrays(arrays, columns)


def _walk(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if "split_feature" in node:
            waiting += (node["right_child"], node["left_child"])


def _convert_node(tree: int, node: Node) -> tuple[int, np.float32]:
    if "split_feature" not in node:
        if "leaf_coeff" in node:
            raise _make_export_error(f"tree {tree} has linear models at its leaves (linear_tree)")
        return LEAF, np.float32(node["leaf_value"])
    feature = int(node["split_feature"])
    if node["decision_type"] != "<=":
        raise _make_export_error(f"tree {tree} splits column {feature} by category")
    if node["missing_type"] != "None":
        raise _make_export_error(
            f"tree {tree} has a rule for missing values of column {feature}"
            f" ({node['missing_type']}); train without NaN and without zero_as_missing"
        )
    threshold = float32_at_most(node["threshold"])
    if not np.isfinite(threshold):
        raise _make_export_error(f"tree {tree} splits column {feature} at {node['threshold']}")
    return feature, threshold


def float32_at_most(value: float) -> np.float32:
    """The largest number in single precision that is not above `value`.

    A number in single precision is at most `value` if and only if it is at most the result.
    """
    with np.errstate(over="ignore"):
        nearest = np.float32(value if value == math.inf else min(value, LARGEST))
        # Against an np.float32 numpy would compare in single precision, where the two are equal.
        if float(nearest) > value:
            nearest = np.nextafter(nearest, np.float32(-math.inf))
    return nearest


def _make_export_error(why: str) -> WeightsError:
    return WeightsError(f"this LightGBM model cannot become a forest: {why}")


Features = tuple[str, int, Sequence[str]]
"""A method, the version of its features, and their names."""


def write_weights(
    out: Path,
    arrays: load.Arrays,
    trained: Features,
    sets: Iterable[Path | str],
    measures: Mapping[str, float],
    seed: int,
    *,
    licences: Mapping[str, str] = MappingProxyType({}),
    more: Mapping[str, str] = MappingProxyType({}),
    taught: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Write weights that were trained on some sets, and their card beside them.

    `sets` are their paths or names, `licences` those that are known by name. Weights that were
    taught have learned from `more`, too.
    """
    method, spec, features = trained
    names = (datasets.name_of(each) if isinstance(each, Path) else each for each in sets)
    card = load.Card(
        method=method,
        spec=spec,
        features=tuple(features),
        training_sets={**more, **{name: licences.get(name, "unstated") for name in names}},
        measures=measures,
        date=datetime.now(UTC).date().isoformat(),
        seed=seed,
        tamis=__version__,
        taught=dict(taught),
    )
    load.save(out, arrays, card)
