"""What kind of page it is: article, forum, product, collection, listing, documentation, service.

Four bags of names and some 170 numbers describe a page. The bags are what its elements are
called (words of classes, ids, roles, itemprops), what its root and its body are called, what it
declares (names of meta tags, `og:type`, types in JSON-LD and microdata) and its address, as the
caller gives it or else as the page declares it. Each name has learned weights, one per type; their
sums and the numbers go through boosted trees: one forest for overview pages, one for each other
type, and one that names an overview page a listing or a collection. A linear model of the same
columns is added to what the trees say. No word of the text is looked
at, so that all languages are treated equally, and no score of a method either, so that the type
does not depend on the method.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise, starmap
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tamis.describe import census, shape
from tamis.errors import WeightsError
from tamis.model.features import names as names_of
from tamis.model.features.columns import tag_table
from tamis.model.weights.forest import LEAF, Forest
from tamis.model.weights.load import Arrays, load, shipped
from tamis.model.weights.load import Weights as LoadedWeights
from tamis.page import tags
from tamis.page.references import resolve
from tamis.page.table import Page

Floats = npt.NDArray[np.float64]
Indexes = npt.NDArray[np.intp]
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

BAGS = ("names", "declared", "address", "root")
"""The bags of names."""

PLACES = 1 << 16
"""A name is a hash below this. One unknown name in 14 has the hash of a name with weights."""

_KINDS = (
    *("a", "p", "li", "img", "h1", "h2", "h3", "h4 h5 h6", "td th", "tr", "input", "select"),
    *("option", "button", "textarea", "form", "pre", "code", "article", "section", "nav", "time"),
    *("iframe", "video", "ul ol", "dl dt dd", "blockquote", "figure", "script", "svg", "label"),
    *("main", "table", "span", "div", "strong b", "em i", "br", "link", "meta"),
)
_KIND_OF_TAG = tag_table(*_KINDS)
_PLACES = {
    name: getattr(tags, f"IN_{name.upper()}")
    for name in (
        "main article navigation header footer aside form heading list table pre quote figure"
        " control"
    ).split()
} | {"hidden": tags.HIDDEN}
_BITS = np.array(list(_PLACES.values()), np.intc)
# Words outside of links that a long block has more than.
_LENGTHS = np.array((5, 10, 20, 40, 80), np.intc)
_COUNTED = ("itemprop", "itemtype", "datetime", "property", "onclick", "role", "alt", "srcset")
_REPEATED = ("links", "links_and_images", "text")
_QUANTILES = (0.5, 0.75, 0.9, 1.0)

_GROUPS = {
    "elements": (
        *(f"count.{kind}" for kind in _KINDS),
        *(f"share.{kind}" for kind in _KINDS),
        *(
            f"{name}.{number}"
            for name in _REPEATED
            for number in ("most", "count", "words", "words_each")
        ),
    ),
    "text": (
        *("words", "link_density", "capitals", "digits", "punctuation"),
        *(f"words.{place}" for place in _PLACES),
        *(f"blocks.{length}" for length in _LENGTHS),
        *(f"long.{length}" for length in _LENGTHS),
    ),
    "attributes": tuple(f"attribute.{name}" for name in _COUNTED),
    "shape": shape.BLOCKS,
    "targets": shape.TARGETS,
    "quantiles": tuple(f"quantile.{share}" for share in _QUANTILES),
    "sizes": ("nodes", "blocks", "bytes"),
    "address": (
        *("address.known", "address.steps", "address.length", "address.query"),
        *("address.hyphens", "address.digits", "address.slash", "address.suffix", "address.last"),
    ),
}
NUMBERS = tuple(name for group in _GROUPS.values() for name in group)
"""The numbers about a page, in the order of the columns."""

COLUMNS = (*NUMBERS, *(f"{bag}.{kind}" for bag in BAGS for kind in TYPES))
"""What the forests see."""


@dataclass(frozen=True, eq=False)
class Description:
    """A page as the model sees it."""

    numbers: Floats
    places: Places
    """The hashes of its names, each below `PLACES`, plus `PLACES` times the number of its bag."""


def page_types(page: Page, url: str | None = None, weights: str | None = None) -> dict[str, float]:
    """How probable each type is, the most probable first; by `weights` of the caller's own."""
    model = _shipped() if weights is None else _model(load(weights, method="page_type", spec=SPEC))
    chances = model.probabilities(describe(page, url)).tolist()
    order = sorted(range(len(TYPES)), key=lambda kind: -chances[kind])
    return {TYPES[kind]: chances[kind] for kind in order}


def decided(types: Mapping[str, float]) -> str:
    """The type of a page with these probabilities, see `places_decided`."""
    return TYPES[int(places_decided(np.array([types[kind] for kind in TYPES])))]


