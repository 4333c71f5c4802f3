"""Boosted trees as flat arrays: for each row of a table the sum of what its leaves answer.

The one evaluator of boosted trees. A forest may have parts, such as one per type of page, each with
a sum of its own.

Stored are two arrays with one entry per node, tree after tree, each in preorder: a node, all of its
left branch, all of its right branch. Where a branch ends follows from where the leaves are, so
there are no numbers of children that could be wrong, and a node takes six bytes.

At work no tree is walked. The leaves of a tree are bits, from left to right, in words of 32. Each
inner node is a test; a row that fails it goes right and cannot reach the leaves on the left, whose
bits are cleared. When all tests of a tree are done, in any order, the lowest bit left is the leaf
that the row ends at (Lucchese et al., QuickScorer, SIGIR 2015). That makes some four times as many
comparisons as a walk, but none is a jump and none waits for the one before, so that several rows
are done at once (`lanes.h`). A test that all rows of a block pass, or none, is made once: the
lowest and the highest value of its column say so. It clears the leaves that no row can reach, on
the right or on the left, and tests that lead only to these are not made at all; three of ten are,
on a usual page. Trees of many hundreds of leaves are better walked (`decision_tree`).

Part of the hot path: ordinary Python that is compiled by Cython, with the C types in the .pxd file
of the same name. Uncompiled, numpy makes the same tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis.errors import WeightsError

if TYPE_CHECKING:
    import cython

COMPILED = not __file__.endswith(".py")

LEAF = -1
WORD = 32  # bits
ALL = 2**WORD - 1

# A lone bit times this number has in its upper five bits a number that no other bit has: the place
# of the leaf's answer among those of its word.
DE_BRUIJN = 0x077CB531
PLACES = np.array([(DE_BRUIJN << bit & ALL) >> 27 for bit in range(WORD)])

BLOCK = 256  # rows that are tested together: 260 columns of them are 260 kB, half a usual L2 cache
BETWEEN_CHECKS = 40 * BLOCK  # rows after which the deadline is looked at; in the loop it costs 6%

LANES = 16
# Each leaf on the left of a node takes a bit of a test, so a tree that leans to the left needs the
# square of its nodes, 16 bytes per 32 bits. The shipped forests have up to 9,600 tests.
MOST_TESTS = 1 << 22
LARGEST_ANSWER = 1e6  # log odds; sums of them do not overflow

TESTS = np.dtype(
    [
        ("column", np.intc, LANES),
        ("threshold", np.float32, LANES),
        ("none", np.uint32, LANES),
        ("all", np.uint32, LANES),
    ]
)
"""Tests as `lanes.h` has them, with the bits to clear if no row passes and if all rows do.

The last ones of a word clear nothing, if its tests are no multiple of `LANES`.
"""


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees over the columns of a table. The arrays are read-only."""

    columns: int

    # As stored, one entry per node.
    feature: np.ndarray  # column to look at, `LEAF` at a leaf
    value: np.ndarray  # left if the column is at most this, else right; at a leaf its answer

    # At work. A test is an inner node, or the part of it that falls into one word.
    tests: np.ndarray  # see `TESTS`
    first_tests: np.ndarray  # of each word, and the end
    first_word: np.ndarray  # of each tree, and the end
    answer: np.ndarray  # 32 of each word, the one of each leaf at its place
    first_tree: np.ndarray  # of each part, and the end

    @classmethod
    def from_arrays(cls, arrays, columns, *prefixes):
        """The forest in `arrays`; a `WeightsError` if it is none for that many columns.

        With prefixes, a forest with a part for each.
        """
        parts = [read_part(arrays, columns, prefix) for prefix in prefixes or ("",)]
        feature, value, left, right, leaves = map(np.concatenate, zip(*parts, strict=True))
        first_tree = np.cumsum([0, *(len(leaves) for *_, leaves in parts)], dtype=np.intc)
        made = (feature, value, *make_tests(feature, value, left, right, leaves), first_tree)
        for array in made:
            array.flags.writeable = False
        return cls(columns, *made)

    def to_arrays(self, prefix=""):
        """The forest as arrays, for `tamis.model.weights.load.save`."""
        return {prefix + "feature": self.feature, prefix + "value": self.value}

    def __len__(self):
        return len(self.first_word) - 1

    def predict(self, table):
        """The sum over the trees of the first part for each row of a table in single precision."""
        sums = np.zeros((len(self.first_tree) - 1, len(table) if np.ndim(table) else 0))
        self.add(table, sums)
        return sums[0]

    def add(self, table, sums):
        """Add what the trees answer, in their order: to a row of `sums` per part, a column per row.

        A value that is not a number fails every test: it goes right. Tables of
        `columns.allocate_columns` are read fastest.
        """
        if not isinstance(table, np.ndarray) or table.dtype != np.float32:
            kind = table.dtype if isinstance(table, np.ndarray) else type(table).__name__
            raise ValueError(f"the forest reads an array of float32, not {kind}")
        if table.ndim != 2 or table.shape[1] != self.columns:
            raise ValueError(
                f"the forest reads rows of {self.columns} columns, not a table of shape"
                f" {table.shape}"
            )
        in_columns = table.strides[0] == 4 and table.strides[1] >= 0 and table.strides[1] % 4 == 0
        if not (table.flags.c_contiguous or in_columns):
            raise ValueError(
                "the forest reads a table in C order, or one whose columns are contiguous"
            )
        tests = self.tests.view(np.uint8) if COMPILED else self.tests
        add = sum_answers if COMPILED else sum_answers_slowly
        for first in range(0, len(table), BETWEEN_CHECKS):
            limits.check()
            add(
                table[first : first + BETWEEN_CHECKS],
                tests,
                self.first_tests,
                self.first_word,
                self.first_tree,
                self.answer,
                sums[:, first : first + BETWEEN_CHECKS],
            )


