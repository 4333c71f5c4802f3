"""What kind of page it is: article, forum, product, collection, listing, documentation, service.

Four bags of names and some 170 numbers describe a page. The bags are what its elements are
called (words of classes, ids, roles, itemprops), what its root and its body are called, what it
declares (names of meta tags, `og:type`, types in JSON-LD and microdata) and its address, as the
caller gives it or else as the page declares it. Each name has learned weights, one per type; their
sums and the numbers go through boosted trees: one forest for overview pages, one for each other
type, and one that names an overview page a listing or a collection. A linear model of the same
columns is added to what the trees say. No word of the text is looked at, so that all languages are
treated equally, and no score of a method either, so that the type does not depend on the method.

Two kinds of overview page look like others to the columns and are known by their rows: a forum's
index of topics, and a page of long teasers. What the rows say is part of the probabilities
(`weigh_rows`), so that type and overview are one decision.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import itemgetter
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from tamis.describe.types import forum_index, name_bags, page_numbers
from tamis.describe.types.name_bags import BAGS, NameWeights
from tamis.errors import WeightsError
from tamis.model.weights.forest import Forest
from tamis.model.weights.load import Arrays, load, path_of_shipped
from tamis.model.weights.load import Weights as LoadedWeights
from tamis.page.arrays import Floats, Indexes
from tamis.page.structure.teasers import find_teasers
from tamis.page.table import Page
from tamis.page.text.references import resolve_references

Row = npt.NDArray[np.float32]
Places = npt.NDArray[np.intc]

TYPES = ("article", "forum", "product", "collection", "listing", "documentation", "service")
"""The types of WCXB."""

OVERVIEW = ("collection", "listing")
"""The types of page that are lists: of products, of teasers. One decision with two names."""

FORESTS = (*(kind for kind in TYPES if kind not in OVERVIEW), "overview", "listing")
"""What a forest says yes to; the last one only sees overview pages."""

SPEC = 2
"""Version of the columns."""

_LIKELY = 0.5
# A page that is this surely something is not worth a look at its rows; what such a look leaves of
# the other types: 0.02 to 0.3 are equal.
_SURE, _LEFT = 0.98, 0.1
# Teasers that make an overview page of any page that is not this likely a thread. By folds, on
# wcxb-dev 4 pages more and 2 fewer are right; shares from 0.7 to 0.8 differ by one page.
_TEASER_WORDS, _TEASER_SHARE, _THREAD = 100, 0.75, 0.9
# More words in paragraphs are a story, with hundreds of teasers below it in some newspapers.
_MOST_PROSE = 130

PLACES = 1 << 16
"""A name is a hash below this. One unknown name in 14 has the hash of a name with weights."""

NUMBERS = page_numbers.NUMBERS.names
"""The numbers about a page, in the order of the columns."""

COLUMNS = (*NUMBERS, *(f"{bag}.{kind}" for bag in BAGS for kind in TYPES))
"""What the forests see."""


@dataclass(frozen=True, eq=False)
class Description:
    """A page as the model sees it."""

    numbers: Floats
    places: Places
    """The hashes of its names, each below `PLACES`, plus `PLACES` times the number of its bag."""


def estimate_types(
    page: Page, url: str | None = None, weights: str | None = None
) -> dict[str, float]:
    """How probable each type is, the most probable first; by `weights` of the caller's own."""
    # Who asks first, for the content or for a view, makes it for all.
    model = _load_model(weights)
    key = "types with rows", model, url
    if key not in page.made:
        page.made[key] = weigh_rows(page, _estimate_types(page, url, model))
    pairs = zip(page.made[key], TYPES, strict=True)
    return {kind: chance for chance, kind in sorted(pairs, key=itemgetter(0), reverse=True)}


def is_likely_forum(page: Page, least: float, url: str | None, weights: str | None = None) -> bool:
    """Whether a page is at least that likely a forum, an index of topics not counted.

    As `estimate_types` has it, but rows, which speak only against a forum, are looked at only if
    the columns speak for one.
    """
    likely = _estimate_types(page, url, _load_model(weights))[_FORUM] >= least
    return likely and estimate_types(page, url, weights)["forum"] >= least


def _estimate_types(page: Page, url: str | None, model: PageTypeModel) -> list[float]:
    """The probabilities of `TYPES` by the columns alone."""
    key = "types", model, url
    if key not in page.made:
        page.made[key] = model.estimate_types(describe(page, url))
    chances: list[float] = page.made[key]
    return chances


def sum_overview(types: Mapping[str, float]) -> float:
    """How probable an overview page is, by the probabilities of the types."""
    return min(1.0, sum(types[kind] for kind in OVERVIEW))


def is_overview(chance: float) -> bool:
    """Whether a page with this chance is an overview page: if that is more likely than not."""
    return chance > _LIKELY


