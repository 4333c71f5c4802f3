"""What a page declares about itself: meta tags, links, microdata, JSON-LD and its language.

One pass over the attribute columns finds the few rows that matter; only those are decoded, when
they are asked for. `Page.declared` keeps it for all who ask: the features of the model, metadata,
page types, embedded content. Work is bounded on any page: so many rows, so many bytes of JSON-LD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tamis.page import tags
from tamis.page.addresses import host_of
from tamis.page.attributes import value_of
from tamis.page.declarations import declarations, meta_contents, rows_of
from tamis.page.json_ld import (
    LONGEST_VALUE,
    Object,
    clean_text,
    main_object,
    objects_in,
    texts,
    values_in,
)
from tamis.page.lazy import lazy

if TYPE_CHECKING:
    from tamis.page.table import Column, Page

Candidate: TypeAlias = tuple[str, str]
"""A value and where it came from, both empty if there is none."""

# Names of meta elements, the best first.
_TITLES = "og:title twitter:title citation_title dc.title dcterms.title parsely-title".split()
_SITES = "application-name apple-mobile-web-app-title dc.publisher citation_journal_title".split()

# A page with more says nothing by it. The most of our 6,447 pages: 802 rows.
_MOST_ROWS = 20_000
_MOST_CANONICAL = 5
_MOST_TEXTS = 50  # of a microdata property

SCRIPT, _LINK = tags.ID["script"], tags.ID["link"]
TYPE, _ITEMPROP, _REL, _DATETIME, _LANG = (
    tags.ATTRIBUTE_ID[name] for name in ("type", "itemprop", "rel", "datetime", "lang")
)


class Declared:
    """What a page declares about itself; each part is read when it is asked for."""

    def __init__(self, page: Page) -> None:
        # Another page with the same columns: the one that keeps this could not be freed at once.
        self._page = replace(page)
        nodes = page.nodes
        self.rows: Column
        """The attributes that declare something, see `declarations`."""
        self.head: int
        """How many of them are in the head."""
        self.rows, self.head = declarations(
            page.source, nodes.tag, nodes.attributes, page.attribute_rows
        )

    def _rows(self, attribute: int) -> list[tuple[int, ...]]:
        """Node, tag, value and what is beside it, of each row of an attribute."""
        return rows_of(self.rows[:_MOST_ROWS], attribute)

    @lazy
    def meta(self) -> dict[str, list[tuple[int, int]]]:
        """Where the contents of the meta elements are, by name or property in lower case."""
        return meta_contents(self._page.source, self.rows[:_MOST_ROWS])

    def contents(self, name: str) -> Iterator[str]:
        """The contents of the meta elements with a name."""
        for start, end in self.meta.get(name, ()):
            yield clean_text(value_of(self._page.source[start:end])[:LONGEST_VALUE])

    def of_meta(self, names: Iterable[str]) -> Iterator[Candidate]:
        """The contents of the meta elements with these names, the first name first."""
        for name in names:
            if name in self.meta:
                source = "opengraph" if name.startswith(("og:", "article:")) else "meta"
                for content in self.contents(name):
                    yield content, source

    def of_data(self, *names: str) -> Iterator[Candidate]:
        """Texts of the main object of the JSON-LD."""
        for name in names:
            for text in texts(self.main.get(name)):
                yield text, "json-ld"

    def of_properties(self, *names: str) -> Iterator[Candidate]:
        """The values of microdata properties, in the order of the page."""
        for node in sorted(node for name in names for node in self.properties.get(name, ())[:20]):
            yield self._property_value(node), "microdata"

    def _property_value(self, node: int) -> str:
        """The attribute that an element has for its value, or its text."""
        page = self._page
        for attribute in ("content", "datetime", "href", "src"):
            if value := page.attribute(node, attribute):
                return clean_text(value[:LONGEST_VALUE])
        first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
        text = " ".join(map(page.text, range(first, min(end, first + _MOST_TEXTS))))
        return clean_text(text[:LONGEST_VALUE])

    @lazy
    def titles(self) -> list[Candidate]:
        """What the page is called, the best first."""
        return [(self._page.title, "html"), *self.of_data("headline"), *self.of_meta(_TITLES)]

    @lazy
    def site(self) -> Candidate:
        """The name of the site."""
        names = chain(
            self.of_meta(["og:site_name"]), self.of_data("publisher"), self.of_meta(_SITES)
        )
        return next((name for name in names if name[0]), ("", ""))

    @lazy
    def canonical(self) -> list[str]:
        """Where links to the page's own address lead."""
        source = self._page.source
        return [
            value_of(source[href:href_end])
            for _, tag, start, end, href, href_end in self._rows(_REL)
            if end - start >= len(b"canonical")
            and tag == _LINK
            and b"canonical" in source[start:end].lower().split()
        ][:_MOST_CANONICAL]

    @lazy
    def properties(self) -> dict[str, list[int]]:
        """Elements by each word of their `itemprop`."""
        nodes: dict[str, list[int]] = {}
        for node, _, start, end, _, _ in self._rows(_ITEMPROP):
            for word in self._page.source[start:end].split():
                nodes.setdefault(word.decode("utf-8", "replace"), []).append(node)
        return nodes

    @lazy
    def times(self) -> list[tuple[int, str]]:
        """Elements with a `datetime`, and its value."""
        return [
            (node, clean_text(self._page.source[start:end].decode("utf-8", "replace")))
            for node, _, start, end, _, _ in self._rows(_DATETIME)
        ]

    @lazy
    def languages(self) -> list[str]:
        """`lang` of the html elements; there may be more than one in a broken page."""
        return [
            self._page.source[start:end].decode("utf-8", "replace")
            for _, _, start, end, _, _ in self._rows(_LANG)
        ]

    @lazy
    def json_ld(self) -> list[Any]:
        """All JSON-LD, one value per script."""
        typed = self.rows[self.rows[:, 2] == TYPE].tolist()
        return values_in(self._page.content(row[0]) for row in typed if row[1] == SCRIPT)

    @lazy
    def objects(self) -> list[Object]:
        """All objects of the JSON-LD that have a type or an id, outer ones first."""
        return objects_in(self.json_ld)

    @lazy
    def main(self) -> Object:
        """The object of the JSON-LD that the page is about, empty if there is none."""
        return main_object(self.objects)

    @lazy
    def host(self) -> str:
        """The host by what the page says of its own address, empty if it says nothing."""
        addresses = (*self.canonical, *self.contents("og:url"))
        return next(filter(None, map(host_of, addresses)), "")
