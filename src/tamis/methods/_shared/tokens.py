"""Words of id and class attributes of blocks (Peters and Lecocq 2013, sec. 4.1).

A block has the tokens of the elements that separate it from the blocks around it, from its lowest
block-level element to the outermost that holds no other text, and of the inline elements inside.
A token is a run of letters in lower case; `sideBar` and `side-bar` are both `side` and `bar`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from tamis.methods._shared.density import Floats
from tamis.page import tags
from tamis.page.table import Page

Indexes = npt.NDArray[np.intp]

ATTRIBUTES = ("class", "id")

# Elements around a text that are looked at, inside its block and outside: hostile pages nest
# thousands.
_DEEPEST = 16

_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


def tokens_of(value: str) -> list[str]:
    """The tokens of the value of a class or id.

    >>> tokens_of("nav-main sideBar2 XMLFeed")
    ['nav', 'main', 'side', 'bar', 'xml', 'feed']
    """
    return [token.lower() for token in _TOKEN.findall(value)]


def block_tokens(page: Page, blocks: Indexes) -> list[set[str]]:
    """The tokens of each of some blocks, written `class:nav` or `id:nav`."""
    place, values, own = _values(page, blocks)
    tokens = [
        {f"{kind}:{token}" for token in tokens_of(value.decode("utf-8", "replace"))}
        for kind, value in values
    ]
    result: list[set[str]] = [set() for _ in range(len(blocks))]
    for block, value_number in zip(place.tolist(), own.tolist(), strict=True):
        result[block] |= tokens[value_number]
    return result


def token_features(page: Page, blocks: Indexes, columns: Mapping[str, int]) -> Floats:
    """1 where a block has a token; `columns` gives the place of each listed token."""
    result = np.zeros((len(blocks), len(columns)))
    place, values, own = _values(page, blocks)
    by_kind = {
        kind: {
            token.removeprefix(f"{kind}:"): column
            for token, column in columns.items()
            if token.startswith(f"{kind}:")
        }
        for kind in ATTRIBUTES
    }
    listed = [
        (number, by_kind[kind][token])
        for number, (kind, value) in enumerate(values)
        for token in tokens_of(value.decode("utf-8", "replace"))
        if token in by_kind[kind]
    ]
    if not listed:
        return result
    numbers, hits = np.array(listed).T
    # Rows of `listed` of each value are neighbours, in the order of the values.
    first, end = np.searchsorted(numbers, own), np.searchsorted(numbers, own, side="right")
    rows = np.repeat(place, end - first)
    skipped = np.repeat(np.cumsum(end - first) - (end - first), end - first)
    result[rows, hits[np.repeat(first, end - first) + np.arange(len(rows)) - skipped]] = 1.0
    return result


def _values(page: Page, blocks: Indexes) -> tuple[Indexes, list[tuple[str, bytes]], Indexes]:
    """Pairs of a place in `blocks` and a distinct attribute value, and the values themselves."""
    place, node = _elements(page, blocks)
    rows = page.nodes.attributes
    first = rows[node]
    end = np.append(rows[1:], page.attribute_rows.shape[1])[node]
    counts = end - first
    skipped = np.cumsum(counts) - counts
    row = np.repeat(first - skipped, counts) + np.arange(int(counts.sum()))
    place = np.repeat(place, counts)
    kind = page.attribute_rows[0, row]
    wanted = np.isin(kind, [tags.ATTRIBUTE_ID[name] for name in ATTRIBUTES])
    place, row = place[wanted], row[wanted]
    distinct, own = np.unique(row, return_inverse=True)
    numbers: dict[tuple[str, bytes], int] = {}
    table = page.attribute_rows[:, distinct].T.tolist()
    by_value = [
        numbers.setdefault((tags.ATTRIBUTES[name], page.source[start:stop]), len(numbers))
        for name, start, stop in table
    ]
    return place, list(numbers), np.array(by_value, dtype=np.intp)[own]


def _elements(page: Page, blocks: Indexes) -> tuple[Indexes, Indexes]:
    """Pairs of a place in `blocks` and an element of that block, each once."""
    pairs = _inside(page, blocks) + _around(page, blocks)
    width = max(1, len(page.nodes))
    keys = np.unique(np.concatenate([place * width + node for place, node in pairs]))
    return keys // width, keys % width


_Pairs = list[tuple[Indexes, Indexes]]


def _inside(page: Page, blocks: Indexes) -> _Pairs:
    """The inline elements around the visible texts of each block."""
    place_of = np.full(len(page.blocks), -1, dtype=np.intp)
    place_of[blocks] = np.arange(len(blocks))
    shown = page.texts.flags & tags.HIDDEN == 0
    texts = np.flatnonzero(shown & (place_of[page.texts.block] >= 0))
    place = place_of[page.texts.block[texts]]
    node = page.texts.node[texts].astype(np.intp)
    depth = page.nodes.depth[page.blocks.node[page.texts.block[texts]]]
    pairs: _Pairs = []
    for _ in range(_DEEPEST):
        inside = page.nodes.depth[node] > depth
        place, node, depth = place[inside], node[inside], depth[inside]
        if not len(node):
            break
        pairs.append((place, node))
        node = page.nodes.parent[node].astype(np.intp)
    return pairs


def _around(page: Page, blocks: Indexes) -> _Pairs:
    """The block-level element of each block, and those above it that hold no other text."""
    shown = np.concatenate((np.zeros(1, np.intp), np.cumsum(page.texts.flags & tags.HIDDEN == 0)))
    own = shown[page.blocks.end_text[blocks]] - shown[page.blocks.first_text[blocks]]
    below = shown[page.nodes.end_text] - shown[page.nodes.first_text]
    place, node = np.arange(len(blocks)), page.blocks.node[blocks].astype(np.intp)
    pairs: _Pairs = [(place, node)]
    for _ in range(_DEEPEST):
        parent = page.nodes.parent[node].astype(np.intp)
        alone = (parent >= 0) & (below[parent] == own[place])
        place, node = place[alone], parent[alone]
        if not len(node):
            break
        pairs.append((place, node))
    return pairs