def read_part(arrays, columns, prefix):
    """Features and values of some trees, and what `count_leaves` counts in them."""
    feature = read_stored(arrays, prefix + "feature", np.int16)
    value = read_stored(arrays, prefix + "value", np.float32)
    if feature.shape != value.shape:
        raise make_error(f"{prefix}feature has {len(feature)} nodes and {prefix}value {len(value)}")
    wrong = np.flatnonzero((feature < LEAF) | (feature >= columns))
    if len(wrong):
        raise make_error(
            f"node {wrong[0]} looks at column {feature[wrong[0]]}, the table has {columns}"
        )
    wrong = np.flatnonzero(~np.isfinite(value))
    if len(wrong):
        raise make_error(f"the value of node {wrong[0]} is {value[wrong[0]]}")
    if (np.abs(value[feature == LEAF]) > LARGEST_ANSWER).any():
        raise make_error(f"a leaf answers more than {LARGEST_ANSWER:g}")
    return feature, value, *count_leaves(feature)


def read_stored(arrays, name, dtype):
    """A copy of the array of that name, if it is a list of such numbers."""
    if name not in arrays:
        raise make_error(f"{name!r} is missing")
    array = np.asarray(arrays[name])
    if array.ndim != 1 or array.dtype != dtype:
        raise make_error(
            f"{name!r} is of type {array.dtype} and shape {array.shape}, not a list of"
            f" {np.dtype(dtype)}"
        )
    return array.copy()


def make_error(why):
    """The error for arrays that are not a forest."""
    return WeightsError(f"these arrays are no forest: {why}")


def count_leaves(feature):
    """Leaves in the left and in the right branch of each inner node, and leaves of each tree."""
    left = [0] * len(feature)
    right = [0] * len(feature)
    branches = []  # complete ones further right, the nearest last
    of = feature.tolist()
    for node in range(len(of) - 1, -1, -1):
        if of[node] == LEAF:
            branches.append(1)
            continue
        if len(branches) < 2:
            raise make_error(f"node {node} has no two branches")
        left[node] = branches.pop()
        right[node] = branches.pop()
        branches.append(left[node] + right[node])
    return np.array(left, np.int64), np.array(right, np.int64), np.array(branches[::-1], np.int64)


