"""The joint decision: by what the default method says of a page, and by the other pages.

A small forest corrects the log odds of the method by the evidence of the site
(`gather_evidence`) and a few features of the block itself. It is heard only where the other
pages say something clear: of what they repeat, that it is the template's; of a value that differs
from page to page in a place that they all have, that it is content, if the page alone is unsure.
All other blocks have the scores of the page alone, bit for bit, and what was kept stays kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, ClassVar

import numpy as np

from tamis.decide.decision import LOWEST_CUT, best_expected_f
from tamis.describe.types.page_type import estimate_types
from tamis.errors import MethodError
from tamis.methods._base import Scores
from tamis.methods._registry import site_methods
from tamis.methods._shared.site_method import Repetition, SiteMethod
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.features.batch import Batch
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import load, path_of_shipped
from tamis.options import DEFAULT_METHOD, Options
from tamis.page.addresses import find_host
from tamis.page.arrays import Flags, Floats, Matrix
from tamis.page.table import Page
from tamis.site.counts import TEMPLATE_SHARE, Reading, SiteCounts, count_places, read_batch

COLUMNS = (
    *("pattern", "pattern.pages", "text", "place", "place.odds", "place.difference"),
    *("place.variety", "place.texts", "place.blocks", "place.words", "label", "odds"),
)
"""What is known about a block, see `gather_evidence`."""

_LABEL_WORDS = 4
FEWEST_PAGES = 3
"""Other pages of the template from which on they say something: what two pages of a shop or of a
manual have in common is content as often as not."""

MANY_PAGES = 6
"""Pages with the same pattern beyond which more say nothing more."""

VERSION = 2
"""Changes with every change of what a column of the forest means."""

OWN = (
    *("words", "link_density", "title.cover", "heading_level", "last_character"),
    *("digits", "capitals"),
)
"""Features of the block itself that the evidence is seen together with."""

NAMES = (*COLUMNS, *OWN)
"""The columns of the second forest."""

_OWN_COLUMNS = [spec.NAMES.index(name) for name in OWN]
_LEAST = 1e-4
_LEAST_ODDS = -700.0  # below, their exponential overflows


@dataclass(frozen=True, eq=False)
class Alone:
    """What is known of a page by itself."""

    scores: Scores
    """Probability of content, by the method."""
    features: Matrix
    """The columns `OWN`."""
    reading: Reading


def score_alone(method: Tamis, page: Page, many: float = 0.0) -> Alone:
    """Score a page as `method.score` does, and read it. To learn it, `many_things` gives `many`."""
    batch = Batch.from_pages([page])
    features = np.empty((len(batch), len(spec.NAMES)), np.float32)
    scores = method.score_batch(batch, features)
    return Alone(scores, features[:, _OWN_COLUMNS], read_batch(batch, log_odds(scores), many))


def many_things(page: Page, url: str | None) -> float:
    """How probable it is that a page has many things of one kind, posts or products."""
    types = estimate_types(page, url)
    return max(types["forum"], types["collection"])


@dataclass(frozen=True)
class SiteTamis(SiteMethod):
    """The default method, corrected by what the pages of a site have in common.

    Without another page of the same template it corrects nothing, so it need not be fitted.
    """

    weights: str = ""
    """Path of weights that `tamis train tamis` made; empty for those that come with tamis."""

    citation: ClassVar[str] = Tamis.citation
    learned: ClassVar[SiteCounts] = SiteCounts.make_empty()
    measure: ClassVar[str] = "share of the pages"
    reading: ClassVar[type[Any]] = Reading
    knowledge: ClassVar[type[Any]] = SiteCounts

    @property
    def base(self) -> Tamis:
        return Tamis(self.weights)

    def read(self, page: Page, url: str | None = None) -> Reading:
        """The hashes of a page and what the method says of it."""
        # The name of a file says nothing about the type of its page.
        address = url if find_host(url or "") else None
        return score_alone(self.base, page, many_things(page, address)).reading

    def check_learned(self, learned: SiteCounts) -> None:
        """Refuse weights that cannot be read before the first page asks for them."""
        if self.weights:
            self.base.load_model()

    def fit_readings(self, readings: Iterable[Reading], count: int) -> SiteTamis:
        return self.with_knowledge(reduce(SiteCounts.add_page, readings, self.learned))

    def score(self, page: Page) -> Scores:
        return combine_counts(self.learned, score_alone(self.base, page))

    def repetition(self, page: Page) -> Repetition:
        """The share of the pages of its template that have the pattern of each block."""
        reading = self.read(page)
        cluster = self.learned.cluster_of(reading)
        pages, count = np.zeros(len(page.blocks)), 0
        if cluster is not None:
            pages = self.learned.pattern_pages(reading.pattern, cluster)
            count = int(self.learned.pages[cluster])
        new = not self.learned.has_page(reading)
        return Repetition(
            measure=self.measure,
            values=np.minimum((pages + new) / (count + new), 1.0),
            border=TEMPLATE_SHARE,
            pages=np.maximum(pages + new, 1.0),
            all_pages=count + new,
            on=np.zeros((len(page.blocks), 0), bool),
            names=(),
        )


def site_method(options: Options) -> SiteMethod:
    """The method that a site is fitted with, by the options."""
    if options.method == DEFAULT_METHOD:
        return SiteTamis(**options.parameters)
    method = options.make_method()
    if not isinstance(method, SiteMethod):
        raise MethodError(
            f"method {method.name} scores each page by itself; a site can be fitted with"
            f" {DEFAULT_METHOD}, {', '.join(site_methods())}"
        )
    return method


def gather_evidence(counts: SiteCounts, reading: Reading) -> Matrix | None:
    """One row per block, `COLUMNS`; None if there are not enough other pages of the same template.

    Of the other pages of the cluster: the shares that have the pattern, the very text (all prices
    are one pattern), and a block in the same place. Shares, because log odds show how large a site
    is, and in the training sets the large ones are shops. Of the blocks in the same place: their
    log odds, and how much higher these are than the block's own, nearer to 0 the fewer pages; the
    shares of new patterns and of new texts; their number per page, and the mean logarithm of their
    words. Then the share of the pages that have the label before it, and the block's own log odds.
    """
    cluster = counts.cluster_of(reading)
    if cluster is None:
        return None
    own = int(counts.has_page(reading))
    others = int(counts.pages[cluster]) - own
    if others < FEWEST_PAGES:
        return None
    pattern, text = (
        np.clip(counts.pattern_pages(hashes, cluster) - own, 0, others)
        for hashes in (reading.pattern, reading.text)
    )
    here = count_places(reading, pattern <= 0, text <= 0)
    place, *of_place = _of_places(counts, reading, here, cluster, own)
    columns = [
        *(pattern / others, np.minimum(pattern, MANY_PAGES), text / others),
        *(np.minimum(place, others) / others, *of_place),
        *(_label_shares(reading, text / others), reading.odds),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _label_shares(reading: Reading, share: Floats) -> Floats:
    """The share of the pages that have the block before, 0 if that is not a label.

    A label has few words and is on its page once: "Number of pages:", but not "Add to cart".
    """
    _, number, times = np.unique(reading.pattern, return_inverse=True, return_counts=True)
    is_label = (times[number] == 1) & (reading.words > 0) & (reading.words <= _LABEL_WORDS)
    result = np.zeros(len(share))
    result[1:] = np.where(is_label, share, 0.0)[:-1]
    return result


def _of_places(
    counts: SiteCounts, reading: Reading, here: Floats, cluster: int, own: int
) -> list[Floats]:
    """The columns about the places, but the first is a number of pages; `here` is the page's."""
    number = reading.place
    elsewhere = counts.find_places(reading, cluster) - own * here
    # What was forgotten once may be less than what this page has.
    elsewhere[elsewhere[:, 0] <= 0] = 0
    pages, blocks, *unseen, odds, logs = np.maximum(elsewhere, (0, 0, 0, 0, -np.inf, 0)).T
    known = pages > 0
    # With this page, whose blocks are new where no other page has their pattern.
    variety, texts = (
        np.where(known, (new + here[:, 2 + kind]) / (blocks + here[:, 1]), 1.0)[number]
        for kind, new in enumerate(unseen)
    )
    each = np.maximum(pages, 1)
    pages, known = pages[number], known[number]
    odds = np.where(known, (odds / each)[number], reading.odds)
    difference = (odds - reading.odds) * pages / (pages + 1)
    words = np.where(known, (logs / np.maximum(blocks, 1))[number], np.log1p(reading.words))
    return [pages, odds, difference, variety, texts, (blocks / each)[number], words]


