"""The default: everything the other methods look at, and more, in one model of boosted trees.

The papers' common future work: features of all of them side by side (`model.features.spec` lists
the groups), learned weights of the words in class names, ids and roles on the path to a block, and
gradient-boosted trees (Ke et al. 2017) over both. A second stage of trees sees what the first one
thinks of the structures that a block is part of (`model.features.structure`), and blocks that
belong together and agree get the same score (`model.features.settle`); copies of a passage and
other stories below that of the page get the lowest (`model.features.once`). The log odds become
calibrated probabilities; the blocks are then chosen for the best expected F of the page
(`tamis.decide`), unless the page looks like one that has nothing to extract: blocked, empty, an
error.

Our reading: hidden blocks are scored too, since pages that are put together by script keep their
content in `noscript`, `template` or hidden elements. A page below 1,000 bytes is a fragment that
somebody hands over for its content, unless it says little more than its title; so is one below
4,000 without a script.

When it fails: collections and products, where even people differ on what the content is; pages
whose text is not in the source; comments under an article that only their words distinguish.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tamis.errors import WeightsError
from tamis.methods._base import Floats, Method, Scores
from tamis.model.features import once, settle, spec, structure
from tamis.model.features.batch import Batch
from tamis.model.features.columns import room
from tamis.model.features.token_weights import TokenTable
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import Weights, load, path_of_shipped
from tamis.page import tags
from tamis.page.arrays import Ints, Matrix
from tamis.page.table import Page

NOTHING = (
    "log odds of the expected F",
    "log of the expected words of content",
    "log of the words",
    "highest probability",
    "log of the bytes of the source",
)
"""The numbers of `summary`."""

FRAGMENT = 1000
"""Bytes below which a page is taken for a fragment, handed over because of its content.

