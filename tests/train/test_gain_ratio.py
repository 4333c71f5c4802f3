"""Growing of C4.5's trees: codes of values, the rows of children, and the depth."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.train import gain_ratio
from tamis.train.gain_ratio import CodedColumns, Growth, Node, n_log_n, walk

TABLE = np.array([[0.5, 2], [1.5, 0], [0.5, 2], [9.0, 0]])


def test_a_number_is_at_most_a_value_where_its_code_is_at_most_that_of_the_value() -> None:
    columns = CodedColumns.of(TABLE, {1: 3})
    codes = columns.encode(np.array([[0.1, 0], [0.5, 1], [0.6, 2], [1.5, 0], [8.0, 0], [10.0, 0]]))
    assert codes.tolist() == [[0, 0, 1, 1, 2, 3], [0, 1, 2, 0, 0, 0]]


def test_a_nominal_column_has_a_child_for_each_value() -> None:
    columns = CodedColumns.of(TABLE, {1: 3})
    codes, rows = columns.encode(TABLE), np.arange(4, dtype=np.int32)
    counts = np.array([4])
    parts = columns.divide(Node(rows, counts, column=1), codes, rows)
    assert [part.tolist() for part in parts] == [[1, 3], [], [0, 2]]
    cut = Node(rows, counts, column=0, cut=1)
    assert columns.threshold(cut) == 1.5
    assert [part.tolist() for part in columns.divide(cut, codes, rows)] == [[0, 1, 2], [3]]


def test_columns_that_are_looked_at_in_parts_give_the_same_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    table = random.integers(0, 9, (300, 6)).astype(float)
    labels = (table[:, 1] + table[:, 4] > 8).astype(np.int32)

    def grown() -> list[tuple[int, int, int]]:
        columns = CodedColumns.of(table, {})
        growth = Growth(columns, columns.encode(table), labels, 2, 2)
        return [(node.column, node.cut, len(node.rows)) for node in walk(growth.grow())]

    whole = grown()
    assert {1, 4} <= {column for column, _, _ in whole}
    monkeypatch.setattr(gain_ratio, "_CELLS", 300)
    assert grown() == whole


def test_a_tree_has_a_limited_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each cut takes the rows of one class off the end.
    table = np.arange(200.0)[:, None]
    labels = (np.arange(200) // 10 % 2).astype(np.int32)
    columns = CodedColumns.of(table, {})
    growth = Growth(columns, columns.encode(table), labels, 2, 2)
    whole = len(list(walk(growth.grow())))
    monkeypatch.setattr(gain_ratio, "DEEPEST", 2)
    assert 3 <= len(list(walk(growth.grow()))) <= 7 < whole


def test_n_log_n_is_0_of_none_and_of_one() -> None:
    np.testing.assert_allclose(n_log_n(4), [0, 0, 2, 3 * np.log2(3), 8])