def places_decided(chances: Floats) -> Indexes:
    """Places in `TYPES` of the types that are decided for, along the last axis.

    Overview pages count as one type; the more probable of their two names is chosen last.
    """
    two = chances[..., _OVERVIEW_PLACES]
    joint = chances.copy()
    joint[..., _OVERVIEW_PLACES] = np.where(
        two == two.max(axis=-1, keepdims=True), two.sum(axis=-1, keepdims=True), 0
    )
    places: Indexes = joint.argmax(axis=-1)
    return places


_OVERVIEW_PLACES = [TYPES.index(kind) for kind in OVERVIEW]


def describe(page: Page, url: str | None = None) -> Description:
    """What the model looks at."""
    numbers = np.zeros(len(NUMBERS))
    columns = census.PageColumns(page)
    census.elements(columns, _KIND_OF_TAG, len(_KINDS), numbers[_COLUMNS_OF["elements"]])
    census.text(columns, _BITS, _LENGTHS, numbers[_COLUMNS_OF["text"]])
    shape.blocks(columns, numbers[_COLUMNS_OF["shape"]])
    chosen = np.empty((3, _SLOTS + _MOST_OF_ROOT), np.intc)
    named = census.attributes(
        columns, _COUNTER, _NAMING, chosen[:, :_SLOTS], numbers[_COLUMNS_OF["attributes"]]
    )
    ends = np.array((0, named), np.intc)
    named += census.root_attributes(columns, chosen[:, named : named + _MOST_OF_ROOT])
    part, tokens = names_of.tokens(page.source, ends, chosen[:, :named])
    declared = census.DeclaredNames(page.source, page.declared.rows, page.declared.head)
    if url is None and declared.address_end:
        own = page.source[declared.address_start : declared.address_end]
        url = resolve(own.decode("utf-8", "replace"), attribute=True)
    own_address, path, steps, about_address = _address(url)
    shape.targets(columns, own_address, path, numbers[_COLUMNS_OF["targets"]])
    ordered = np.sort(page.blocks.words) if len(page.blocks) else ends
    last = len(ordered) - 1
    quantiles = [ordered.item(int(share * last)) for share in _QUANTILES]
    sizes = len(page.nodes), len(page.blocks), len(page.source)
    numbers[_COLUMNS_OF["quantiles"].start :] = (*quantiles, *sizes, *about_address)
    names = (tokens >> _SHIFT).astype(np.intc) + part * (PLACES * BAGS.index("root"))
    return Description(numbers, np.concatenate((names, declared.hashes() + PLACES, steps)))


def _columns() -> dict[str, slice]:
    ends = [0, *accumulate(map(len, _GROUPS.values()))]
    return dict(zip(_GROUPS, starmap(slice, pairwise(ends)), strict=True))


_COLUMNS_OF = _columns()
_SLOTS = 512  # for values with names, see `census.attributes`
_MOST_OF_ROOT = 32  # attributes of the root and the body that are read
_SHIFT = np.uint64(48)
_COUNTER = np.full(len(tags.ATTRIBUTES), -1, np.intc)
_COUNTER[[tags.ATTRIBUTE_ID[name] for name in _COUNTED]] = range(len(_COUNTED))
_NAMING = np.zeros(len(tags.ATTRIBUTES), np.uint8)
_NAMING[[tags.ATTRIBUTE_ID[name] for name in ("class", "id", "role", "itemprop")]] = 1


_LETTERS = re.compile("[a-z]+")
_LONGEST_ADDRESS = 500


def _address(url: str | None) -> tuple[bytes, int, Places, tuple[float, ...]]:
    """Host and path, and where this begins; words of both, names of the query; and numbers."""
    try:
        parts = urlsplit((url or "")[:_LONGEST_ADDRESS])
    except ValueError:
        parts = urlsplit("")
    path = parts.path.lower()
    steps = [step for step in path.split("/") if step]
    last = steps[-1] if steps else ""
    names = [f"path {word}" for word in _LETTERS.findall(path)]
    names += [f"host {word}" for word in _LETTERS.findall(parts.netloc.lower())]
    names += [f"query {part.partition('=')[0]}" for part in parts.query.split("&") if part]
    if url:
        names += (f"steps {len(steps)}", f"first {steps[0] if steps else ''}", f"last {last}")
    numbers = (
        bool(url),
        len(steps),
        len(path),
        len(parts.query),
        last.count("-") + last.count("_"),
        sum(map(path.count, "0123456789")),
        path.endswith("/"),
        "." in last,
        len(last),
    )
    places = [2 * PLACES + crc32(name.encode()) % PLACES for name in names]
    host = parts.netloc.encode("utf-8", "replace")
    whole = host + parts.path.encode("utf-8", "replace")
    return whole, len(host), np.array(places, np.intc), numbers


