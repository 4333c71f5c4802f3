"""Items that the elements of a page describe, by microdata or RDFa, in the form of JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags
from tamis.page.attributes import value_of
from tamis.page.json_ld import LONGEST_VALUE, Object, clean_text

if TYPE_CHECKING:
    from tamis.page.table import Page

# A page with more says nothing by it.
_MOST_ELEMENTS = 20_000
_MOST_ITEMS = 20
_MOST_TEXTS = 50
_ITEMPROP, _ITEMSCOPE, _ITEMTYPE, _PROPERTY = (
    tags.ATTRIBUTE_ID[name] for name in ("itemprop", "itemscope", "itemtype", "property")
)
_TYPEOF = re.compile(rb"typeof=[\"']?([\w:/.# -]{1,100})")
_LINK, _META = tags.ID["link"], tags.ID["meta"]


def items(page: Page, kind: str) -> Iterator[Object]:
    """The outermost items whose type ends with a word, at most 20 of each vocabulary."""
    for types, names in (_microdata(page, kind), _rdfa(page)):
        end = -1
        count = 0
        for scope in sorted(types):
            if scope > end and types[scope].endswith(kind) and count < _MOST_ITEMS:
                end = int(page.nodes.last[scope])
                count += 1
                yield _item(page, scope, types, names)


def _microdata(page: Page, kind: str) -> tuple[dict[int, str], dict[int, str]]:
    """The types of items and the names of properties, each by its element."""
    named = dict(_rows(page, _ITEMTYPE))
    if not any(name.endswith(kind) for name in named.values()):
        return {}, {}
    types = dict.fromkeys((node for node, _ in _rows(page, _ITEMSCOPE)), "")
    return types | named, dict(_rows(page, _ITEMPROP))


def _rdfa(page: Page) -> tuple[dict[int, str], dict[int, str]]:
    names = dict(_rows(page, _PROPERTY))
    # Nearly all pages have it in meta elements, and nowhere else.
    if all(page.nodes.tag[node] == _META for node in names):
        return {}, {}
    starts = page.nodes.start
    types: dict[int, str] = {}
    before = -1
    for match in islice(_TYPEOF.finditer(page.source), _MOST_ELEMENTS):
        node = int(np.searchsorted(starts, match.start(), "right")) - 1
        # It may also stand in a script, often.
        if node > before and "typeof" in page.attributes(node):
            types[node] = match[1].decode().strip()
        before = node
    return types, names


def _rows(page: Page, attribute: int) -> Iterator[tuple[int, str]]:
    """Each element with an attribute, and its value."""
    kinds, starts, ends = page.attribute_rows
    rows = np.flatnonzero(kinds == attribute)[:_MOST_ELEMENTS]
    nodes = np.searchsorted(page.nodes.attributes, rows, "right") - 1
    for node, start, end in zip(
        nodes.tolist(), starts[rows].tolist(), ends[rows].tolist(), strict=True
    ):
        yield node, value_of(page.source[start : min(end, start + 200)])


def _item(page: Page, scope: int, types: dict[int, str], names: dict[int, str]) -> Object:
    """An item with its properties; a property that is an item has its own."""
    made: Object = {"@type": _word(types[scope])}
    last = int(page.nodes.last[scope])
    opened = [(last, made)]
    for node in sorted(node for node in types.keys() | names.keys() if scope < node <= last):
        while opened[-1][0] < node:
            opened.pop()
        around = opened[-1][1]
        value: str | Object
        if node in types:
            value = {"@type": _word(types[node])}
            opened.append((int(page.nodes.last[node]), value))
        else:
            value = _value(page, node)
        for name in names.get(node, "").split()[:5]:
            around.setdefault(_word(name), []).append(value)
    return made


def _word(name: str) -> str:
    """The last word of a type or name: of `https://schema.org/Product`, of `schema:price`."""
    return re.split(r"[/#:]", name.rstrip("/").split(" ")[0])[-1]


def _value(page: Page, node: int) -> str:
    """What an element says: in its attribute for that, in its text, or by where it leads."""
    value = page.attribute(node, "content")
    if value is None and page.nodes.tag[node] == _LINK:
        value = page.attribute(node, "href")
    if value is None:
        first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
        value = " ".join(map(page.text, range(first, min(end, first + _MOST_TEXTS))))
        value = value or page.attribute(node, "href") or page.attribute(node, "src") or ""
    return clean_text(value[:LONGEST_VALUE])
