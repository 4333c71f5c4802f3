"""From scores to the decision which blocks are content.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.methods._base import Flags, Floats, Indexes, Method
from tamis.options import Options
from tamis.page.table import Page

if TYPE_CHECKING:
    import cython


BETAS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""How many times as much as precision recall counts in the F of each focus."""

USUAL_THRESHOLD = 0.5
"""Scores that are not probabilities are content from here on."""

READING = "reading"
"""The name in `Decision.switched` of what another reading of the page changed."""

WHOLE = "whole"
"""The name in `Decision.switched` of what was added to keep footnotes and callouts whole."""

AD_LABEL = "advertisement"
"""The name in `Decision.switched` of the labels of advertisements that were dropped."""

NO_CUT = float("inf")
"""The cut of a page of which nothing was kept."""

# Probabilities from which on blocks may be kept, falling.
CUTS = view_numbers(np.arange(49, 0, -1) / 50)
LOWEST_CUT = 1 / 50
"""No block with a lower probability is kept, but the most probable one."""

# The values of u in `best_expected_f`. Half of each expectation instead of the first alone is worth
# 0.006 on dragnet, 0.003 on l3s-gn1, 0.001 on news2023 and scrapinghub, nothing on wcxb-dev.
WORLDS = view_numbers((np.arange(20) + 0.5) / 20)
LEAST = 1e-9
# Expected F below the best that is as good: of such choices the one that keeps most is taken, but
# nothing below a probability. It finds .84 of the values of records for .82, with 2% more words,
# and costs nothing of F1.
AS_GOOD = 0.0015
LOWEST_OF_EQUALS = 0.3


@dataclass(frozen=True, slots=True)
class RankedReading:
    """One of the ways in which a page can be read."""

    name: str
    """How its blocks were found: `best`, `precise`, `no feeds` ..., see `tamis.decide.readings`."""
    words: int
    """Words that it keeps."""
    gain: float
    """Expected F1 beyond that of `best`."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between readings."""

    readings: tuple[RankedReading, ...]
    """All of them; the first is that of the best expected F by the scores of single blocks."""
    chosen: str
    """The name of the one that was taken."""
    because: str
    """Why, if it is not the first."""


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """What was kept of a page, and by what."""

    scores: Floats
    """One score per block, from the method."""
    kept: Flags
    """Whether each block was kept."""
    cut: float
    """The score from which on the method's blocks were kept; above 1 if there were none."""
    chance_of_nothing: float = 0.0
    """Probability that the page has no content at all, of a method that can tell."""
    switched: Mapping[str, Flags] = field(default_factory=dict)
    """The blocks that each switch of `Options` added or took, by its name; those that the rules
    did by `READING`, `WHOLE` and `AD_LABEL`, see `tamis.decide.steps`."""
    choice: Choice | None = None
    """The readings of the page, and the one that was chosen; None if there was no choice."""
    embedded: str | None = None
    """Where in the page the content was, if its visible text is a shell: `json-ld`, for example.
    All blocks are then made of that content."""

    @property
    def chosen(self) -> Flags:
        """What the scores alone would keep, without the switches."""
        return reduce(np.not_equal, self.switched.values(), self.kept)


def decide(page: Page, scores: Floats, method: Method, options: Options) -> Decision:
    """Keep or drop each block by its score.

    With a threshold, by that alone. Else, if the scores are probabilities, the blocks with the
    best expected F, or none if the page more likely has nothing to extract.
    """
    if options.threshold is not None or not method.calibrated:
        cut = USUAL_THRESHOLD if options.threshold is None else options.threshold
        return Decision(scores, scores >= cut, cut)
    words = page.blocks.words.astype(float)
    probabilities = np.ascontiguousarray(scores, float)
    order = most_probable_first(probabilities)
    count, expected = best_count(probabilities, words, order, 1.0)
    beta = BETAS[options.focus]
    if beta != 1:
        # On 4 of 60,000 random pages the best blocks for precision are not among the balanced ones.
        other = best_count(probabilities, words, order, beta)[0]
        count = min(count, other) if beta < 1 else max(count, other)
    nothing = method.chance_of_nothing(page, scores, expected)
    kept = np.zeros(len(scores), bool)
    if beta**2 * expected * (1 - nothing) <= nothing:
        return Decision(scores, kept, NO_CUT, nothing)
    kept[order[:count]] = True
    return Decision(scores, kept, float(scores[order[count - 1]]), nothing)


def best_expected_f(probabilities: Floats, words: Floats, beta: float = 1.0) -> tuple[Flags, float]:
    """The blocks with the best expected F over words, and what that is.

    The blocks from some probability on, and always the most probable one; of choices that are as
    good the one that keeps most. The expectation is the
    mean of two: one as if each block were content or not by itself, (1 + b²) C / (W + b² E) with
    the expected content C of what is kept, its words W and the expected content E of the page; and
    one as if all stood and fell together, as the comments below an article or the products of a
    shop do: the mean over all u from 0 to 1 of the F when the blocks above u are the content.
    """
    probabilities, words = (np.ascontiguousarray(each, float) for each in (probabilities, words))
    order = most_probable_first(probabilities)
    count, expected = best_count(probabilities, words, order, beta)
    kept = np.zeros(len(probabilities), bool)
    kept[order[:count]] = True
    return kept, expected


