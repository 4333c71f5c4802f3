"""Boosted trees as flat arrays, compiled and not."""

from __future__ import annotations

import dataclasses
import math
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.uncompiled import from_source

from tamis.errors import WeightsError
from tamis.model.features.columns import allocate_columns
from tamis.model.weights.forest import LEAF, Forest
from tamis.model.weights.load import Card, load, save

#        words > 10            links > 0
#       /          \          /         \
#     0.5      links > 0.5  -1           1
#               /       \
#              2        -3
ARRAYS = {
    "feature": np.array([0, LEAF, 1, LEAF, LEAF, 1, LEAF, LEAF], np.int16),
    "value": np.array([10, 0.5, 0.5, 2, -3, 0, -1, 1], np.float32),
}

Tree = float | tuple[int, float, "Tree", "Tree"]
Arrays = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def uncompiled() -> ModuleType:
    """The forest from its source."""
    return from_source("model.weights.forest")[0]


# A second way to the same answers


def _random_tree(source: random.Random, leaves: int, columns: int) -> Tree:
    """Thresholds on a coarse grid, so that values meet them."""
    if leaves == 1 or not columns:
        return float(np.float32(source.gauss(0, 1)))
    on_left = source.choice((1, leaves - 1, source.randint(1, leaves - 1)))
    return (
        source.randrange(columns),
        source.randint(-4, 4) / 2,
        _random_tree(source, on_left, columns),
        _random_tree(source, leaves - on_left, columns),
    )


def _arrays(trees: list[Tree]) -> Arrays:
    features: list[int] = []
    values: list[float] = []

    def append(tree: Tree) -> None:
        if isinstance(tree, tuple):
            features.append(tree[0])
            values.append(tree[1])
            append(tree[2])
            append(tree[3])
        else:
            features.append(LEAF)
            values.append(tree)

    for tree in trees:
        append(tree)
    return {"feature": np.array(features, np.int16), "value": np.array(values, np.float32)}


def _answer(tree: Tree, row: list[float]) -> float:
    while isinstance(tree, tuple):
        tree = tree[2] if row[tree[0]] <= tree[1] else tree[3]
    return tree


def _sums(trees: list[Tree], table: np.ndarray) -> list[float]:
    sums = []
    for row in table.tolist():
        total = 0.0
        for tree in trees:
            total += _answer(tree, row)
        sums.append(total)
    return sums


def _random_table(seed: int, rows: int, columns: int) -> np.ndarray:
    return (np.random.default_rng(seed).integers(-5, 6, (rows, columns)) / 2).astype(np.float32)


LEAVES = st.lists(st.sampled_from((1, 2, 31, 32, 33, 63, 64, 65)) | st.integers(1, 130), max_size=6)
ROWS = st.sampled_from((0, 1, 3, 4, 5, 30, 255, 256, 257, 600))


def _example(seed: int, leaves: list[int], rows: int, columns: int) -> tuple[list[Tree], Any]:
    source = random.Random(seed)
    trees = [_random_tree(source, count, columns) for count in leaves]
    return trees, _random_table(seed, rows, columns)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), LEAVES, ROWS, st.integers(0, 5))
def test_each_row_gets_the_sum_of_the_leaves_it_walks_to(
    seed: int, leaves: list[int], rows: int, columns: int
) -> None:
    trees, table = _example(seed, leaves, rows, columns)
    forest = Forest.from_arrays(_arrays(trees), columns)
    assert len(forest) == len(trees)
    assert forest.predict(table).tolist() == _sums(trees, table)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), LEAVES, ROWS, st.integers(1, 5))
def test_columns_that_are_the_same_in_all_rows_change_no_answer(
    seed: int, leaves: list[int], rows: int, columns: int
) -> None:
    trees, table = _example(seed, leaves, rows, columns)
    source = random.Random(seed)
    for column in range(columns):
        if source.random() < 0.7:
            table[:, column] = source.choice((-0.0, 0.0, -2.5, 0.5, 2.5, math.inf, -math.inf))
    assert Forest.from_arrays(_arrays(trees), columns).predict(table).tolist() == _sums(
        trees, table
    )


@pytest.mark.parametrize("value", [np.nan, -np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("rows", [1, 40])
def test_a_row_with_an_odd_value_changes_no_other(value: float, rows: int) -> None:
    trees, table = _example(4, [31, 64, 2], rows, 3)
    table[0] = value
    table[:, 2] = value
    assert Forest.from_arrays(_arrays(trees), 3).predict(table).tolist() == _sums(trees, table)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), LEAVES, ROWS, st.integers(1, 5))
