"""What a page declares about itself: meta tags, links, microdata, JSON-LD and its language.

One pass over the attribute columns finds the few rows that matter; only those are decoded, when
they are asked for. `Page.declared` keeps it for all who ask: the features of the model, metadata,
page types, embedded content. Work is bounded on any page: so many rows, so many bytes of JSON-LD.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags
from tamis.page.addresses import host_of
from tamis.page.attributes import value_of
from tamis.page.declarations import declarations
from tamis.page.json_ld import Object, objects_in
from tamis.page.references import resolve

if TYPE_CHECKING:
    from tamis.page.table import Column, Page

LONGEST_VALUE = 5_000
"""Characters of a value; an article body in a description is not read."""

# A page with more says nothing by it. The most of our 6,447 pages: 802 rows.
_MOST_ROWS = 20_000
_MOST_CANONICAL = 5

META, SCRIPT, _LINK = (tags.ID[name] for name in ("meta", "script", "link"))
NAME, PROPERTY, TYPE = (tags.ATTRIBUTE_ID[name] for name in ("name", "property", "type"))
_EQUIV, _ITEMPROP, _ITEMTYPE, _REL, _DATETIME, _LANG = (
    tags.ATTRIBUTE_ID[name]
    for name in ("http-equiv", "itemprop", "itemtype", "rel", "datetime", "lang")
)
# Which attributes of which elements are looked at. The last row is for unknown elements.
_ANYWHERE = np.zeros((len(tags.NAMES) + 1, len(tags.ATTRIBUTES)), np.uint8)
_ANYWHERE[:, [_ITEMPROP, _ITEMTYPE, _DATETIME, TYPE]] = True
_ANYWHERE[META, [NAME, PROPERTY, _EQUIV]] = True
_ANYWHERE[_LINK, _REL] = True
_ANYWHERE[tags.ID["html"], _LANG] = True
_IN_HEAD = np.zeros_like(_ANYWHERE)
_IN_HEAD[:, [NAME, PROPERTY, _REL]] = True
_SHORTEST = np.zeros(len(tags.ATTRIBUTES), np.intc)
_SHORTEST[_REL] = len("canonical")
_LONGEST = np.full(len(tags.ATTRIBUTES), 200, np.intc)
_LONGEST[_ITEMTYPE] = np.iinfo(np.intc).max


class Declared:
    """What a page declares about itself; each part is read when it is asked for."""

    def __init__(self, page: Page) -> None:
        self._page = page
        nodes = page.nodes
        self.rows: Column
        """The attributes that declare something, see `declarations`."""
        self.head: int
        """How many of them are in the head."""
        self.rows, self.head = declarations(
            page.source,
            nodes.tag,
            nodes.attributes,
            page.attribute_rows,
            _ANYWHERE,
            _IN_HEAD,
            _SHORTEST,
            _LONGEST,
        )

    def _rows(self, *attributes: int) -> list[list[int]]:
        rows = self.rows[:_MOST_ROWS]
        chosen: list[list[int]] = rows[np.isin(rows[:, 2], attributes)].tolist()
        return chosen

    def meta(self, names: frozenset[bytes]) -> dict[str, list[str]]:
        """Contents of the meta elements with these names or properties, by name in lower case."""
        source = self._page.source
        contents: dict[str, list[str]] = {}
        for _, tag, _, start, end, content, content_end in self._rows(NAME, PROPERTY, _EQUIV):
            name = source[start:end]
            if b"&" in name:
                name = resolve(name.decode("utf-8", "replace")).encode()
            if tag == META and (name := name.lower()) in names:
                value = value_of(source[content:content_end])[:LONGEST_VALUE]
                contents.setdefault(name.decode(), []).append(cleaned(value))
        return contents

    @cached_property
    def canonical(self) -> list[str]:
        """Where links to the page's own address lead."""
        source = self._page.source
        return [
            value_of(source[href:href_end])
            for _, tag, _, start, end, href, href_end in self._rows(_REL)
            if tag == _LINK and b"canonical" in source[start:end].lower().split()
        ][:_MOST_CANONICAL]

    @cached_property
    def properties(self) -> dict[bytes, list[int]]:
        """Elements by each word of their `itemprop`."""
        nodes: dict[bytes, list[int]] = {}
        for node, _, _, start, end, *_ in self._rows(_ITEMPROP):
            for word in self._page.source[start:end].split():
                nodes.setdefault(word, []).append(node)
        return nodes

    @cached_property
    def times(self) -> list[tuple[int, str]]:
        """Elements with a `datetime`, and its value."""
        return [
            (node, cleaned(self._page.source[start:end].decode("utf-8", "replace")))
            for node, _, _, start, end, *_ in self._rows(_DATETIME)
        ]

    @cached_property
    def languages(self) -> list[str]:
        """`lang` of the html elements; there may be more than one in a broken page."""
        return [
            self._page.source[start:end].decode("utf-8", "replace")
            for _, _, _, start, end, *_ in self._rows(_LANG)
        ]

    @cached_property
    def objects(self) -> list[Object]:
        """All objects of the JSON-LD that have a type or an id, outer ones first."""
        scripts = self.rows[(self.rows[:, 1] == SCRIPT) & (self.rows[:, 2] == TYPE), 0]
        return objects_in(map(self._page.content, scripts.tolist()))

    @cached_property
    def host(self) -> str:
        """The host by what the page says of its own address, empty if it says nothing."""
        addresses = (*self.canonical, *self.meta(frozenset([b"og:url"])).get("og:url", ()))
        return next(filter(None, map(host_of, addresses)), "")


def cleaned(text: str) -> str:
    """White space collapsed, and references resolved that were escaped twice."""
    if "&" in text and ";" in text:
        text = resolve(text, attribute=True)
    return " ".join(text.split())