def join_columns(counts: SiteCounts, page: Alone) -> Matrix | None:
    """What the second forest reads, one row per block; None if the site has no evidence."""
    columns = gather_evidence(counts, page.reading)
    return None if columns is None else np.concatenate((columns, page.features), axis=1)


def combine_counts(counts: SiteCounts, page: Alone, forest: Forest | None = None) -> Scores:
    """Probability of content, given the other pages of the site."""
    values = join_columns(counts, page)
    if values is None:
        return page.scores
    correction = (forest or _load_shipped()).predict(values)
    lift = _is_value(values) & (correction > 0)
    if lift.any() and not counts.may_be_records(page.reading):
        lift[:] = False
    drop = _is_template(values) & (correction < 0) & (page.scores >= LOWEST_CUT)
    if not (lift | drop).any():
        return page.scores
    words = page.reading.words
    kept, expected = best_expected_f(page.scores, words)
    drop &= expected >= UNSURE
    odds = page.reading.odds + correction
    odds[lift] = np.maximum(odds[lift], LIFTED)
    odds[drop] = np.minimum(odds[drop], DROPPED)
    scores = np.where(lift | drop, 1 / (1 + np.exp(-np.maximum(odds, _LEAST_ODDS))), page.scores)
    # More content elsewhere on the page is no reason to drop a block.
    cut = scores[best_expected_f(scores, words)[0]].min(initial=1.0)
    return np.where(kept & ~drop, np.maximum(scores, cut), scores)