# The model


def weights_of_names(arrays: Arrays) -> tuple[Places, Row]:
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
class Trees:
    """The forests, to be walked by one page: `Forest` is for tables of many rows."""

    feature: npt.NDArray[np.int16]
    value: Row
    right: Places
    """The right branch of each node."""
    root: Places
    """The roots of the trees."""
    first: Places
    """The first root of each forest, and the end."""

    @classmethod
    def of(cls, arrays: Arrays) -> Trees:
        """The trees in `arrays`; a `WeightsError` if they are none."""
        forests = [Forest.of(arrays, len(COLUMNS), f"{name}.") for name in FORESTS]
        feature, value = (
            np.concatenate([forest.arrays()[name] for forest in forests])
            for name in ("feature", "value")
        )
        # From the last node to the first: branches that wait for the node above them.
        waiting: list[int] = []
        right = np.zeros(len(feature), np.intc)
        for node in range(len(feature) - 1, -1, -1):
            if feature[node] != LEAF:
                waiting.pop()  # the left branch, next to its node
                right[node] = waiting.pop()
            waiting.append(node)
        first = np.cumsum([0, *map(len, forests)], dtype=np.intc)
        return cls(feature, value, right, np.array(waiting[::-1], np.intc), first)


@dataclass(frozen=True, eq=False)
class PageTypeModel:
    """Weights in the form in which they are used."""

    row: Places
    weight: Row
    """The weights of names, see `weights_of_names`."""
    trees: Trees
    linear: Floats
    """One row per column and one for the intercept, one column per forest."""
    scale: Floats
    shift: Floats
    """What makes calibrated log odds of those of the trees and the linear model."""

    @classmethod
    def of(cls, arrays: Arrays) -> PageTypeModel:
        """The model in `arrays`; a `WeightsError` if it is none."""
        try:
            row, weight = weights_of_names(arrays)
            linear, scale, shift = (
                np.asarray(arrays[name], float) for name in ("linear", "scale", "shift")
            )
        except KeyError as error:
            raise WeightsError(f"these are no weights of page types: {error} missing") from error
        if scale.shape != shift.shape or shift.shape != (len(FORESTS),):
            raise WeightsError(f"the calibration of page types needs {len(FORESTS)} numbers")
        if linear.shape != (len(COLUMNS) + 1, len(FORESTS)) or not np.isfinite(linear).all():
            raise WeightsError(f"the linear model of page types needs {len(COLUMNS) + 1} rows")
        return cls(row, weight, Trees.of(arrays), linear, scale, shift)

    def probabilities(self, page: Description) -> Floats:
        """How probable each of `TYPES` is."""
        columns = np.zeros(len(COLUMNS), np.float32)
        columns[: len(NUMBERS)] = page.numbers
        census.weigh(page.places, self.row, self.weight, columns[len(NUMBERS) :])
        odds = linear_odds(columns, self.linear)
        census.answers(self.trees, columns, odds)
        return probabilities((odds * self.scale + self.shift).tolist())


def linear_odds(columns: Row, linear: Floats) -> Floats:
    """What the linear model says to logarithms of the columns, along the last axis."""
    odds: Floats = squashed(columns) @ linear[:-1] + linear[-1]
    return odds


def squashed(columns: Row) -> Row:
    """Logarithms that keep the sign."""
    return np.copysign(np.log1p(np.abs(columns)), columns)


def probabilities(odds: Sequence[float]) -> Floats:
    """The probabilities of `TYPES`, from calibrated log odds of `FORESTS`.

    How probable an overview page is comes first, then which of the two it is. Plain numbers: for so
    few, arrays take five times as long.
    """
    *first, listing = odds
    highest = max(first)
    raised = [math.exp(value - highest) for value in first]
    total = sum(raised)
    *others, overview = (value / total for value in raised)
    likely = 0.5 + 0.5 * math.tanh(0.5 * listing)
    both = (*others, overview * (1 - likely), overview * likely)
    return np.array([both[place] for place in _ORDER])


# Where each type is in what the forests say, the two names of overview pages last.
_ORDER = [(*FORESTS[:-2], *OVERVIEW).index(kind) for kind in TYPES]


@cache
def _shipped() -> PageTypeModel:
    return PageTypeModel.of(load(shipped("page_type"), method="page_type", spec=SPEC).arrays)


@lru_cache(maxsize=4)
def _model(weights: LoadedWeights) -> PageTypeModel:
    return PageTypeModel.of(weights.arrays)


def softmax(odds: Floats) -> Floats:
    """Probabilities that add up to 1, along the last axis."""
    raised = np.exp(odds - odds.max(axis=-1, keepdims=True))
    result: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return result
