"""From scores to the decision which blocks are content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from tamis.methods._base import Flags, Floats, Method
from tamis.options import Options
from tamis.page.table import Page

BETAS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""How many times as much as precision recall counts in the F of each focus."""

USUAL_THRESHOLD = 0.5
"""Scores that are not probabilities are content from here on."""

THREAD = "thread"
"""The name in `Decision.switched` of what the posts of a thread changed."""

NO_CUT = float("inf")
"""The cut of a page of which nothing was kept."""

# Probabilities from which on blocks may be kept, falling.
_CUTS = np.arange(49, 0, -1) / 50
LOWEST_CUT = float(_CUTS[-1])
"""No block with a lower probability is kept, but the most probable one."""

# The values of u in `best_expected_f`. Half of each expectation instead of the first alone is worth
# 0.006 on dragnet, 0.003 on l3s-gn1, 0.001 on news2023 and scrapinghub, nothing on wcxb-dev.
_WORLDS = (np.arange(20) + 0.5) / 20
_LEAST = 1e-9
# Expected F below the best that is as good: of such choices the one that keeps most is taken, but
# nothing below a probability. It finds .84 of the values of records for .82, with 2% more words,
# and costs nothing of F1.
_AS_GOOD = 0.0015
_LOWEST_OF_EQUALS = 0.3


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
    """The blocks that each switch of `Options` added or took, by its name; those that the posts of
    a page that is a thread did by `THREAD`."""
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
    # On 4 of 60,000 random pages the best blocks for precision are not among the balanced ones.
    kept, expected = best_expected_f(scores, words)
    beta = BETAS[options.focus]
    if beta != 1:
        other = best_expected_f(scores, words, beta)[0]
        kept = kept & other if beta < 1 else kept | other
    nothing = method.chance_of_nothing(page, scores, expected)
    if beta**2 * expected * (1 - nothing) <= nothing:
        return Decision(scores, np.zeros(len(scores), bool), NO_CUT, nothing)
    return Decision(scores, kept, float(scores[kept].min(initial=NO_CUT)), nothing)


def best_expected_f(probabilities: Floats, words: Floats, beta: float = 1.0) -> tuple[Flags, float]:
    """The blocks with the best expected F over words, and what that is.

    The blocks from some probability on, and always the most probable one; of choices that are as
    good the one that keeps most. The expectation is the
    mean of two: one as if each block were content or not by itself, (1 + b²) C / (W + b² E) with
    the expected content C of what is kept, its words W and the expected content E of the page; and
    one as if all stood and fell together, as the comments below an article or the products of a
    shop do: the mean over all u from 0 to 1 of the F when the blocks above u are the content.
    """
    kept = np.zeros(len(probabilities), bool)
    if not len(probabilities):
        return kept, 0.0
    order = np.argsort(-probabilities, kind="stable")
    falling = probabilities[order]
    sums = np.cumsum((words[order], falling * words[order]), axis=1)
    counts = np.maximum(np.searchsorted(-falling, -_CUTS, side="right"), 1)
    kept_words, content = sums[:, counts - 1]
    square = beta * beta
    alone = (1 + square) * content / np.maximum(kept_words + square * sums[1, -1], _LEAST)
    gold = np.append(0.0, sums[0])[np.searchsorted(-falling, -_WORLDS, side="right")]
    in_both = np.minimum(kept_words[:, None], gold)
    bottom = np.maximum(kept_words[:, None] + square * gold, _LEAST)
    together = ((1 + square) * in_both / bottom).mean(axis=1)
    expected = (alone + together) / 2
    best = float(expected.max())
    as_good = (expected >= best - _AS_GOOD) & (_CUTS >= _LOWEST_OF_EQUALS)
    last = max(int(np.argmax(expected)), int(np.flatnonzero(as_good)[-1]) if as_good.any() else 0)
    kept[order[: counts[last]]] = True
    return kept, best