def decide_type(types: Mapping[str, float]) -> str:
    """The type of a page with these probabilities.

    One of `OVERVIEW` if, and only if, `is_overview` says so of `sum_overview`.
    """
    kinds = OVERVIEW if is_overview(sum_overview(types)) else _OTHERS
    return max(kinds, key=types.__getitem__)


def decide_places(chances: Floats) -> Indexes:
    """Places in `TYPES` of the decided types, along the last axis, as `decide_type` decides."""
    overview = is_overview_at(chances)
    of_kind = np.isin(np.arange(len(TYPES)), _OVERVIEW_PLACES)
    places: Indexes = np.where(of_kind == overview[..., None], chances, -1.0).argmax(axis=-1)
    return places


def is_overview_at(chances: Floats) -> npt.NDArray[np.bool_]:
    """Whether pages are overview pages, along the last axis: `TYPES`."""
    overview: npt.NDArray[np.bool_] = chances[..., _OVERVIEW_PLACES].sum(axis=-1) > _LIKELY
    return overview


def weigh_rows(page: Page, chances: list[float]) -> list[float]:
    """The probabilities of `TYPES`, with what the rows of the page say that no column does.

    A forum's index of topics has the names and the shape of a forum: what counts for a forum,
    counts for a listing. If it names its counts, and on a page that is mostly teasers, so does what
    counts for the other types; but the posts of a thread repeat like teasers.
    """
    overview = sum(chances[place] for place in _OVERVIEW_PLACES)
    # To look at rows takes longer than the types.
    if overview > _SURE:
        return chances
    give_way: tuple[str, ...] = ()
    may_be_index = max(chances[place] for place in _NO_INDEX) <= _SURE
    if may_be_index and (rows := forum_index.find_rows(page)) is not None:
        give_way = _OTHERS if forum_index.has_named_counts(page, rows) else ("forum",)
    if len(give_way) <= 1 and chances[_FORUM] <= _THREAD:
        found = find_teasers(page)
        mostly = found.words >= _TEASER_WORDS and found.share >= _TEASER_SHARE
        if mostly and found.prose <= _MOST_PROSE:
            give_way = _OTHERS
    weighed = [*chances]
    for kind in give_way:
        weighed[TYPES.index(kind)] *= _LEFT
    weighed[TYPES.index("listing")] += max(0.0, 1 - sum(weighed))
    return weighed if give_way else chances


_OVERVIEW_PLACES = [TYPES.index(kind) for kind in OVERVIEW]
_OTHERS = tuple(kind for kind in TYPES if kind not in OVERVIEW)
# A page that surely is one of these is no index of a forum.
_NO_INDEX = [TYPES.index(kind) for kind in ("article", "product")]
_FORUM = TYPES.index("forum")


def describe(page: Page, url: str | None = None) -> Description:
    """What the model looks at."""
    numbers = np.zeros(len(NUMBERS))
    columns = page_numbers.PageColumns(page, numbers)
    page_numbers.count_elements(columns)
    page_numbers.sum_text(columns)
    page_numbers.count_attributes(columns)
    page_numbers.write_shape(columns)
    names, values = name_bags.read_element_names(columns, page.source)
    own = name_bags.OwnNames(page.source, page.declared.rows, page.declared.head)
    if url is None and own.address_end:
        raw = page.source[own.address_start : own.address_end]
        url = resolve_references(raw.decode("utf-8", "replace"), attribute=True)
    host, path, query = _split_address((url or "")[:_LONGEST_ADDRESS])
    own.read_address(columns, host.lower(), path.lower(), query, bool(url))
    in_utf8 = host.encode("utf-8", "replace")
    whole = in_utf8 + path.encode("utf-8", "replace")
    page_numbers.write_targets(columns, whole, len(in_utf8))
    # Without blocks the model has learned from the number of values with names.
    words = np.sort(page.blocks.words) if len(page.blocks) else np.array((0, values), np.intc)
    page_numbers.write_quantiles(columns, words)
    page_numbers.write_sizes(columns)
    return Description(numbers, np.concatenate((names, own.list_places())))


_LONGEST_ADDRESS = 500
# Host, path and query of most addresses; others take a closer look.
_PLAIN = re.compile(
    r"https?://([!\"$-.0->@-Z\\^-~]*)((?:/[!\"$->@-Z\\^-~]*)?)(?:\?([!\"$-Z\\^-~]*))?(?:#[!-~]*)?"
)


def _split_address(url: str) -> tuple[str, str, str]:
    """Host, path and query of an address, empty where it has none."""
    if plain := _PLAIN.fullmatch(url):
        return plain[1], plain[2], plain[3] or ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", ""
    return parts.netloc, parts.path, parts.query