# Chosen by folds over the sites of records and wcxb-dev, with big9 and l3s-gn1 in view.
UNSURE = 0.5
"""Expected F of a page alone below which nothing is taken from it."""
LIFTED, DROPPED = 0.0, -2.0
"""Log odds that a value has at least, and what is a template's at most."""
_VALUE_WORDS = 12
_VALUE_BLOCKS = 8
_SENTENCE = 8


def _is_value(values: Matrix) -> Flags:
    """Short texts that no other page has, in a place that most pages have.

    There are few in that place of a page and others on other pages, or a label is before it.
    """
    names = ("words", "text", "place", "place.texts", "place.blocks", "label")
    words, text, place, texts, blocks, label = (values[:, NAMES.index(name)] for name in names)
    known = (words <= _VALUE_WORDS) & (text < 0.3) & (place >= 0.7)
    varies = (texts > 0.5) & (blocks <= _VALUE_BLOCKS)
    labelled = (label >= 0.8) & (texts > 0.2)
    return known & (varies | labelled)


def _is_template(values: Matrix) -> Flags:
    """Texts that most pages have, but for the page's title: others may link to it.

    A short one may be a value, unless all in its place repeat.
    """
    names = ("words", "text", "place.texts", "title.cover")
    words, text, texts, title = (values[:, NAMES.index(name)] for name in names)
    return (text >= 0.8) & ((texts <= 0.4) | (words >= _SENTENCE)) & (title < 0.5)


def log_odds(probabilities: Floats) -> Floats:
    """Bounded: a probability of the method is seldom nearer to 0 or 1 than this for a reason."""
    bounded = np.clip(probabilities, _LEAST, 1 - _LEAST)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds


@cache
def _load_shipped() -> Forest:
    return Forest.from_arrays(
        load(path_of_shipped("site"), method="site", spec=VERSION).arrays, len(NAMES)
    )
