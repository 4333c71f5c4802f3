"""Boosted trees as flat arrays: for each row of a table the sum of what its leaves answer.

Stored are two arrays with one entry per node, tree after tree, each in preorder: a node, all of its
left branch, all of its right branch. Where a branch ends follows from where the leaves are, so
there are no numbers of children that could be wrong, and a node takes six bytes.

At work no tree is walked. The leaves of a tree are bits, from left to right, in words of 32. Each
inner node is a test; a row that fails it goes right and cannot reach the leaves on the left, whose
bits are cleared. When all tests of a tree are done, in any order, the lowest bit left is the leaf
that the row ends at (Lucchese et al., QuickScorer, SIGIR 2015). That makes some four times as many
comparisons as a walk, but none is a jump and none waits for the one before, so that several rows
are done at once (`lanes.h`). Trees of many hundreds of leaves are better walked (`trees`).

Part of the hot path: ordinary Python that is compiled by Cython, with the C types in the .pxd file
of the same name. Uncompiled, numpy makes the same tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tamis import limits
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

BLOCK = 256  # rows that are tested together: 120 columns of them are 120 kB, half a small L2 cache
BETWEEN_CHECKS = 40 * BLOCK  # rows after which the deadline is looked at; in the loop it costs 6%


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees over the columns of a table. The arrays are read-only."""

    columns: int

    # As stored, one entry per node.
    feature: np.ndarray  # column to look at, `LEAF` at a leaf
    value: np.ndarray  # left if the column is at most this, else right; at a leaf its answer

    # At work. A test is an inner node, or the part of it that falls into one word.
    test_feature: np.ndarray
    test_threshold: np.ndarray
    test_keep: np.ndarray  # the bits that stay if the test fails
    first_test: np.ndarray  # of each word, and the end
    first_word: np.ndarray  # of each tree, and the end
    answer: np.ndarray  # 32 of each word, the one of each leaf at its place

    @classmethod
    def of(cls, arrays, columns, prefix=""):
        """The forest in `arrays`; a `WeightsError` if it is none for that many columns."""
        feature = stored(arrays, prefix + "feature", np.int16)
        value = stored(arrays, prefix + "value", np.float32)
        if feature.shape != value.shape:
            raise broken(f"{prefix}feature has {len(feature)} nodes and {prefix}value {len(value)}")
        wrong = np.flatnonzero((feature < LEAF) | (feature >= columns))
        if len(wrong):
            raise broken(
                f"node {wrong[0]} looks at column {feature[wrong[0]]}, the table has {columns}"
            )
        wrong = np.flatnonzero(~np.isfinite(value))
        if len(wrong):
            raise broken(f"the value of node {wrong[0]} is {value[wrong[0]]}")
        made = (feature, value, *tests_of(feature, value))
        for array in made:
            array.flags.writeable = False
        return cls(columns, *made)

    def arrays(self, prefix=""):
        """The forest as arrays, for `tamis.model.weights.load.save`."""
        return {prefix + "feature": self.feature, prefix + "value": self.value}

    def __len__(self):
        return len(self.first_word) - 1

    def predict(self, table):
        """The sum over the trees, in their order, for each row of a table in single precision.

        A value that is no number fails every test: it goes right.
        """
        if not isinstance(table, np.ndarray) or table.dtype != np.float32:
            kind = table.dtype if isinstance(table, np.ndarray) else type(table).__name__
            raise ValueError(f"the forest reads an array of float32, not {kind}")
        if table.ndim != 2 or table.shape[1] != self.columns:
            raise ValueError(
                f"the forest reads rows of {self.columns} columns, not a table of shape"
                f" {table.shape}"
            )
        if not table.flags.c_contiguous:
            raise ValueError("the forest reads a table whose rows are contiguous (C order)")
        total = np.zeros(len(table))
        sum_up = sum_answers if COMPILED else sum_answers_slowly
        for first in range(0, len(table), BETWEEN_CHECKS):
            limits.check()
            sum_up(
                table[first : first + BETWEEN_CHECKS],
                self.test_feature,
                self.test_threshold,
                self.test_keep,
                self.first_test,
                self.first_word,
                self.answer,
                total[first : first + BETWEEN_CHECKS],
            )
        return total


def stored(arrays, name, dtype):
    """A copy of the array of that name, if it is a list of such numbers."""
    if name not in arrays:
        raise broken(f"{name!r} is missing")
    array = np.asarray(arrays[name])
    if array.ndim != 1 or array.dtype != dtype:
        raise broken(
            f"{name!r} is of type {array.dtype} and shape {array.shape}, not a list of"
            f" {np.dtype(dtype)}"
        )
    return array.copy()


def broken(why):
    """What to raise on arrays that are no forest."""
    return WeightsError(f"these arrays are no forest: {why}")


def leaves_below(feature):
    """Leaves in the left branch of each inner node, and leaves of each tree."""
    left = [0] * len(feature)
    branches = []  # complete ones further right, the nearest last
    of = feature.tolist()
    for node in range(len(of) - 1, -1, -1):
        if of[node] == LEAF:
            branches.append(1)
            continue
        if len(branches) < 2:
            raise broken(f"node {node} has no two branches")
        left[node] = branches.pop()
        branches.append(left[node] + branches.pop())
    return np.array(left, np.int64), np.array(branches[::-1], np.int64)


