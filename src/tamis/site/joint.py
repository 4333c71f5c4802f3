"""The joint decision: what the default method says of a page, and what the other pages tell.

A second, small forest corrects the log odds of the first by the evidence of the site
(`tamis.site.evidence`) and a few features of the block itself. Without evidence nothing is
corrected: the scores are those of the page alone, bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from tamis.methods._base import Scores
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.features.batch import Batch, Floats
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import load, shipped
from tamis.page.table import Page
from tamis.site.evidence import COLUMNS, Counts, Matrix, evidence
from tamis.site.reading import Reading, read

VERSION = 1
"""Changes with every change of what a column of the second forest means."""

OWN = (
    "words",
    "link_density",
    "title.cover",
    "heading_level",
    "last_character",
    "digits",
    "capitals",
)
"""Features of the block itself that the evidence is seen together with."""

NAMES = (*COLUMNS, *OWN)
"""The columns of the second forest."""

_OWN_COLUMNS = [spec.NAMES.index(name) for name in OWN]
_LEAST = 1e-4


@dataclass(frozen=True, eq=False)
class Alone:
    """What is known of a page by itself."""

    scores: Scores
    """Probability of content, by the method."""
    features: Matrix
    """The columns `OWN`."""
    reading: Reading


def alone(method: Tamis, page: Page, forum: float = 0.0) -> Alone:
    """Score a page by itself, as `method.score` does, and read it.

    `forum` is the probability that it is a forum's; only a page that is learned needs it.
    """
    model = method.model()
    batch = Batch.of([page])
    features = spec.table(batch, model.tokens).values
    scores = np.interp(model.forest.predict(features), model.odds, model.probability)
    return Alone(scores, features[:, _OWN_COLUMNS], read(batch, log_odds(scores), forum))


def table(counts: Counts, page: Alone) -> Matrix | None:
    """What the second forest looks at, a row a block; None if the site tells nothing."""
    told = evidence(counts, page.reading)
    return None if told is None else np.concatenate((told, page.features), axis=1)


def together(counts: Counts, page: Alone, forest: Forest | None = None) -> Scores:
    """Probability of content, given what the other pages of the site tell."""
    values = table(counts, page)
    if values is None:
        return page.scores
    correction = (forest or _shipped()).predict(values)
    if counts.is_forum(page.reading):
        # Posts look like the comments below an article, of which the training sets have more: on a
        # forum only repetition counts. The wrong words of 16 such pages rise by 0.1%, else by 8%.
        correction = np.where(values[:, NAMES.index("pattern")] > 0, correction, 0.0)
    return 1 / (1 + np.exp(-page.reading.odds - correction))


def log_odds(probabilities: Floats) -> Floats:
    """Bounded: a probability of the method is seldom nearer to 0 or 1 than this for a reason."""
    bounded = np.clip(probabilities, _LEAST, 1 - _LEAST)
    odds: npt.NDArray[np.float64] = np.log(bounded / (1 - bounded))
    return odds


@cache
def _shipped() -> Forest:
    return Forest.of(load(shipped("site"), method="site", spec=VERSION).arrays, len(NAMES))