A server's bare error message is as short, but says little more than its title.
"""

# The same for a page without scripts: those who block, log in and load later need some. All 600
# made-up refusals have one (`tamis.train.refusals`), and none of the 18 small pages of `structure`,
# with which this was chosen in view, that were taken for nothing.
_PLAIN_FRAGMENT = 4000

# So many expected words of content are something to extract: of 400 made-up refusals none has more.
_ENOUGH = 50

# Share of the words in the title from which on there is nothing else: "404 Not Found" and a line.
_TITLE_SHARE = 1 / 3


@dataclass(frozen=True)
class Tamis(Method):
    """Features of all methods in one model of boosted trees, calibrated."""

    weights: str = ""
    """Path of weights that `tamis train tamis` made; empty for those that come with tamis."""

    citation: ClassVar[str] = (
        "The ensemble that Kim et al. 2013 and Peters and Lecocq 2013 propose; trees after G. Ke et"
        " al.: LightGBM, NeurIPS 2017."
    )
    calibrated = True

    def score(self, page: Page) -> Scores:
        """Probability of content."""
        return self.score_many([page])[0]

    def score_many(self, pages: Sequence[Page]) -> list[Scores]:
        """Probability of content, for several pages in one pass."""
        batch, model = Batch.of(pages), self.model()
        first = np.empty(len(batch))
        table = room(len(structure.COLUMNS), len(batch))
        for begin, end, features in spec.steps(batch, model.tokens):
            first[begin:end] = model.forest.predict(features.T)
            structure.take(features, TAKEN, table, begin)
        groups = structure.groups(batch.columns)
        structure.fill(batch.columns, groups, first, table)
        second = model.second.predict(table[:, : len(batch)].T)
        odds = settle.settled(batch.columns, groups, first, second)
        once.lower(batch.columns, groups, odds)
        scores = np.interp(odds, model.odds, model.probability)
        return [scores[begin:end] for begin, end in pairwise(batch.first_block.tolist())]

    def scored(self, batch: Batch) -> tuple[Matrix, Scores]:
        """The features of all blocks of some pages, and their probabilities of content."""
        model = self.model()
        features = spec.table(batch, model.tokens)
        odds = model.odds_of(batch, features, model.forest.predict(features))
        return features, np.interp(odds, model.odds, model.probability)

    def chance_of_nothing(self, page: Page, scores: Scores, expected: float) -> float:
        """Probability that the page has no content at all."""
        if not len(scores):
            return 1.0
        if len(page.source) < FRAGMENT:
            return float(_repeats_its_title(page))
        if _is_plain_fragment(page) and not _repeats_its_title(page):
            return 0.0
        if float(scores @ page.blocks.words) >= _ENOUGH:
            return 0.0
        weights = self.model().nothing
        numbers = summary(expected, scores, page.blocks.words, len(page.source))
        odds = float(weights[0] + weights[1:] @ numbers)
        return 1 / (1 + math.exp(-min(max(odds, -50.0), 50.0)))

    def model(self) -> ContentModel:
        """The weights, ready for use."""
        # A file of the caller's may change between two pages.
        return _model(self.weights) if self.weights else _shipped()


@dataclass(frozen=True, eq=False)
class ContentModel:
    """Weights in the form in which they are used."""

    tokens: TokenTable
    forest: Forest
    second: Forest
    """Reads what the first forest says of the structures around a block."""
    odds: Floats
    probability: Floats
    nothing: Floats

    def odds_of(self, batch: Batch, features: Matrix, first: Floats) -> Floats:
        """The log odds of all blocks, from those of the first forest."""
        groups = structure.groups(batch.columns)
        odds = self.settled(batch, groups, features, first)
        once.lower(batch.columns, groups, odds)
        return odds

    def settled(self, batch: Batch, groups: Ints, features: Matrix, first: Floats) -> Floats:
        """The log odds, before blocks that the page has once too often are lowered."""
        table = structure.table(batch.columns, groups, first, features, TAKEN)
        return settle.settled(batch.columns, groups, first, self.second.predict(table))


TAKEN = np.array([spec.NAMES.index(name) for name in structure.TAKEN], np.intc)
"""The columns of the features that the second forest reads, too."""


@cache
def _shipped() -> ContentModel:
    return _model(path_of_shipped("tamis"))


def _model(path: str) -> ContentModel:
    return _checked(load(path, method="tamis", spec=spec.VERSION))


@lru_cache(maxsize=8)
def _checked(weights: Weights) -> ContentModel:
    arrays = weights.arrays
    try:
        odds, probability, nothing = (
            np.asarray(arrays[name], np.float64)
            for name in ("calibration.odds", "calibration.probability", "nothing")
        )
        tokens = TokenTable.of(arrays, "tokens.")
    except (KeyError, ValueError, TypeError) as error:
        raise WeightsError(f"these are no weights of method tamis: {error}") from error
    if odds.ndim != 1 or probability.shape != odds.shape or not len(odds):
        raise WeightsError("these weights have a calibration curve with knots missing")
    rising = (np.diff(odds) > 0).all() and (np.diff(probability) >= 0).all()
    if not rising or probability[0] < 0 or probability[-1] > 1:
        raise WeightsError("these weights have a calibration curve that does not rise from 0 to 1")
    if nothing.shape != (len(NOTHING) + 1,) or not np.isfinite(nothing).all():
        raise WeightsError(f"these weights need {len(NOTHING) + 1} numbers in `nothing`")
    forest = Forest.of(arrays, len(spec.NAMES), "forest.")
    second = Forest.of(arrays, len(structure.COLUMNS), "second.")
    return ContentModel(tokens, forest, second, odds, probability, nothing)


def _is_plain_fragment(page: Page) -> bool:
    return len(page.source) < _PLAIN_FRAGMENT and not (page.nodes.tag == tags.ID["script"]).any()


def _repeats_its_title(page: Page) -> bool:
    title = set(page.title.lower().split())
    words = " ".join(page.block_texts(np.arange(len(page.blocks)))).lower().split()
    return bool(title) and sum(word in title for word in words) >= _TITLE_SHARE * len(words)


def summary(expected: float, probabilities: Floats, words: npt.NDArray[Any], size: int) -> Floats:
    """A page in a few numbers, for the decision that it has nothing to extract."""
    bounded = min(max(expected, 1e-3), 1 - 1e-3)
    return np.array(
        [
            math.log(bounded / (1 - bounded)),
            math.log1p(float(probabilities @ words)),
            math.log1p(float(words.sum())),
            float(probabilities.max()),
            math.log1p(size),
        ]
    )
