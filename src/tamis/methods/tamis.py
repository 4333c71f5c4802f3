"""The default: everything the other methods look at, and more, in one model of boosted trees.

The papers' common future work: features of all of them side by side (`model.features.spec` lists
the groups), learned weights of the words in class names, ids and roles on the path to a block, and
gradient-boosted trees (Ke et al. 2017) over both. A second stage of trees sees what the first one
thinks of the structures that a block is part of (`model.features.group_features`), and blocks that
belong together and agree get the same score (`model.features.corrections`); copies of a passage and
other stories below that of the page get the lowest. The log odds become
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
from tamis.model.features import corrections, group_features, reading_features, spec
from tamis.model.features.batch import Batch
from tamis.model.features.columns import allocate_columns
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
"""The numbers of `summarize_page`."""

FRAGMENT = 1000
"""Bytes below which a page is taken for a fragment, handed over because of its content.

A server's bare error message is as short, but says little more than its title.
"""

# The same for a page without scripts: those who block, log in and load later need some. All 600
# made-up refusals have one (`benchmarks/training/refusals.py`), and none of the 18 small pages of
# `structure`, with which this was chosen in view, that were taken for nothing.
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
        batch = Batch.from_pages(pages)
        scores = self.score_batch(batch)
        return [scores[begin:end] for begin, end in pairwise(batch.first_block.tolist())]

    def score_batch(self, batch: Batch, features: Matrix | None = None) -> Scores:
        """Probability of content of all blocks of some pages; their features go to `features`."""
        model = self.load_model()
        odds = model.compute_odds(batch, features)
        corrections.lower_extra_blocks(batch.columns, odds.groups, odds.combined)
        return model.calibrate(odds.combined)

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
        weights = self.load_model().nothing
        numbers = summarize_page(expected, scores, page.blocks.words, len(page.source))
        odds = float(weights[0] + weights[1:] @ numbers)
        return 1 / (1 + math.exp(-min(max(odds, -50.0), 50.0)))

    @property
    def ranks_readings(self) -> bool:
        """Whether the weights have a ranker; those of others may not."""
        return self.load_model().ranker is not None

    def rank_readings(self, readings: Matrix) -> Floats | None:
        """How much better than the first each reading of a page is, None by weights without."""
        model = self.load_model()
        if model.ranker is None or model.margins is None:
            return None
        margins = reading_features.find_margins(readings, model.margins)
        gains: Floats = model.ranker.predict(readings) - margins
        return gains

    def load_model(self) -> ContentModel:
        """The weights, ready for use."""
        # A file of the caller's may change between two pages.
        return _load_model(self.weights) if self.weights else _load_shipped()


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
    ranker: Forest | None = None
    """Reads what is known of whole readings of a page, if the weights have it."""
    margins: Floats | None = None
    """What a reading of each kind must be better by to be chosen."""

    def compute_odds(self, batch: Batch, features: Matrix | None = None) -> BlockOdds:
        """Score all blocks; write a row of features per block to `features`, if that is given."""
        first = np.empty(len(batch))
        table = allocate_columns(len(group_features.COLUMNS), len(batch))
        for begin, end, values in spec.compute_steps(batch, self.tokens):
            first[begin:end] = self.forest.predict(values.T)
            group_features.copy_features(values, TAKEN, table, begin)
            if features is not None:
                features[begin:end] = values.T
        return self.add_structures(batch, first, table)

    def add_structures(self, batch: Batch, first: Floats, table: Matrix) -> BlockOdds:
        """Combine the log odds of the first forest with what the second one says of structures.

        `table` has the columns of `group_features.copy_features` already.
        """
        groups = group_features.find_groups(batch.columns)
        group_features.write_columns(batch.columns, groups, first, table)
        second = self.second.predict(table[:, : len(batch)].T)
        combined = corrections.combine_odds(batch.columns, groups, first, second)
        return BlockOdds(groups, first, combined)

    def calibrate(self, odds: Floats) -> Scores:
        """Probabilities of content from log odds."""
        return np.interp(odds, self.odds, self.probability)


@dataclass(frozen=True, eq=False)
class BlockOdds:
    """The log odds of some blocks, and the groups that they are in."""

    groups: Ints
    """See `group_features.find_groups`."""
    first: Floats
    """From the features of each block alone."""
    combined: Floats
    """With the structures around each block, before extra blocks are lowered."""


TAKEN = np.array([spec.NAMES.index(name) for name in group_features.TAKEN], np.intc)
"""The columns of the features that the second forest reads, too."""


@cache
def _load_shipped() -> ContentModel:
    return _load_model(path_of_shipped("tamis"))


def _load_model(path: str) -> ContentModel:
    return _make_model(load(path, method="tamis", spec=spec.VERSION))


@lru_cache(maxsize=8)
def _make_model(weights: Weights) -> ContentModel:
    arrays = weights.arrays
    try:
        odds, probability, nothing = (
            np.asarray(arrays[name], np.float64)
            for name in ("calibration.odds", "calibration.probability", "nothing")
        )
        tokens = TokenTable.from_arrays(arrays, "tokens.")
        has_ranker = any(name.startswith("ranker.") for name in arrays)
        margins = arrays["ranker.margins"] if has_ranker else None
    except (KeyError, ValueError, TypeError) as error:
        raise WeightsError(f"these are no weights of method tamis: {error}") from error
    if odds.ndim != 1 or probability.shape != odds.shape or not len(odds):
        raise WeightsError("these weights have a calibration curve with knots missing")
    rising = (np.diff(odds) > 0).all() and (np.diff(probability) >= 0).all()
    if not rising or probability[0] < 0 or probability[-1] > 1:
        raise WeightsError("these weights have a calibration curve that does not rise from 0 to 1")
    if nothing.shape != (len(NOTHING) + 1,) or not np.isfinite(nothing).all():
        raise WeightsError(f"these weights need {len(NOTHING) + 1} numbers in `nothing`")
    forest = Forest.from_arrays(arrays, len(spec.NAMES), "forest.")
    second = Forest.from_arrays(arrays, len(group_features.COLUMNS), "second.")
    ranker = None
    if margins is not None:
        ranker = Forest.from_arrays(arrays, len(reading_features.NAMES), "ranker.")
        if margins.shape != (len(reading_features.READINGS),) or not np.isfinite(margins).all():
            raise WeightsError("these weights need one number in `ranker.margins` per reading")
    return ContentModel(tokens, forest, second, odds, probability, nothing, ranker, margins)


def _is_plain_fragment(page: Page) -> bool:
    return len(page.source) < _PLAIN_FRAGMENT and not (page.nodes.tag == tags.ID["script"]).any()


def _repeats_its_title(page: Page) -> bool:
    title = set(page.title.lower().split())
    words = " ".join(page.block_texts(np.arange(len(page.blocks)))).lower().split()
    return bool(title) and sum(word in title for word in words) >= _TITLE_SHARE * len(words)


def summarize_page(
    expected: float, probabilities: Floats, words: npt.NDArray[Any], size: int
) -> Floats:
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