def make_tests(feature, value, left, right, leaves):
    """The arrays at work, from those that are stored."""
    words = (leaves + WORD - 1) // WORD
    first_word = np.concatenate((np.zeros(1, np.int64), np.cumsum(words)))
    is_leaf = feature == LEAF
    tree = np.repeat(np.arange(len(leaves)), 2 * leaves - 1)
    # Leaves further left in the same tree.
    before = np.cumsum(is_leaf) - is_leaf - (np.cumsum(leaves) - leaves)[tree]

    answer = np.zeros(words.sum() * WORD, np.float32)
    bit = before[is_leaf]
    place = (first_word[tree[is_leaf]] + bit // WORD) * WORD + PLACES[bit % WORD]
    answer[place] = value[is_leaf]

    # The left branch of an inner node is a range of bits, in one word or more.
    inner = np.flatnonzero(~is_leaf)
    start = before[inner]
    middle = start + left[inner]
    end = middle + right[inner]
    parts = (middle - 1) // WORD - start // WORD + 1
    if parts.sum() > MOST_TESTS:
        raise make_error(
            f"its trees need {parts.sum():,} tests, at most {MOST_TESTS:,}; train smaller ones"
        )
    of = np.repeat(np.arange(len(inner)), parts)
    word = start[of] // WORD + np.arange(len(of)) - np.repeat(np.cumsum(parts) - parts, parts)
    in_forest = word + first_word[tree[inner[of]]]
    order = np.argsort(in_forest, kind="stable")
    of, word, in_forest = of[order], word[order], in_forest[order]
    first_test = np.searchsorted(in_forest, np.arange(words.sum() + 1))
    groups = (np.diff(first_test) + LANES - 1) // LANES
    first_tests = np.concatenate((np.zeros(1, np.int64), np.cumsum(groups)))
    tests = np.zeros(max(groups.sum(), 1), TESTS)  # some that nobody makes if there is none
    place = np.arange(len(of)) - first_test[in_forest]
    at = first_tests[in_forest] + place // LANES, place % LANES
    tests["column"][at] = feature[inner[of]]
    tests["threshold"][at] = value[inner[of]]
    tests["none"][at] = bits_between(start[of], middle[of], word)
    tests["all"][at] = bits_between(middle[of], end[of], word)
    return tests, first_tests.astype(np.intc), first_word.astype(np.intc), answer


def bits_between(start, end, word):
    """The bits from `start` to `end` of a tree that are in its word of that number."""
    low = np.clip(start - word * WORD, 0, WORD)
    high = np.clip(end - word * WORD, 0, WORD)
    return (1 << high) - (1 << low)


def sum_answers(table, tests, first_tests, first_word, first_tree, answer, sums):
    """Add what the trees of each part answer for each row, in their order, to its `sums`."""
    width: cython.int = table.shape[1]
    first: cython.Py_ssize_t = 0
    part: cython.Py_ssize_t
    # Blocks of one size: a small rest would take as long as a whole one to prepare.
    blocks: cython.Py_ssize_t = max((table.shape[0] + BLOCK - 1) // BLOCK, 1)
    size: cython.int = (table.shape[0] + blocks - 1) // blocks
    rows: cython.int
    word: cython.int
    words: cython.int = first_tests.shape[0] - 1
    most: cython.int = 1
    are_columns: cython.bint = table.strides[0] == 4
    stride: cython.Py_ssize_t = table.strides[1] // 4 if are_columns else BLOCK
    if not table.shape[0] or first_word.shape[0] < 2:
        return 0
    for word in range(words):
        most = max(most, first_tests[word + 1] - first_tests[word])
    most *= LANES
    # See `sum_trees`: three numbers per test of a word, or those of all words and their tests.
    chosen: cython.uint[::1] = np.empty(max(3 * most, words + first_tests[words]), np.uintc)
    # One array: the answers of a tree, the extents of the columns, the columns if they are turned.
    numbers: cython.float[::1] = np.empty(
        BLOCK + (2 if are_columns else 2 + BLOCK) * width + 1, np.float32
    )
    turned: cython.Py_ssize_t = BLOCK + 2 * width
    while first < table.shape[0]:
        rows = min(size, table.shape[0] - first)
        columns = cython.address(numbers[turned])
        if are_columns and width:
            columns = cython.address(table[first, 0])
        elif width:
            turn(
                cython.address(table[first, 0]), rows, width, cython.address(numbers[turned]), BLOCK
            )
        find_extents(columns, stride, rows, width, cython.address(numbers[BLOCK]))
        for part in range(first_tree.shape[0] - 1):
            sum_trees(
                columns,
                stride,
                rows,
                cython.address(numbers[BLOCK]),
                cython.address(tests[0]),
                cython.address(first_tests[0]),
                cython.address(first_word[first_tree[part]]),
                first_tree[part + 1] - first_tree[part],
                cython.address(answer[0]),
                cython.address(chosen[0]),
                most,
                cython.address(numbers[0]),
                cython.address(sums[part, first]),
            )
        first += rows
    return 0


def sum_answers_slowly(table, tests, first_tests, first_word, first_tree, answer, sums):
    """The same with numpy, for where there is no compiler."""
    tested = np.flatnonzero(np.diff(first_tests))
    column, threshold = tests["column"].ravel(), tests["threshold"].ravel()
    keep = np.uint32(ALL) - tests["none"].ravel()
    for first in range(0, len(table), BLOCK):
        rows = table[first : first + BLOCK]
        bits = np.full((len(rows), len(first_tests) - 1), ALL, np.uint32)
        if len(tested):
            passed = rows[:, column] <= threshold
            kept = np.where(passed, np.uint32(ALL), keep)
            bits[:, tested] = np.bitwise_and.reduceat(kept, LANES * first_tests[tested], axis=1)
        lowest = bits & (~bits + np.uint32(1))
        place = lowest * np.uint32(DE_BRUIJN) >> np.uint32(27)
        answers = answer[np.arange(bits.shape[1]) * WORD + place].astype(np.float64)
        for part, trees in enumerate(pairwise(first_tree)):
            for start, end in pairwise(first_word[slice(trees[0], trees[1] + 1)]):
                word = start + np.argmax(bits[:, start:end] != 0, axis=1)
                sums[part, first : first + BLOCK] += answers[np.arange(len(rows)), word]
    return 0