def test_the_order_in_which_a_table_lies_in_memory_changes_no_answer(
    seed: int, leaves: list[int], rows: int, columns: int
) -> None:
    trees, table = _example(seed, leaves, rows, columns)
    forest = Forest.from_arrays(_arrays(trees), columns)
    copy = allocate_columns(columns, rows)[:, :rows].T
    copy[:] = table
    answers = forest.predict(table).tobytes()
    assert forest.predict(np.asfortranarray(table)).tobytes() == answers
    assert forest.predict(copy).tobytes() == answers


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32), leaves=LEAVES, rows=ROWS, columns=st.integers(0, 5))
def test_the_source_gives_the_same_bits_as_the_compiled_module(
    uncompiled: ModuleType, seed: int, leaves: list[int], rows: int, columns: int
) -> None:
    trees, table = _example(seed, leaves, rows, columns)
    table[::7] = np.nan
    table[3::11] = np.inf
    ours = Forest.from_arrays(_arrays(trees), columns).predict(table)
    theirs = uncompiled.Forest.from_arrays(_arrays(trees), columns).predict(table)
    assert theirs.dtype == ours.dtype == np.float64
    assert theirs.tobytes() == ours.tobytes()


def test_each_row_ends_at_its_leaves() -> None:
    forest = Forest.from_arrays(ARRAYS, columns=2)
    table = np.array([[3, 0], [10, 0.9], [11, 0.5], [11, 0.6]], np.float32)
    assert len(forest) == 2
    assert forest.predict(table).tolist() == [-0.5, 1.5, 3, -2]


def test_a_chain_of_ten_thousand_nodes_is_a_tree() -> None:
    inner = 10_000
    arrays = {
        "feature": np.array([0] * inner + [LEAF] * (inner + 1), np.int16),
        "value": np.array([*range(inner, 0, -1), *range(inner + 1)], np.float32),
    }
    table = np.array([[0.5], [1.5], [9_999.5], [10_000.5]], np.float32)
    assert Forest.from_arrays(arrays, 1).predict(table).tolist() == [0, 1, 9_999, 10_000]


def test_a_tree_that_would_need_the_square_of_its_nodes_is_refused() -> None:
    inner = 100_000
    feature = np.array([0] * inner + [LEAF] * (inner + 1), np.int16)
    with pytest.raises(WeightsError, match="tests, at most 4,194,304"):
        Forest.from_arrays({"feature": feature, "value": np.zeros(len(feature), np.float32)}, 1)
    on_right = np.array([0, LEAF] * inner + [LEAF], np.int16)
    value = np.zeros(len(on_right), np.float32)
    assert len(Forest.from_arrays({"feature": on_right, "value": value}, 1)) == 1


def test_a_leaf_that_answers_more_than_any_that_is_learned_is_refused() -> None:
    value = ARRAYS["value"].copy()
    value[0] = 3e38  # a threshold
    Forest.from_arrays(ARRAYS | {"value": value}, 2)
    value[1] = 3e38
    with pytest.raises(WeightsError, match="leaf answers"):
        Forest.from_arrays(ARRAYS | {"value": value}, 2)


def test_no_trees_sum_to_nothing() -> None:
    forest = Forest.from_arrays({name: array[:0] for name, array in ARRAYS.items()}, columns=2)
    assert len(forest) == 0
    assert forest.predict(np.ones((3, 2), np.float32)).tolist() == [0, 0, 0]


def test_a_table_without_rows_has_no_answer() -> None:
    assert Forest.from_arrays(ARRAYS, columns=2).predict(np.zeros((0, 2), np.float32)).shape == (0,)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros((3, 2)), "float32, not float64"),
        (np.zeros((3, 2), ">f4"), "float32, not >f4"),
        ([[1.0, 2.0]], "float32, not list"),
        (np.zeros((3, 3), np.float32), r"2 columns, not a table of shape \(3, 3\)"),
        (np.zeros(2, np.float32), r"shape \(2,\)"),
        (np.zeros((2, 6), np.float32).T[::2], "contiguous"),
        (np.zeros((2, 3), np.float32).T[:, ::-1], "contiguous"),
        (np.zeros((6, 2), np.float32)[::2], "contiguous"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(table: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Forest.from_arrays(ARRAYS, columns=2).predict(table)


@pytest.mark.parametrize(
    ("name", "index", "number", "message"),
    [
        ("feature", 0, 2, "node 0 looks at column 2, the table has 2"),
        ("feature", 2, -2, "node 2 looks at column -2"),
        ("feature", 6, 1, "node 6 has no two branches"),
        ("feature", 7, 1, "node 7 has no two branches"),
        ("value", 0, np.nan, "value of node 0 is nan"),
        ("value", 3, np.inf, "value of node 3 is inf"),
    ],
)
def test_a_damaged_node_is_named(name: str, index: int, number: float, message: str) -> None:
    damaged = {key: array.copy() for key, array in ARRAYS.items()}
    damaged[name][index] = number
    with pytest.raises(WeightsError, match=f"no forest: .*{message}"):
        Forest.from_arrays(damaged, columns=2)


@pytest.mark.parametrize("cut", [1, 2, 4, 6, 7])
def test_a_tree_that_is_cut_off_is_refused(cut: int) -> None:
    with pytest.raises(WeightsError, match="no two branches"):
        Forest.from_arrays({name: array[:cut] for name, array in ARRAYS.items()}, columns=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"value": ARRAYS["value"][:-1]}, "feature has 8 nodes and value 7"),
        ({"value": ARRAYS["value"].astype(np.float64)}, "'value' is of type float64"),
        ({"feature": ARRAYS["feature"].astype(np.float32)}, "'feature' is of type float32"),
        ({"feature": ARRAYS["feature"].reshape(2, 4)}, r"'feature' is .* shape \(2, 4\)"),
    ],
)
def test_arrays_of_another_form_are_refused(changes: Arrays, message: str) -> None:
    with pytest.raises(WeightsError, match=message):
        Forest.from_arrays(ARRAYS | changes, columns=2)