def most_probable_first(probabilities: Floats) -> Indexes:
    """The blocks by falling probability, equal ones in the order of the page."""
    return np.argsort(-probabilities, kind="stable")


def best_count(
    probabilities: Floats, words: Floats, order: Indexes, beta: cython.double
) -> tuple[int, float]:
    """How many blocks of `order` have the best expected F, see `best_expected_f`; and that F."""
    cut: cython.Py_ssize_t
    if not order.shape[0]:
        return 0, 0.0
    # Of the blocks from each cut on: their number, their words, their expected content.
    counts: cython.Py_ssize_t[::1] = np.empty(CUTS.shape[0], np.intp)
    kept: cython.double[::1] = np.empty(CUTS.shape[0])
    content: cython.double[::1] = np.empty(CUTS.shape[0])
    all_content: cython.double = sum_from_cuts(probabilities, words, order, counts, kept, content)
    gold: cython.double[::1] = np.empty(WORLDS.shape[0])
    sum_in_worlds(probabilities, words, order, gold)
    square: cython.double = beta * beta
    expected: cython.double[::1] = np.empty(CUTS.shape[0])
    best: cython.Py_ssize_t = 0
    for cut in range(CUTS.shape[0]):
        alone: cython.double = (1 + square) * content[cut]
        alone /= max(kept[cut] + square * all_content, LEAST)
        expected[cut] = (alone + mean_f(kept[cut], gold, square)) / 2
        if expected[cut] > expected[best]:
            best = cut
    last: cython.Py_ssize_t = best
    for cut in range(best, CUTS.shape[0]):
        if expected[cut] >= expected[best] - AS_GOOD and CUTS[cut] >= LOWEST_OF_EQUALS:
            last = cut
    return int(counts[last]), float(expected[best])


def sum_from_cuts(
    probabilities: Floats,
    words: Floats,
    order: Indexes,
    counts: Indexes,
    kept: Floats,
    content: Floats,
) -> cython.double:
    """Count and sum the blocks from each of `CUTS` on; return the expected content of all.

    The most probable block is always among them.
    """
    block: cython.Py_ssize_t = order[0]
    place: cython.Py_ssize_t = 1
    cut: cython.Py_ssize_t = 0
    own_words: cython.double = words[block]
    own_content: cython.double = probabilities[block] * words[block]
    while True:
        while cut < CUTS.shape[0] and (
            place == order.shape[0] or not probabilities[order[place]] >= CUTS[cut]
        ):
            counts[cut] = place
            kept[cut] = own_words
            content[cut] = own_content
            cut += 1
        if place == order.shape[0]:
            return own_content
        block = order[place]
        own_words += words[block]
        own_content += probabilities[block] * words[block]
        place += 1


def sum_in_worlds(probabilities: Floats, words: Floats, order: Indexes, gold: Floats) -> None:
    """Sum the words of the blocks that are content in each of `WORLDS`."""
    world: cython.Py_ssize_t = WORLDS.shape[0]
    place: cython.Py_ssize_t = 0
    total: cython.double = 0.0
    while world > 0:
        world -= 1
        while place < order.shape[0] and probabilities[order[place]] >= WORLDS[world]:
            total += words[order[place]]
            place += 1
        gold[world] = total


def mean_f(kept: cython.double, gold: Floats, square: cython.double) -> cython.double:
    """The mean F of so many words in `WORLDS`, added up in the order in which numpy does it."""
    world: cython.Py_ssize_t
    total: cython.double = (
        (pair_f(kept, gold, 0, square) + pair_f(kept, gold, 1, square))
        + (pair_f(kept, gold, 2, square) + pair_f(kept, gold, 3, square))
    ) + (
        (pair_f(kept, gold, 4, square) + pair_f(kept, gold, 5, square))
        + (pair_f(kept, gold, 6, square) + pair_f(kept, gold, 7, square))
    )
    for world in range(16, 20):
        total += world_f(kept, gold[world], square)
    return total / 20


def pair_f(
    kept: cython.double, gold: Floats, world: cython.Py_ssize_t, square: cython.double
) -> cython.double:
    """The F in a world and in the one eight further on."""
    return world_f(kept, gold[world], square) + world_f(kept, gold[world + 8], square)


def world_f(kept: cython.double, gold: cython.double, square: cython.double) -> cython.double:
    """The F of so many words kept, from the most probable on, where so many are content."""
    return (1 + square) * min(kept, gold) / max(kept + square * gold, LEAST)
