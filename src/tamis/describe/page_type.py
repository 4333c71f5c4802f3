"""What kind of page it is: article, forum, product, collection, listing, documentation, service.

Three bags of names and some sixty numbers describe a page. The bags are what its elements are
called (words of classes, ids, roles, itemprops), what it declares (names of meta tags, `og:type`,
types in JSON-LD and microdata) and its address, the given one or else the one that it declares
itself. Each name has learned weights, one a type; their sums and the numbers go through boosted
trees, one forest a type. No word of the text is looked at, so that all languages are alike, and no
score of a method either, so that the type does not depend on the method.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tamis.errors import WeightsError
from tamis.features import walk, words
from tamis.features.batch import UNLISTED, tag_table
from tamis.page import tags
from tamis.page.table import Page
from tamis.weights.forest import Forest
from tamis.weights.load import Arrays, load, shipped

Floats = npt.NDArray[np.float64]
Row = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]

TYPES = ("article", "forum", "product", "collection", "listing", "documentation", "service")
"""The types of WCXB."""

SPEC = 1
"""Version of the columns."""

BAGS = ("names", "declared", "address")
"""The bags of names."""

PLACES = 1 << 16
"""A name is a hash below this. One unknown name in 14 has the hash of one with weights."""

_KINDS = (
    *("a", "p", "li", "img", "h1", "h2", "h3", "h4 h5 h6", "td th", "tr", "input", "select"),
    *("option", "button", "textarea", "form", "pre", "code", "article", "section", "nav", "time"),
    *("iframe", "video", "ul ol", "dl dt dd", "blockquote", "figure", "script", "svg", "label"),
    *("main", "table", "span", "div", "strong b", "em i", "br", "link", "meta"),
)
# The last kind is all others.
_KIND_OF_TAG = tag_table(*_KINDS) % (len(_KINDS) + 1)
_PLACES = {
    "main": tags.IN_MAIN,
    "article": tags.IN_ARTICLE,
    "navigation": tags.IN_NAVIGATION,
    "header": tags.IN_HEADER,
    "footer": tags.IN_FOOTER,
    "aside": tags.IN_ASIDE,
    "form": tags.IN_FORM,
    "heading": tags.IN_HEADING,
    "list": tags.IN_LIST,
    "table": tags.IN_TABLE,
    "pre": tags.IN_PRE,
    "quote": tags.IN_QUOTE,
    "figure": tags.IN_FIGURE,
    "control": tags.IN_CONTROL,
    "hidden": tags.HIDDEN,
}
_BITS = np.array(list(_PLACES.values()), np.intc)
# Words outside of links from which on a block is longer.
_LENGTHS = (5, 10, 20, 40, 80)
_LENGTH_CLASS = np.searchsorted(_LENGTHS, np.arange(_LENGTHS[-1] + 2), side="left")
_COUNTED = ("itemprop", "itemtype", "datetime", "property", "onclick", "role", "alt", "srcset")
_LINK_OR_IMAGE = tag_table("a", "img")
_QUANTILES = (0.5, 0.75, 0.9, 1.0)
_REPEATED = ("links", "links_and_images", "text")
# Words of an element that may be an entry of a list, and of one that may be a post or a section.
_FEWEST_WORDS = 2
_LONG_TEXT = 15

NUMBERS = (
    *("nodes", "blocks", "bytes", "words", "link_density", "capitals", "digits", "punctuation"),
    *(f"count.{kind}" for kind in _KINDS),
    *(f"share.{kind}" for kind in _KINDS),
    *(f"words.{place}" for place in _PLACES),
    *(f"blocks.{length}" for length in _LENGTHS),
    *(f"long.{length}" for length in _LENGTHS),
    *(f"quantile.{share}" for share in _QUANTILES),
    *(f"{name}.{what}" for name in _REPEATED for what in ("most", "count", "words", "words_each")),
    *(f"attribute.{name}" for name in _COUNTED),
    *("address.known", "address.steps", "address.length", "address.query"),
    *("address.hyphens", "address.digits", "address.slash", "address.suffix", "address.last"),
)
"""The numbers about a page, in the order of the columns."""

COLUMNS = (*NUMBERS, *(f"{bag}.{kind}" for bag in BAGS for kind in TYPES))
"""What the forests see."""


@dataclass(frozen=True, eq=False)
class Description:
    """A page as the model sees it."""

    numbers: Row
    bags: tuple[Places, ...]
    """For each of `BAGS` the hashes of its names, below `PLACES`."""


def page_types(page: Page, url: str | None = None) -> dict[str, float]:
    """How probable each type is, the most probable first."""
    chances = _shipped().probabilities(describe(page, url)).tolist()
    order = sorted(range(len(TYPES)), key=lambda kind: -chances[kind])
    return {TYPES[kind]: chances[kind] for kind in order}


def describe(page: Page, url: str | None = None) -> Description:
    """What the model looks at."""
    declared, own_address = _declared(page)
    steps, about_address = _address(own_address if url is None else url)
    numbers = np.concatenate((_sizes(page), _repeated(page), _attributes(page), about_address))
    return Description(numbers.astype(np.float32), (_names(page), declared, steps))


# The model


@dataclass(frozen=True, eq=False)
class Bag:
    """The weights of the names of a bag."""

    row: Places
    """The row of each hash in `weights`; row 0 is for those that have none."""
    weights: Row
    """A column a type."""

    @classmethod
    def of(cls, arrays: Arrays, prefix: str) -> Bag:
        """The bag in `arrays`; a `WeightsError` if it is none."""
        place = np.asarray(arrays[prefix + "place"], np.intp)
        weight = np.asarray(arrays[prefix + "weight"], np.float32)
        if place.ndim != 1 or weight.shape != (len(place), len(TYPES)):
            raise WeightsError(f"{prefix}weight needs {len(TYPES)} columns and a row a place")
        if not np.isfinite(weight).all() or not ((place >= 0) & (place < PLACES)).all():
            raise WeightsError(f"{prefix}weight or {prefix}place has a number out of range")
        row = np.zeros(PLACES, np.intp)
        row[place] = np.arange(1, len(place) + 1)
        return cls(row, np.concatenate((np.zeros((1, len(TYPES)), np.float32), weight)))

    def sums(self, places: Places) -> Row:
        """What some names weigh together, repeated ones once."""
        seen = np.zeros(len(self.weights), np.float32)
        seen[self.row[places]] = 1
        return seen @ self.weights


@dataclass(frozen=True, eq=False)
class Model:
    """Weights in the form in which they are used."""

    bags: tuple[Bag, ...]
    forests: tuple[Forest, ...]
    """One a type."""
    scale: Floats
    shift: Floats
    """What makes calibrated log odds of those of the forests."""

    @classmethod
    def of(cls, arrays: Arrays) -> Model:
        """The model in `arrays`; a `WeightsError` if it is none."""
        try:
            bags = tuple(Bag.of(arrays, f"{name}.") for name in BAGS)
            scale, shift = (np.asarray(arrays[name], float) for name in ("scale", "shift"))
        except KeyError as error:
            raise WeightsError(f"these are no weights of page types: {error} missing") from error
        if scale.shape != shift.shape or shift.shape != (len(TYPES),):
            raise WeightsError(f"the calibration of page types needs {len(TYPES)} numbers")
        forests = tuple(Forest.of(arrays, len(COLUMNS), f"{kind}.") for kind in TYPES)
        return cls(bags, forests, scale, shift)

    def probabilities(self, page: Description) -> Floats:
        """How probable each of `TYPES` is."""
        sums = [bag.sums(places) for bag, places in zip(self.bags, page.bags, strict=True)]
        row = np.concatenate((page.numbers, *sums))[None]
        odds = np.array([forest.predict(row)[0] for forest in self.forests])
        return softmax(odds * self.scale + self.shift)


@cache
def _shipped() -> Model:
    return Model.of(load(shipped("page_type"), method="page_type", spec=SPEC).arrays)


def softmax(odds: Floats) -> Floats:
    """Probabilities that add up to 1, along the last axis."""
    raised = np.exp(odds - odds.max(axis=-1, keepdims=True))
    result: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return result


# Numbers


def _sizes(page: Page) -> Floats:
    """How many elements of each kind there are, and where and how long the text is."""
    blocks, nodes = page.blocks, max(len(page.nodes), 1)
    kind = _KIND_OF_TAG.take(page.nodes.tag, mode="clip")
    kinds = np.bincount(kind, minlength=len(_KINDS) + 1)[:-1]
    length = blocks.words
    total, chars = max(int(length.sum()), 1), max(int(blocks.chars.sum()), 1)
    inside = (blocks.flags[:, None] & _BITS).astype(bool).astype(np.float32)
    net = length - blocks.link_words
    group = _LENGTH_CLASS.take(net, mode="clip")
    longer = np.bincount(group, minlength=len(_LENGTHS) + 1)[:0:-1].cumsum()[::-1]
    long_words = np.bincount(group, net, len(_LENGTHS) + 1)[:0:-1].cumsum()[::-1]
    ordered = np.sort(length) if len(length) else np.zeros(1, np.intc)
    sums = [int(marks.sum()) for marks in (blocks.capitals, blocks.digits, blocks.punctuation)]
    shares = [(total - int(net.sum())) / total, *(marks / chars for marks in sums)]
    return np.concatenate(
        (
            [len(page.nodes), len(blocks), len(page.source), total, *shares],
            kinds,
            kinds / nodes,
            length.astype(np.float32) @ inside / total,
            longer,
            long_words / total,
            [ordered.item(int(share * (len(ordered) - 1))) for share in _QUANTILES],
        )
    )


def _repeated(page: Page) -> list[float]:
    """Children of one element that each hold a link, a link and an image, or text alone."""
    nodes = page.nodes
    below = page.sums_below(page.texts.words).astype(np.int64)
    children = (below >= _FEWEST_WORDS).nonzero()[0]
    parent, below = nodes.parent.take(children) + 1, below.take(children)
    tag = np.minimum(nodes.tag, UNLISTED)
    before = walk.counts_before(tag, _LINK_OR_IMAGE, 2)
    held_links, held_images = (
        before.take(nodes.last.take(children) + 1, axis=0) - before.take(children, axis=0)
    ).T
    has_link = held_links > 0
    total = max(int(page.texts.words.sum()), 1)
    found: list[float] = []
    for chosen in (has_link, has_link & (held_images > 0), (below >= _LONG_TEXT) > has_link):
        parents = parent[chosen]
        count = np.bincount(parents, minlength=1)
        held = np.bincount(parents, below[chosen], minlength=1) * (count > 2)
        best = int(held.argmax())
        size, of_best = held.item(best), count.item(best)
        found += [int(count.max()), of_best, size / total, size / max(of_best, 1)]
    return found


_COUNTED_IDS = [tags.ATTRIBUTE_ID[name] for name in _COUNTED]


def _attributes(page: Page) -> Floats:
    counts = np.bincount(page.attribute_rows[0], minlength=len(tags.ATTRIBUTES))
    return counts.take(_COUNTED_IDS).astype(float)


# Bags


_NAMING = np.zeros(len(tags.ATTRIBUTES), bool)
_NAMING[[tags.ATTRIBUTE_ID[name] for name in ("class", "id", "role", "itemprop")]] = True
# Bytes of a name that are looked at; longer ones tell nothing more.
_LONGEST_NAME = 200
_SLOTS = 2048


def _names(page: Page) -> Places:
    """Words of classes, ids, roles and itemprops.

    Of values that are alike in length, first and last byte one is read: of the 1,700 attributes
    of the mean page most are repeated.
    """
    names, starts, ends = page.attribute_rows
    rows = _NAMING.take(names).nonzero()[0]
    start, end = starts.take(rows), ends.take(rows)
    source = np.frombuffer(page.source, np.uint8)
    edges = source.take(start, mode="clip") * np.intc(131) + source.take(end - 1, mode="clip")
    last = np.full(_SLOTS, -1)
    last[(end - start) * 7 + edges * 29 & _SLOTS - 1] = rows
    chosen = page.attribute_rows.take(last[last >= 0], axis=1)
    np.minimum(chosen[2], chosen[1] + _LONGEST_NAME, out=chosen[2])
    numbers = np.arange(chosen.shape[1], dtype=np.intc)
    _, tokens, _ = words.names(page.source, numbers, chosen)
    return (tokens >> np.uint64(48)).astype(np.intp)


def _hashes(names: Iterable[bytes]) -> Places:
    return np.array([crc32(name) % PLACES for name in names], np.intp)


_PROPERTY, _NAME, _REL, _TYPE, _ITEMTYPE = (
    tags.ATTRIBUTE_ID[name] for name in ("property", "name", "rel", "type", "itemtype")
)
_DECLARING = np.zeros(len(tags.ATTRIBUTES), bool)
_DECLARING[[_PROPERTY, _NAME, _REL]] = True
_TELLING = (b"og:type", b"generator")
_DATA = b"application/ld+json"
_DATA_TYPE = re.compile(rb'\s*:\s*\[?\s*"([^"]{1,40})"')
# What is read of a page that declares more than any honest one.
_MOST_ROWS = 400
_MOST_DATA = 1 << 16


def _declared(page: Page) -> tuple[Places, str | None]:
    """Names of meta tags, types of the page and of its data, and the address it gives itself."""
    names, starts, ends = page.attribute_rows
    source = page.source
    body = int(np.argmax(page.nodes.tag == tags.ID["body"])) if len(page.nodes) else 0
    head = int(page.nodes.attributes[body]) if body else 0
    found: set[bytes] = set()
    address = None
    rows = np.flatnonzero(_DECLARING[names[:head]])[:_MOST_ROWS]
    places = (rows, names[rows], starts[rows], ends[rows])
    for row, name, start, end in zip(*(column.tolist() for column in places), strict=True):
        value = source[start : min(end, start + _LONGEST_NAME)].lower()
        if name == _REL:
            found.add(b"link " + value)
            if value == b"canonical":
                address = _beside(page, row, "href") or address
            continue
        found.add(b"meta " + value)
        if value in _TELLING:
            content = (_beside(page, row, "content") or "").lower().split()
            found.add(b"%b %b" % (value, " ".join(content[:1]).encode("utf-8", "replace")))
        elif value == b"og:url" and not address:
            address = _beside(page, row, "content")
    for row in np.flatnonzero(names == _ITEMTYPE)[:_MOST_ROWS].tolist():
        value = source[starts[row] : ends[row]][:_LONGEST_NAME]
        found.add(b"item " + value.rpartition(b"/")[2].lower())
    lengths = ends - starts
    for row in np.flatnonzero((names == _TYPE) & (lengths >= len(_DATA)))[:20].tolist():
        if _DATA in source[starts[row] : ends[row]][:_LONGEST_NAME].lower():
            found |= _data_types(source, int(ends[row]))
    return _hashes(found), address


def _data_types(source: bytes, start: int) -> set[bytes]:
    """The types in the JSON-LD whose script element has an attribute that ends at `start`."""
    close = source.find(b"</script", start, start + _MOST_DATA)
    data = source[start : start + _MOST_DATA if close < 0 else close]
    openings = {part[:60] for part in data.split(b'"@type"')[1:]}
    types = (_DATA_TYPE.match(opening) for opening in openings)
    return {b"data " + match[1].lower() for match in types if match}


def _beside(page: Page, row: int, name: str) -> str | None:
    node = int(np.searchsorted(page.nodes.attributes, row, side="right")) - 1
    return page.attribute(node, name)


_LETTERS = re.compile("[a-z]+")
_LONGEST_ADDRESS = 500


def _address(url: str | None) -> tuple[Places, Floats]:
    """Words of the path and names of the query, and some numbers."""
    try:
        parts = urlsplit((url or "")[:_LONGEST_ADDRESS])
    except ValueError:
        parts = urlsplit("")
    path = parts.path.lower()
    steps = [step for step in path.split("/") if step]
    last = steps[-1] if steps else ""
    found = {f"path {word}" for word in _LETTERS.findall(path)}
    found |= {f"host {word}" for word in _LETTERS.findall(parts.netloc.lower())}
    found |= {f"query {part.partition('=')[0]}" for part in parts.query.split("&") if part}
    if url:
        found.add(f"steps {len(steps)}")
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
    return _hashes(map(str.encode, found)), np.array(numbers, float)