@pytest.mark.parametrize("name", ARRAYS)
def test_a_missing_array_is_named(name: str) -> None:
    rest = {f"a_{key}": array for key, array in ARRAYS.items() if key != name}
    with pytest.raises(WeightsError, match=f"'a_{name}' is missing"):
        Forest.from_arrays(rest, 2, "a_")


def test_a_forest_is_not_changed_after_it_was_made() -> None:
    arrays = {name: array.copy() for name, array in ARRAYS.items()}
    forest = Forest.from_arrays(arrays, columns=2)
    arrays["value"][:] = 7
    table = np.array([[11, 0.5]], np.float32)
    assert forest.predict(table).tolist() == [3]
    for array in forest.to_arrays().values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        forest.columns = 3  # type: ignore[misc]


def test_two_forests_in_one_file_come_back_the_same(tmp_path: Path) -> None:
    trees, table = _example(1, [31, 64, 2], 50, 4)
    small, large = Forest.from_arrays(ARRAYS, 2), Forest.from_arrays(_arrays(trees), 4)
    card = Card(method="trees", spec=1, features=("a", "b"), training_sets={})
    save(tmp_path / "trees-1.npz", small.to_arrays("one_") | large.to_arrays("two_"), card)
    arrays = load(tmp_path / "trees-1.npz", method="trees", spec=1).arrays
    again = Forest.from_arrays(arrays, 4, "two_")
    assert len(Forest.from_arrays(arrays, 2, "one_")) == 2
    assert again.predict(table).tobytes() == large.predict(table).tobytes()
    for name, array in large.to_arrays().items():
        assert again.to_arrays()[name].dtype == array.dtype
        np.testing.assert_array_equal(again.to_arrays()[name], array)


def test_a_pickled_forest_answers_the_same() -> None:
    trees, table = _example(2, [31, 64, 2], 50, 4)
    forest = Forest.from_arrays(_arrays(trees), 4)
    again = pickle.loads(pickle.dumps(forest))
    assert again.predict(table).tobytes() == forest.predict(table).tobytes()


def test_threads_get_the_same_answers() -> None:
    trees, _ = _example(3, [31] * 20, 0, 6)
    tables = [_random_table(seed, 300 + seed, 6) for seed in range(40)]
    forest = Forest.from_arrays(_arrays(trees), 6)
    alone = [forest.predict(table).tobytes() for table in tables]
    with ThreadPoolExecutor(4) as pool:
        assert [sums.tobytes() for sums in pool.map(forest.predict, tables)] == alone


# Parts


def _join_parts(parts: list[Arrays]) -> Arrays:
    return {
        f"{part}.{name}": part_arrays[name]
        for part, part_arrays in enumerate(parts)
        for name in part_arrays
    }


@pytest.mark.parametrize("rows", [0, 1, 300])
def test_each_part_of_a_forest_adds_to_its_own_sums(uncompiled: ModuleType, rows: int) -> None:
    parts = [
        _arrays(_example(seed, leaves, 1, 5)[0])
        for seed, leaves in enumerate(([2, 40], [], [70, 1, 33]))
    ]
    table = _random_table(7, rows, 5)
    for module in (Forest, uncompiled.Forest):
        joined = module.from_arrays(_join_parts(parts), 5, "0.", "1.", "2.")
        sums = np.full((3, rows), 0.25)
        joined.add(table, sums)
        for part, part_sums in zip(parts, sums, strict=True):
            alone = np.full((1, rows), 0.25)
            module.from_arrays(part, 5).add(table, alone)
            assert part_sums.tolist() == alone[0].tolist()


def test_a_part_may_not_borrow_a_branch_from_the_next() -> None:
    cut_off = {"feature": np.array([0], np.int16), "value": np.array([1], np.float32)}
    with pytest.raises(WeightsError, match="no two branches"):
        Forest.from_arrays(_join_parts([cut_off, ARRAYS]), 2, "0.", "1.")