# The model


def read_name_weights(arrays: Arrays) -> tuple[Places, Row]:
    """The row of each place in the weights, and these, one column per type.

    Row 0 is for the places that have none. Raises a `WeightsError` if these are no such weights.
    """
    place = np.asarray(arrays["place"], np.intp)
    weight = np.asarray(arrays["weight"], np.float32)
    if place.ndim != 1 or weight.shape != (len(place), len(TYPES)):
        raise WeightsError(f"the weights of names need {len(TYPES)} columns and one row per place")
    places = len(BAGS) * PLACES
    if not np.isfinite(weight).all() or not ((place >= 0) & (place < places)).all():
        raise WeightsError("a weight or the place of a name is out of range")
    row = np.zeros(places, np.intc)
    row[place] = np.arange(1, len(place) + 1)
    return row, np.concatenate((np.zeros((1, len(TYPES)), np.float32), weight))


@dataclass(frozen=True, eq=False)
class PageTypeModel:
    """Weights in the form in which they are used."""

    names: NameWeights
    trees: Forest
    """A part for each of `FORESTS`."""
    linear: Floats
    """One row per column and one for the intercept, one column per forest."""
    scale: Floats
    shift: Floats
    """What makes calibrated log odds of those of the trees and the linear model."""

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> PageTypeModel:
        """The model in `arrays`; a `WeightsError` if it is none."""
        try:
            names = NameWeights(*read_name_weights(arrays))
            linear, scale, shift = (
                np.asarray(arrays[name], float) for name in ("linear", "scale", "shift")
            )
        except KeyError as error:
            raise WeightsError(f"these are no weights of page types: {error} missing") from error
        calibration = np.stack((scale, shift)) if scale.shape == shift.shape else np.zeros(0)
        if calibration.shape != (2, len(FORESTS)) or not np.isfinite(calibration).all():
            raise WeightsError(f"the calibration of page types needs {len(FORESTS)} numbers")
        if linear.shape != (len(COLUMNS) + 1, len(FORESTS)) or not np.isfinite(linear).all():
            raise WeightsError(f"the linear model of page types needs {len(COLUMNS) + 1} rows")
        trees = Forest.from_arrays(arrays, len(COLUMNS), *(f"{name}." for name in FORESTS))
        return cls(names, trees, linear, scale, shift)

    def estimate_types(self, page: Description) -> list[float]:
        """How probable each of `TYPES` is."""
        columns = np.zeros(len(COLUMNS), np.float32)
        columns[: len(NUMBERS)] = page.numbers
        self.names.weigh(page.places, columns[len(NUMBERS) :])
        odds = compute_linear_odds(columns, self.linear)
        self.trees.add(columns[None], odds[:, None])
        return compute_probabilities((odds * self.scale + self.shift).tolist())


def compute_linear_odds(columns: Row, linear: Floats) -> Floats:
    """What the linear model says to logarithms of the columns, along the last axis."""
    odds: Floats = squash(columns) @ linear[:-1] + linear[-1]
    return odds


def squash(columns: Row) -> Row:
    """Logarithms that keep the sign."""
    return np.copysign(np.log1p(np.abs(columns)), columns)


def compute_probabilities(odds: list[float]) -> list[float]:
    """The probabilities of `TYPES`.

    From calibrated log odds of `FORESTS`. How probable an overview page is comes first, then which
    of the two it is. Plain numbers: for so few, arrays take five times as long.
    """
    *first, listing = odds
    highest = max(first)
    raised = [math.exp(value - highest) for value in first]
    total = sum(raised)
    *others, overview = (value / total for value in raised)
    likely = 0.5 + 0.5 * math.tanh(0.5 * listing)
    chances = (*others, overview * (1 - likely), overview * likely)
    return [chances[place] for place in _ORDER]


# Where each type is in what the forests say, the two names of overview pages last.
_ORDER = [(*FORESTS[:-2], *OVERVIEW).index(kind) for kind in TYPES]


def _load_model(weights: str | None) -> PageTypeModel:
    """The model of a file, or the one that comes with tamis."""
    return (
        _load_shipped()
        if weights is None
        else _make_model(load(weights, method="page_type", spec=SPEC))
    )


@cache
def _load_shipped() -> PageTypeModel:
    return PageTypeModel.from_arrays(
        load(path_of_shipped("page_type"), method="page_type", spec=SPEC).arrays
    )


@lru_cache(maxsize=4)
def _make_model(weights: LoadedWeights) -> PageTypeModel:
    return PageTypeModel.from_arrays(weights.arrays)


def compute_softmax(odds: Floats) -> Floats:
    """Probabilities that add up to 1, along the last axis."""
    raised = np.exp(odds - odds.max(axis=-1, keepdims=True))
    result: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return result
