"""What a page declares about itself: meta tags, links, microdata, JSON-LD and its language.

One pass over the attribute columns finds the few rows that matter. They are decoded when somebody
asks for them, and `Page.declared` keeps them for all: the features of the model, metadata, page
types, embedded articles. Work is bounded on any page: so many rows, so many bytes of JSON-LD.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from tamis.page import tags
from tamis.page.addresses import find_host
from tamis.page.arrays import Ints
from tamis.page.attributes import value_of
from tamis.page.declared.declarations import index_meta, scan_declarations, select_rows
from tamis.page.declared.objects import (
    LONGEST_VALUE,
    Object,
    clean_text,
    flatten_objects,
    list_texts,
    rank_object,
    read_json,
)
from tamis.page.lazy import lazy

if TYPE_CHECKING:
    from tamis.page.table import Page

Candidate: TypeAlias = tuple[str, str]
"""A value and where it came from, both empty if there is none."""

# Names of meta elements with the name of the site, the best first.
_SITES = "application-name apple-mobile-web-app-title dc.publisher citation_journal_title".split()

# A page that declares more says nothing by it. The most on our 6,447 pages: 802 rows, 153 kB.
_MOST_ROWS = 20_000
_MOST_BYTES = 8 << 20  # of JSON-LD
_MOST_OBJECTS = 5_000
_MOST_CANONICAL = 5
_MOST_TEXTS = 50  # of a microdata property

_SCRIPT, _LINK = tags.find_ids("script link")
_TYPE, _ITEMPROP, _REL, _DATETIME, _LANG = tags.find_attribute_ids(
    "type itemprop rel datetime lang"
)


class Declared:
    """What a page declares about itself; each part is read when it is asked for."""

    def __init__(self, page: Page) -> None:
        # Another page with the same columns: the one that keeps this could not be freed at once.
        self._page = replace(page)
        self.rows: Ints
        """The attributes that declare something, see `declarations`."""
        self.head: int
        """How many of them are in the head."""
        self.rows, self.head = scan_declarations(
            page.source, page.nodes.tag, page.nodes.attributes, page.attribute_rows
        )
        self._first_rows = self.rows[:_MOST_ROWS]

    @lazy
    def meta(self) -> dict[str, list[tuple[int, int]]]:
        """Where the contents of the meta elements are, by name or property in lower case."""
        return index_meta(self._page.source, self._first_rows)

    def contents(self, name: str) -> Iterator[str]:
        """Read the contents of the meta elements with a name."""
        for start, end in self.meta.get(name, ()):
            yield clean_text(value_of(self._page.source[start:end])[:LONGEST_VALUE])

    def of_meta(self, names: Iterable[str]) -> Iterator[Candidate]:
        """Read the contents of the meta elements with these names, the first name first."""
        meta = self.meta
        for name in names:
            if name in meta:
                source = "opengraph" if name.startswith(("og:", "article:")) else "meta"
                for start, end in meta[name]:
                    yield clean_text(value_of(self._page.source[start:end])[:LONGEST_VALUE]), source

    def of_data(self, *names: str) -> Iterator[Candidate]:
        """Read texts of the main object of the JSON-LD."""
        for name in names:
            for text in list_texts(self.main.get(name)):
                yield text, "json-ld"

    def of_properties(self, *names: str) -> Iterator[Candidate]:
        """Read the values of microdata properties, in the order of the page."""
        page, properties = self._page, self.properties
        for node in sorted(node for name in names for node in properties.get(name, ())[:20]):
            for attribute in ("content", "datetime", "href", "src"):
                if value := page.attribute(node, attribute):
                    break
            else:
                first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
                value = " ".join(map(page.text, range(first, min(end, first + _MOST_TEXTS))))
            yield clean_text(value[:LONGEST_VALUE]), "microdata"

    @lazy
    def site(self) -> Candidate:
        """The name of the site."""
        for name in chain(
            self.of_meta(["og:site_name"]), self.of_data("publisher"), self.of_meta(_SITES)
        ):
            if name[0]:
                return name
        return "", ""

    @lazy
    def canonical(self) -> list[str]:
        """Where links to the page's own address lead."""
        source = self._page.source
        return [
            value_of(source[href:href_end])
            for _, tag, start, end, href, href_end in select_rows(self._first_rows, _REL)
            if end - start >= len(b"canonical")
            and tag == _LINK
            and b"canonical" in source[start:end].lower().split()
        ][:_MOST_CANONICAL]

    @lazy
    def properties(self) -> dict[str, list[int]]:
        """Elements by each word of their `itemprop`."""
        nodes: dict[str, list[int]] = {}
        for node, _, start, end, _, _ in select_rows(self._first_rows, _ITEMPROP):
            for word in self._page.source[start:end].split():
                nodes.setdefault(word.decode("utf-8", "replace"), []).append(node)
        return nodes

    @lazy
    def times(self) -> list[tuple[int, str]]:
        """Elements with a `datetime`, and its value."""
        times = []
        for node, _, start, end, _, _ in select_rows(self._first_rows, _DATETIME):
            value = self._page.source[start:end].decode("utf-8", "replace")
            times.append((node, clean_text(value)))
        return times

    @lazy
    def languages(self) -> list[str]:
        """`lang` of the html elements; a broken page may have more than one."""
        return [
            self._page.source[start:end].decode("utf-8", "replace")
            for _, _, start, end, _, _ in select_rows(self._first_rows, _LANG)
        ]

    @lazy
    def json_ld(self) -> list[Any]:
        """All JSON-LD, one value per script."""
        values, room = [], _MOST_BYTES
        for node, tag, *_ in select_rows(self.rows, _TYPE):
            if tag == _SCRIPT and len(script := self._page.content(node)) <= room:
                room -= len(script)
                values.append(read_json(script))
        return [value for value in values if value is not None]

    @lazy
    def objects(self) -> list[Object]:
        """All objects of the JSON-LD that have a type or an id, outer ones first."""
        objects: list[Object] = []
        for value in self.json_ld:
            objects += flatten_objects(value, _MOST_OBJECTS - len(objects))
        return objects

    @lazy
    def main(self) -> Object:
        """The object of the JSON-LD that the page is about, empty if there is none.

        An article before any other subject, and that before a description of the page itself; the
        outermost and first of its kind.
        """
        best = max(self.objects, key=rank_object, default={})
        return best if rank_object(best) else {}

    @lazy
    def host(self) -> str:
        """The host by what the page says of its own address, empty if it says nothing."""
        addresses = (*self.canonical, *self.contents("og:url"))
        return next(filter(None, map(find_host, addresses)), "")
