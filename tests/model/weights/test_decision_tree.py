"""Decision trees as flat arrays."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.errors import WeightsError
from tamis.model.weights.decision_tree import LEAF, Tree

#        words > 10
#       /          \
#     0.1      links > 0.5
#               /       \
#             0.9       0.2
ARRAYS = {
    "feature": np.array([0, LEAF, 1, LEAF, LEAF]),
    "threshold": np.array([10.0, 0, 0.5, 0, 0]),
    "left": np.array([1, -1, 3, -1, -1]),
    "right": np.array([2, -1, 4, -1, -1]),
    "value": np.array([0.5, 0.1, 0.6, 0.9, 0.2]),
}


def test_each_row_ends_at_its_leaf() -> None:
    tree = Tree.from_arrays(ARRAYS, columns=2)
    table = np.array([[3, 0.0], [10, 0.9], [11, 0.5], [11, 0.6]])
    assert tree.predict(table).tolist() == [0.1, 0.1, 0.9, 0.2]


def test_the_way_to_a_leaf_is_a_range_of_each_column() -> None:
    tree = Tree.from_arrays(ARRAYS, columns=2)
    infinity = float("inf")
    assert tree.find_bounds(1) == {0: (-infinity, 10)}
    assert tree.find_bounds(4) == {0: (10, infinity), 1: (0.5, infinity)}
    assert tree.find_bounds(3) == {0: (10, infinity), 1: (-infinity, 0.5)}


def test_a_table_without_rows_has_no_answer() -> None:
    assert Tree.from_arrays(ARRAYS, columns=2).predict(np.zeros((0, 2))).shape == (0,)


def test_a_leaf_alone_answers_for_all() -> None:
    leaf = {
        "feature": np.array([LEAF]),
        "threshold": np.zeros(1),
        "left": np.array([-1]),
        "right": np.array([-1]),
        "value": np.array([0.3]),
    }
    assert Tree.from_arrays(leaf, columns=0).predict(np.zeros((2, 0))).tolist() == [0.3, 0.3]


def test_arrays_of_a_tree_make_the_same_tree() -> None:
    tree = Tree.from_arrays(ARRAYS, columns=2)
    again = Tree.from_arrays(tree.to_arrays(), columns=2)
    for name, array in tree.to_arrays().items():
        np.testing.assert_array_equal(again.to_arrays()[name], array)


@pytest.mark.parametrize(
    "changes",
    [
        {"left": np.array([0, -1, 3, -1, -1])},  # a walk that never ends
        {"right": np.array([5, -1, 4, -1, -1])},
        {"feature": np.array([2, LEAF, 1, LEAF, LEAF])},
        {"feature": np.array([-7, LEAF, 1, LEAF, LEAF])},
        {"value": np.array([0.5, np.nan, 0.6, 0.9, 0.2])},
        {"value": np.zeros(4)},
        {name: np.zeros(0) for name in ARRAYS},
        {name: array[:0] for name, array in ARRAYS.items()},
        {"right": np.array([2, -1, 3, -1, -1])},  # a child of both sides
        {"left": np.array([2**32 + 1, -1, 3, -1, -1])},
        {"left": np.array([1.0, -1, 3, -1, -1])},
        {"feature": np.array(0)},
        {"value": np.array(["a"] * 5)},
        {"threshold": np.array([np.nan] * 5)},
    ],
)
def test_arrays_that_are_no_tree_are_refused(changes: dict[str, np.ndarray]) -> None:
    with pytest.raises(WeightsError, match="no tree"):
        Tree.from_arrays(ARRAYS | changes, columns=2)


def test_a_tree_that_leans_to_one_side_for_thousands_of_levels_is_refused() -> None:
    inner = 2000
    arrays = {
        "feature": np.array([0, LEAF] * inner + [LEAF]),
        "threshold": np.zeros(2 * inner + 1),
        "left": np.arange(1, 2 * inner + 2),
        "right": np.arange(2, 2 * inner + 3),
        "value": np.zeros(2 * inner + 1),
    }
    with pytest.raises(WeightsError, match=r"no tree: a node is below 1000 others"):
        Tree.from_arrays(arrays, columns=1)


@pytest.mark.parametrize("name", ARRAYS)
def test_a_missing_array_is_named(name: str) -> None:
    rest = {key: array for key, array in ARRAYS.items() if key != name}
    with pytest.raises(WeightsError, match=f"'{name}' is missing"):
        Tree.from_arrays(rest, columns=2)
