"""C4.5 against trees that were worked out by hand, J48's, and scikit-learn's accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import datasets
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from tamis.train import c45
from tamis.train.c45 import (
    CodedColumns,
    DecisionTree,
    Growth,
    Learner,
    Node,
    added_errors,
    n_log_n,
    walk,
)

SUNNY, OVERCAST, RAINY = range(3)
HOT, MILD, COOL = range(3)
HIGH, NORMAL = range(2)

# Whether one plays tennis (Quinlan 1986): outlook, temperature, humidity, wind.
DAYS = np.array(
    [
        (SUNNY, HOT, HIGH, 0, False),
        (SUNNY, HOT, HIGH, 1, False),
        (OVERCAST, HOT, HIGH, 0, True),
        (RAINY, MILD, HIGH, 0, True),
        (RAINY, COOL, NORMAL, 0, True),
        (RAINY, COOL, NORMAL, 1, False),
        (OVERCAST, COOL, NORMAL, 1, True),
        (SUNNY, MILD, HIGH, 0, False),
        (SUNNY, COOL, NORMAL, 0, True),
        (RAINY, MILD, NORMAL, 0, True),
        (SUNNY, MILD, NORMAL, 1, True),
        (OVERCAST, MILD, HIGH, 1, True),
        (OVERCAST, HOT, NORMAL, 0, True),
        (RAINY, MILD, HIGH, 1, False),
    ]
)
TENNIS, PLAYED = DAYS[:, :4].astype(float), DAYS[:, 4].astype(bool)
KINDS = {0: 3, 1: 3, 2: 2, 3: 2}


def shown(tree: DecisionTree, node: Node | None = None) -> Any:
    """A tree as nested tuples: the column, the threshold of a cut, and the children."""
    node = node or tree.root
    if not node.children:
        return tuple(node.counts.tolist())
    children = tuple(shown(tree, child) for child in node.children)
    if node.column in tree.columns.nominal:
        return node.column, children
    return node.column, tree.columns.threshold(node), children


def test_the_tree_of_the_tennis_days_is_that_of_the_book() -> None:
    # Gains of the 14 days: outlook .247, temperature .029, humidity .152, wind .048, so the mean is
    # .119, and outlook (ratio .247 / 1.577 = .156) and humidity (.152 / 1 = .152) compete.
    # Sunny: humidity tells all; rainy: wind does. No leaf is pruned: 0 errors in each of them.
    tree = Learner(nominal=KINDS).fit(TENNIS, PLAYED)
    assert shown(tree) == (0, ((2, ((3, 0), (0, 2))), (0, 4), (3, ((0, 3), (2, 0)))))


def test_columns_of_at_least_the_mean_gain_compete_by_gain_ratio() -> None:
    # Eight rows, 1 bit. `pairs` tells all, but it takes 2 bits to say which pair: ratio 1 / 2 = .5.
    # `weak`: 1 - 6/8 H(1/3) = .311, ratio .311 / H(1/4) = .384.
    # `one_wrong`: 1 - 5/8 H(1/5) = .549, ratio .549 / H(3/8) = .575.
    # The mean gain is (1 + .311 + .549) / 3 = .620, which only `pairs` has; with another weak
    # column it is .543, and `one_wrong` wins by its ratio.
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    pairs = np.repeat([0, 1, 2, 3], 2)
    one_wrong = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    weak = np.array([0, 0, 1, 1, 1, 1, 1, 1])
    for columns, first in (((pairs, weak, one_wrong), 0), ((pairs, weak, weak, one_wrong), 3)):
        nominal = {column: 4 if column == 0 else 2 for column in range(len(columns))}
        tree = Learner(nominal=nominal).fit(np.column_stack(columns), labels)
        assert tree.root.column == first


def test_the_gain_of_a_cut_is_lowered_by_the_number_of_cuts() -> None:
    # Twelve rows of the values 1 to 12, of which the classes are the halves but for two rows.
    # Candidates with two rows on each side: 9. Largest gain: behind 6, 1 - H(1/6) = .350 bits;
    # corrected .350 - log2(9) / 12 = .086. The tree cuts there; neither side can be divided so that
    # errors fall.
    values = np.arange(1.0, 13.0)[:, None]
    labels = np.array([0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1])
    tree = Learner(confidence=0.7).fit(values, labels)
    assert shown(tree) == (0, 6.0, ((5, 1), (1, 5)))
    # With two rows wrong in each half no cut is worth its place: 1 - H(1/3) = .082 < .264, and
    # behind 2 or before 11 the gain is .191 at most.
    labels = np.array([0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1])
    assert shown(Learner(confidence=0.7).fit(values, labels)) == (6, 6)


def test_a_threshold_is_a_value_of_the_training_rows() -> None:
    # The middle of 1 and 10 is 5.5; in the other branch there is a 4.
    table = np.array([[0, 1], [0, 1], [0, 10], [0, 10], [1, 4], [1, 4], [1, 4], [1, 4]], float)
    labels = np.array([0, 0, 1, 1, 2, 2, 2, 2])
    tree = Learner(nominal={0: 2}).fit(table, labels)
    assert shown(tree) == (0, ((1, 4.0, ((2, 0, 0), (0, 2, 0))), (0, 0, 4)))


def test_the_tree_of_iris_is_that_of_j48() -> None:
    # As every introduction to WEKA prints it, with the same counts in the leaves.
    table, labels = datasets.load_iris(return_X_y=True)
    virginica, versicolor = (0, 1, 45), (0, 47, 1)
    narrow = (3, 1.5, ((0, 0, 3), (0, 2, 1)))
    of_other = (3, 1.7, ((2, 4.9, (versicolor, narrow)), virginica))
    assert shown(Learner().fit(table, labels)) == (3, 0.6, ((50, 0, 0), of_other))


# Branches


def test_at_least_two_branches_have_the_fewest_rows() -> None:
    # Of the 14 days humidity has 7 and 7, wind 8 and 6, outlook 5, 4 and 5, temperature 4, 6 and 4.
    assert not Learner(least=8, nominal=KINDS).fit(TENNIS, PLAYED).root.children
    tree = Learner(least=6, nominal=KINDS, confidence=0.7).fit(TENNIS, PLAYED)
    assert tree.root.column in (2, 3)


def test_a_cut_leaves_a_tenth_of_the_mean_class_on_each_side() -> None:
    # 100 rows of two classes: 5 on each side at least. Four of one class at the end are no branch.
    labels = np.repeat([0, 1], [96, 4])
    table = np.arange(100.0)[:, None]
    tree = Learner(least=2, confidence=0.7).fit(table, labels)
    assert shown(tree) == (0, 94.0, ((95, 0), (1, 4)))


def test_an_empty_branch_answers_as_its_parent() -> None:
    table = np.array([[0.0], [0.0], [2.0], [2.0], [2.0]])
    labels = np.array([False, False, True, True, True])
    tree = Learner(nominal={0: 3}).fit(table, labels)
    assert shown(tree) == (0, ((2, 0), (0, 0), (0, 3)))
    np.testing.assert_allclose(tree.shares(np.array([[1.0]])), [[0.4, 0.6]])


def test_a_subtree_that_saves_no_error_is_a_leaf() -> None:
    # The cut has a gain, but both sides are mostly of the same class.
    labels = np.array([0] * 20 + [0, 1, 1] * 5)
    table = np.repeat([0.0, 1.0], [20, 15])[:, None]
    assert Learner(confidence=0.7).fit(table, labels).root.children
    labels = np.array([0] * 20 + [0, 1, 0] * 5)
    assert not Learner(confidence=0.7).fit(table, labels).root.children


def test_shares_are_drawn_towards_those_above() -> None:
    table = np.array([[0.0], [0.0], [1.0], [1.0], [1.0], [1.0]])
    labels = np.array([False, False, True, True, True, True])
    tree = Learner(smoothing=4).fit(table, labels)
    # (0 + 4 * 2/3) / (2 + 4) and (4 + 4 * 2/3) / (4 + 4)
    np.testing.assert_allclose(tree.shares(table)[[0, -1], 1], [4 / 9, 5 / 6])


# Pruning


def test_errors_are_added_up_to_the_limit_of_the_interval() -> None:
    # By hand: no error in 6 rows, 6 (1 - .25^(1/6)) = 1.238. Two in 14: f = 2.5 / 14 = .1786, z =
    # .6745, z^2 = .4549; the limit is (.1786 + .0162 + .6745 sqrt(.01048 + .00058)) / 1.0325 =
    # .2574 of the rows, 3.603, so 1.603 more.
    assert added_errors(6, 0, 0.25) == pytest.approx(1.238, abs=1e-3)
    assert added_errors(14, 2, 0.25) == pytest.approx(1.603, abs=2e-3)
    # Half an error is half way between none and one; nearly all rows wrong: no more than all.
    half = (added_errors(14, 0, 0.25) + added_errors(14, 1, 0.25)) / 2
    assert added_errors(14, 0.5, 0.25) == pytest.approx(half)
    assert added_errors(5, 4.8, 0.25) == pytest.approx(0.2)
    # Above one half nothing is added, as in WEKA.
    assert added_errors(14, 2, 0.7) == 0.0


def test_a_subtree_is_pruned_if_a_leaf_is_expected_to_be_no_worse() -> None:
    # The cut saves one error of four. At a confidence of .1 (z = 1.2816, z^2 = 1.642) a leaf of 15
    # rows with 4 errors is expected to have 15 (.3 + .0547 + 1.2816 sqrt(.014 + .0018)) / 1.1095 =
    # 6.98; those of 10 rows with 1 error 3.42 and of 5 rows with 2 errors 3.74, 7.17 in all.
    table = np.repeat([0.0, 1.0], [10, 5])[:, None]
    labels = np.array([1] + [0] * 9 + [0, 0, 1, 1, 1])
    kept = (0, 0.0, ((9, 1), (2, 3)))
    assert shown(Learner(confidence=0.7).fit(table, labels)) == kept
    assert shown(Learner(confidence=0.1).fit(table, labels)) == (11, 4)


def test_less_confidence_prunes_more() -> None:
    table, labels = datasets.load_breast_cancer(return_X_y=True)
    sizes = [
        len(list(walk(Learner(confidence=confidence).fit(table, labels).root)))
        for confidence in (0.7, 0.25, 0.05, 0.0001)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_a_branch_takes_the_place_of_its_parent() -> None:
    # Of 300 rows those from 100 to 199 are of class 1. Column 0 marks 60 of them: gain .918 - .8
    # H(1/6) = .398. A cut at 99 has .251 at most, less .027. So column 0 divides first, and the
    # other 240 rows are cut at 99 and at 199. Sent down these cuts, the 60 rows are right, too.
    values = np.arange(300)
    labels = ((values >= 100) & (values < 200)).astype(int)
    marked = (values >= 120) & (values < 180)
    table = np.column_stack((marked, values)).astype(float)
    grown = Growth(
        (columns := CodedColumns.of(table, {0: 2})),
        columns.encode(table),
        labels.astype(np.int32),
        2,
        2,
    ).grow()
    assert grown.column == 0
    tree = Learner(confidence=0.7, nominal={0: 2}).fit(table, labels)
    assert shown(tree) == (1, 99.0, ((100, 0), (1, 199.0, ((0, 100), (100, 0)))))


def test_rows_are_those_of_the_leaves_after_pruning() -> None:
    table, labels = datasets.load_digits(return_X_y=True)
    for confidence in (0.7, 0.1):
        tree = Learner(confidence=confidence, least=5).fit(table, labels)
        leaves = [node for node in walk(tree.root) if not node.children]
        rows = np.sort(np.concatenate([leaf.rows for leaf in leaves]))
        np.testing.assert_array_equal(rows, np.arange(len(table)))
        shares = tree.shares(table)
        for leaf in leaves:
            np.testing.assert_allclose(
                shares[leaf.rows], np.tile(leaf.counts / len(leaf.rows), (len(leaf.rows), 1))
            )


# Accuracy


TOYS = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "made": lambda return_X_y: datasets.make_classification(1500, n_informative=6, random_state=0),
}


@pytest.mark.parametrize("name", TOYS)
def test_accuracy_is_within_two_points_of_scikit_learns_tree_or_better(name: str) -> None:
    table, labels = TOYS[name](return_X_y=True)
    right = np.zeros(2)
    for seed in range(3):
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        for train, test in folds.split(table, labels):
            for place, learner in enumerate((Learner(), DecisionTreeClassifier(random_state=0))):
                predicted = learner.fit(table[train], labels[train]).predict(table[test])
                right[place] += np.count_nonzero(predicted == labels[test])
    ours, theirs = right / (3 * len(labels))
    assert ours >= theirs - 0.02


def test_the_order_of_the_rows_does_not_matter() -> None:
    table, labels = datasets.load_wine(return_X_y=True)
    order = np.random.default_rng(1).permutation(len(labels))
    assert shown(Learner().fit(table, labels)) == shown(Learner().fit(table[order], labels[order]))


def test_one_class_is_one_leaf() -> None:
    tree = Learner().fit(np.arange(10.0)[:, None], np.ones(10, bool))
    assert shown(tree) == (10,)
    assert tree.predict(np.array([[3.0]])).tolist() == [True]


# Codes of values, the rows of children, and the depth

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
    monkeypatch.setattr(c45, "_CELLS", 300)
    assert grown() == whole


def test_a_tree_has_a_limited_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    # Each cut takes the rows of one class off the end.
    table = np.arange(200.0)[:, None]
    labels = (np.arange(200) // 10 % 2).astype(np.int32)
    columns = CodedColumns.of(table, {})
    growth = Growth(columns, columns.encode(table), labels, 2, 2)
    whole = len(list(walk(growth.grow())))
    monkeypatch.setattr(c45, "DEEPEST", 2)
    assert 3 <= len(list(walk(growth.grow()))) <= 7 < whole


def test_n_log_n_is_0_of_none_and_of_one() -> None:
    np.testing.assert_allclose(n_log_n(4), [0, 0, 2, 3 * np.log2(3), 8])