def tests_of(feature, value):
    """The arrays at work, from those that are stored."""
    left, leaves = leaves_below(feature)
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
    start, end = before[inner], before[inner] + left[inner]
    parts = (end - 1) // WORD - start // WORD + 1
    of = np.repeat(np.arange(len(inner)), parts)
    number = np.arange(len(of)) - np.repeat(np.cumsum(parts) - parts, parts)
    word = start[of] // WORD + number
    low = np.maximum(start[of] - word * WORD, 0)
    high = np.minimum(end[of] - word * WORD, WORD)
    keep = ALL - ((1 << high) - (1 << low))
    word += first_word[tree[inner[of]]]
    order = np.argsort(word, kind="stable")
    node = inner[of[order]]
    first_test = np.searchsorted(word[order], np.arange(words.sum() + 1))
    return (
        feature[node].astype(np.intc),
        value[node],
        keep[order].astype(np.uint32),
        first_test.astype(np.intc),
        first_word.astype(np.intc),
        answer,
    )


def sum_answers(table, feature, threshold, keep, first_test, first_word, answer, total):
    """Write what the trees answer for each row, summed in their order, to `total`."""
    # Blocks of one size. The rows that the last one is short of hold what was there, and nobody
    # reads their sums. A multiple of eight: as many rows are done at once.
    blocks: cython.int = max((table.shape[0] + BLOCK - 1) // BLOCK, 1)
    size: cython.int = ((table.shape[0] + blocks - 1) // blocks + 7) // 8 * 8
    columns: cython.float[:, ::1] = np.zeros((table.shape[1], size), np.float32)
    sums: cython.double[::1] = np.empty(size)
    # As long as `BLOCK`, and on the stack, where the compiler knows that nothing else has a part in
    # them.
    bits = cython.declare(cython.uint[256])  # of each row, in the word at hand
    remaining = cython.declare(cython.uint[256])  # the bits of the first word that has some left
    place = cython.declare(cython.int[256])  # of the answers of that word
    left: cython.p_uint
    first: cython.Py_ssize_t = 0
    rows: cython.int
    row: cython.int
    tree: cython.int
    word: cython.int
    last_word: cython.int
    test: cython.int
    last: cython.int
    second: cython.int
    third: cython.int
    fourth: cython.int

    while first < table.shape[0]:
        rows = min(size, table.shape[0] - first)
        if table.shape[1]:
            turn(
                cython.address(table[first, 0]),
                rows,
                table.shape[1],
                cython.address(columns[0, 0]),
                size,
            )
        sums[:] = 0.0
        for tree in range(first_word.shape[0] - 1):
            last_word = first_word[tree + 1] - 1
            # From the last word to the first: one with bits left takes over from those after it.
            for word in range(last_word, first_word[tree] - 1, -1):
                left = bits
                if word == last_word:
                    left = remaining
                fill(left, size)
                last = first_test[word + 1] - 1
                for test in range(first_test[word], last + 1, 4):
                    # By fours, to load and store less. The last is made again if need be.
                    second = min(test + 1, last)
                    third = min(test + 2, last)
                    fourth = min(test + 3, last)
                    clear(
                        left,
                        size,
                        cython.address(columns[feature[test], 0]),
                        threshold[test],
                        keep[test],
                        cython.address(columns[feature[second], 0]),
                        threshold[second],
                        keep[second],
                        cython.address(columns[feature[third], 0]),
                        threshold[third],
                        keep[third],
                        cython.address(columns[feature[fourth], 0]),
                        threshold[fourth],
                        keep[fourth],
                    )
                if word == last_word:
                    for row in range(size):
                        place[row] = 32 * word
                else:
                    take_over(bits, 32 * word, remaining, place, size)
            add_leaves(remaining, place, cython.address(answer[0]), cython.address(sums[0]), size)
        for row in range(rows):
            total[first + row] = sums[row]
        first += size
    return 0


def sum_answers_slowly(table, feature, threshold, keep, first_test, first_word, answer, total):
    """The same with numpy, for where there is no compiler."""
    tested = np.flatnonzero(np.diff(first_test))
    for first in range(0, len(table), BLOCK):
        rows = table[first : first + BLOCK]
        bits = np.full((len(rows), len(first_test) - 1), ALL, np.uint32)
        if len(tested):
            kept = np.where(rows[:, feature] <= threshold, np.uint32(ALL), keep)
            bits[:, tested] = np.bitwise_and.reduceat(kept, first_test[tested], axis=1)
        lowest = bits & (~bits + np.uint32(1))
        place = lowest * np.uint32(DE_BRUIJN) >> np.uint32(27)
        answers = answer[np.arange(bits.shape[1]) * WORD + place].astype(np.float64)
        sums = total[first : first + BLOCK]
        for start, end in pairwise(first_word):
            word = start + np.argmax(bits[:, start:end] != 0, axis=1)
            sums += answers[np.arange(len(rows)), word]
    return 0
