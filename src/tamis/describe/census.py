# cython: boundscheck=False
"""Passes over the columns of a page that count: elements, words, attributes.

Each is linear, and writes a group of `page_type.NUMBERS` to `PageColumns.numbers`, from `first` on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view
from tamis.model.features.columns import tag_table
from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.page.arrays import Floats, Ints
    from tamis.page.table import Page

COMPILED = not __file__.endswith(".py")

# Words of an element that may be an entry of a list; of an element that may be a post or section.
FEWEST_WORDS = 2
LONG_TEXT = 15
# Children of an element that repeat.
FEWEST_REPEATED = 3

LINK, IMAGE = tags.ID["a"], tags.ID["img"]

_KINDS = (
    *("a", "p", "li", "img", "h1", "h2", "h3", "h4 h5 h6", "td th", "tr", "input", "select"),
    *("option", "button", "textarea", "form", "pre", "code", "article", "section", "nav", "time"),
    *("iframe", "video", "ul ol", "dl dt dd", "blockquote", "figure", "script", "svg", "label"),
    *("main", "table", "span", "div", "strong b", "em i", "br", "link", "meta"),
)
_REPEATED = ("links", "links_and_images", "text")
ELEMENTS = (
    *(f"count.{kind}" for kind in _KINDS),
    *(f"share.{kind}" for kind in _KINDS),
    *(
        f"{name}.{number}"
        for name in _REPEATED
        for number in ("most", "count", "words", "words_each")
    ),
)
"""The numbers that `elements` writes."""
KINDS = len(_KINDS)
KIND_OF_TAG = view(tag_table(*_KINDS))

_PLACES = {
    name: getattr(tags, f"IN_{name.upper()}")
    for name in (
        "main article navigation header footer aside form heading list table pre quote figure"
        " control"
    ).split()
} | {"hidden": tags.HIDDEN}
_LENGTHS = (5, 10, 20, 40, 80)
TEXT = (
    *("words", "link_density", "capitals", "digits", "punctuation"),
    *(f"words.{place}" for place in _PLACES),
    *(f"blocks.{length}" for length in _LENGTHS),
    *(f"long.{length}" for length in _LENGTHS),
)
"""The numbers that `text` writes."""
BITS = view(np.array(list(_PLACES.values()), np.intc))
LENGTHS = view(
    np.array(_LENGTHS, np.intc)
)  # words outside of links that a long block has more than

_SHARES = (0.5, 0.75, 0.9, 1.0)
QUANTILES = tuple(f"quantile.{share}" for share in _SHARES)
"""The numbers that `quantiles` writes."""
SHARES = view(np.array(_SHARES))

_COUNTED = ("itemprop", "itemtype", "datetime", "property", "onclick", "role", "alt", "srcset")
ATTRIBUTES = tuple(f"attribute.{name}" for name in _COUNTED)
"""The numbers that `attributes` writes."""


def counters() -> Ints:
    """For each attribute the place where it is counted, or -1."""
    table = np.full(len(tags.ATTRIBUTES), -1, np.intc)
    table[[tags.ATTRIBUTE_ID[name] for name in _COUNTED]] = range(len(_COUNTED))
    return table


COUNTER = view(counters())


SIZES = ("nodes", "blocks", "bytes")
"""The numbers that `sizes` writes."""


class PageColumns:
    """The columns of a page as the passes read them, and the numbers that they write."""

    def __init__(self, page: Page, numbers: Floats) -> None:
        self.numbers = numbers
        nodes, texts, blocks = page.nodes, page.texts, page.blocks
        self.source = page.source
        self.tag, self.parent, self.depth = nodes.tag, nodes.parent, nodes.depth
        self.first_attribute = nodes.attributes
        self.text_node, self.text_words = texts.node, texts.words
        self.text_start, self.text_end = texts.start, texts.end
        self.first_text, self.end_text, self.node = blocks.first_text, blocks.end_text, blocks.node
        self.words, self.link_words, self.chars = blocks.words, blocks.link_words, blocks.chars
        self.capitals, self.digits = blocks.capitals, blocks.digits
        self.punctuation, self.flags = blocks.punctuation, blocks.flags
        self.attributes = page.attribute_rows


def elements(page: PageColumns, first: cython.Py_ssize_t) -> None:
    """Count elements by kind, and the children of an element that hold the same.

    That is a link, a link and an image, or text alone. For each of the three: the most children;
    and of the element whose children hold the most words their number, their share of the words of
    the page, and whole words per child.
    """
    nodes: cython.Py_ssize_t = page.tag.shape[0]
    node: cython.Py_ssize_t
    text: cython.Py_ssize_t
    group: cython.int
    total: cython.double = 0
    out: cython.double[::1] = page.numbers[first:]
    # One row per node, row 0 for what is above the root: words, links and images at or below it;
    # then for each of the three groups of children their number and their words.
    below: cython.int[:, ::1] = np.zeros((nodes + 1, 9), np.intc).data
    best: cython.int[::1] = np.zeros(3, np.intc).data
    for text in range(page.text_node.shape[0]):
        below[page.text_node[text] + 1, 0] += page.text_words[text]
        total += page.text_words[text]
    total = max(total, 1.0)
    # From the last node to the first: when a node comes, all below it has been counted.
    for node in range(nodes - 1, -1, -1):
        above: cython.Py_ssize_t = page.parent[node] + 1
        kind: cython.int = KIND_OF_TAG[min(page.tag[node], KIND_OF_TAG.shape[0] - 1)]
        if kind >= 0:
            out[kind] += 1
        if page.tag[node] == LINK:
            below[node + 1, 1] += 1
        elif page.tag[node] == IMAGE:
            below[node + 1, 2] += 1
        words: cython.int = below[node + 1, 0]
        links: cython.int = below[node + 1, 1]
        images: cython.int = below[node + 1, 2]
        below[above, 0] += words
        below[above, 1] += links
        below[above, 2] += images
        if links and words >= FEWEST_WORDS:
            below[above, 3] += 1
            below[above, 4] += words
            if images:
                below[above, 5] += 1
                below[above, 6] += words
        elif not links and words >= LONG_TEXT:
            below[above, 7] += 1
            below[above, 8] += words
        if not below[node + 1, 3] and not below[node + 1, 7]:
            continue
        for group in range(3):
            count: cython.int = below[node + 1, 3 + 2 * group]
            if not count:
                continue
            words = below[node + 1, 4 + 2 * group]
            column: cython.Py_ssize_t = 2 * KINDS + 4 * group
            if count > out[column]:
                out[column] = count
            if count >= FEWEST_REPEATED and words >= best[group]:
                best[group] = words
                out[column + 1] = count
                out[column + 2] = words / total
                out[column + 3] = words // count
    for column in range(KINDS):
        out[KINDS + column] = out[column] / max(nodes, 1)


def text(page: PageColumns, first: cython.Py_ssize_t) -> None:
    """Sum up the words, and as shares: in links, punctuation, by place, in long blocks."""
    block: cython.Py_ssize_t
    column: cython.Py_ssize_t
    blocks: cython.Py_ssize_t = page.words.shape[0]
    places: cython.Py_ssize_t = BITS.shape[0]
    count: cython.Py_ssize_t = LENGTHS.shape[0]
    out: cython.double[::1] = page.numbers[first:]
    all_chars: cython.double = 0
    alike: cython.longlong = 0  # words of neighbouring blocks with the same flags
    for block in range(blocks):
        words: cython.int = page.words[block]
        net: cython.int = words - page.link_words[block]
        all_chars += page.chars[block]
        out[0] += words
        out[1] += page.link_words[block]
        out[2] += page.capitals[block]
        out[3] += page.digits[block]
        out[4] += page.punctuation[block]
        alike += words
        if block + 1 == blocks or page.flags[block + 1] != page.flags[block]:
            for column in range(places):
                if page.flags[block] & BITS[column]:
                    out[5 + column] += alike
            alike = 0
        for column in range(count):
            if net <= LENGTHS[column]:
                break
            out[5 + places + column] += 1
            out[5 + places + count + column] += net
    out[0] = max(out[0], 1.0)
    out[1] /= out[0]
    for column in range(2, 5):
        out[column] /= max(all_chars, 1.0)
    for column in range(places):
        out[5 + column] /= out[0]
    for column in range(count):
        out[5 + places + count + column] /= out[0]


def quantiles(page: PageColumns, ordered: Ints, first: cython.Py_ssize_t) -> None:
    """Write quantiles of at least one number; these are in order."""
    column: cython.Py_ssize_t
    for column in range(SHARES.shape[0]):
        place: cython.Py_ssize_t = int(SHARES[column] * (ordered.shape[0] - 1))
        page.numbers[first + column] = ordered[place]


def attributes(page: PageColumns, first: cython.Py_ssize_t) -> None:
    """Count attributes."""
    row: cython.Py_ssize_t
    for row in range(page.attributes.shape[1]):
        place: cython.int = COUNTER[page.attributes[0, row]]
        if place >= 0:
            page.numbers[first + place] += 1


def sizes(page: PageColumns, first: cython.Py_ssize_t) -> None:
    """Write how large the page is."""
    page.numbers[first] = page.tag.shape[0]
    page.numbers[first + 1] = page.words.shape[0]
    page.numbers[first + 2] = len(page.source)
