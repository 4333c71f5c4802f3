"""What a page declares about itself: meta tags, links, microdata, JSON-LD and its language.

One pass over the attribute columns finds the few rows that matter. They are decoded when somebody
asks for them, and `Page.declared` keeps them for all: the features of the model, metadata, page
types, embedded articles. Work is bounded on any page: so many rows, so many bytes of JSON-LD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tamis.page import tags
from tamis.page.addresses import find_host
from tamis.page.arrays import Ints
from tamis.page.attributes import value_of
from tamis.page.declarations import index_meta, scan_declarations, select_rows
from tamis.page.lazy import lazy
from tamis.page.text.references import resolve_references

if TYPE_CHECKING:
    from tamis.page.table import Page

Object: TypeAlias = dict[str, Any]

# Characters of a value; an article body in a description is not read.
_LONGEST_VALUE = 5_000
_MOST_VALUES = 100_000
_MOST_TEXTS = 50  # of a microdata property

_SCRIPT, _LINK, _META = tags.find_ids("script link meta")
_TYPE, _ITEMPROP, _ITEMSCOPE, _ITEMTYPE, _PROPERTY, _REL, _DATETIME, _LANG = (
    tags.find_attribute_ids("type itemprop itemscope itemtype property rel datetime lang")
)

# Comments and CDATA signs around the JSON; what comes after it is not read anyway.
_WRAPPING = re.compile(r"(?:\s|<!--|//|/\*|\*/|<!\[CDATA\[)+")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_BAD_ESCAPE = re.compile(r"\\(?![\"\\/bfnrtu])")
# What can still be read out of JSON that cannot be mended.
_PAIR = re.compile(
    r'"(headline|datePublished|dateCreated|dateModified|articleBody)"\s*:\s*'
    r'"((?:[^"\\]|\\.)*)"\s*[,}]',
    re.DOTALL,
)
_DECODER = json.JSONDecoder(strict=False)
_NESTED = (dict, list)


def read_json(text: str) -> Any:
    """Read JSON with the usual faults in it; None if it cannot be mended."""
    if wrapping := _WRAPPING.match(text):
        text = text[wrapping.end() :]
    if text[:1] not in ("{", "["):
        return None
    try:
        return _DECODER.raw_decode(text)[0]
    except ValueError:
        pass
    except RecursionError:
        return None
    try:
        mended = _BAD_ESCAPE.sub("", _TRAILING_COMMA.sub("", text))
        return _DECODER.raw_decode(mended)[0]
    except RecursionError:
        return None
    except ValueError:
        pairs = dict(reversed(_PAIR.findall(text)))
        return {"@type": "Article", **pairs} if pairs else None


def flatten_objects(value: Any, most: int) -> list[Object]:
    """List the objects inside a JSON value that have a type or an id, outer ones first."""
    objects: list[Object] = []
    level = [value]
    steps = _MOST_VALUES
    while level and steps > 0:
        inner: list[Any] = []
        for child in level:
            steps -= 1
            if type(child) is dict:
                if ("@type" in child or "@id" in child) and len(objects) < most:
                    objects.append(child)
                inner += [value for value in child.values() if type(value) in _NESTED]
            elif type(child) is list:
                inner += [value for value in child[:steps] if type(value) in _NESTED]
        level = inner[: max(steps, 0)]
    return objects


_SUBJECTS = frozenset(
    "Question Recipe Product ProductGroup HowTo Course Event Book Movie VideoObject Dataset"
    " SoftwareApplication PodcastEpisode CreativeWork LocalBusiness Report".split()
)


def is_subject(described: Object) -> bool:
    """Whether an object is what a page can be about: an article, a product, a question."""
    return rank_object(described) > 1


def rank_object(described: Object) -> int:
    """Rank what a page may be about: 3 for articles, 2 for other subjects, 1 for the page."""
    rank = 0
    kinds = described.get("@type")
    for kind in (kinds,) if isinstance(kinds, str) else list_texts(kinds):
        if kind.endswith(("Article", "Posting")) and kind != "JobPosting":
            return 3
        if kind in _SUBJECTS:
            rank = 2
        elif kind.endswith("Page"):
            rank = max(rank, 1)
    return rank


def list_texts(value: Any) -> list[str]:
    """List the texts of a JSON-LD value: its own, `name` or `@value` of an object, or of a list."""
    contents: list[str] = []
    for part in value[:50] if isinstance(value, list) else (value,):
        if isinstance(part, dict):
            part = part.get("name") or part.get("@value")
            if isinstance(part, list) and part:
                part = part[0]
        if isinstance(part, str):
            part = part[:_LONGEST_VALUE]
            text = clean_text(part) if "&" in part else " ".join(part.split())
            contents += [text] if text else ()
        elif isinstance(part, int) and not isinstance(part, bool) and abs(part) < 1 << 60:
            contents.append(str(part))
    return contents


def list_people(described: Object, objects: list[Object]) -> list[str]:
    """List the names of an object's authors; an author may be the id of another object."""
    value = described.get("author") or described.get("creator")
    names: list[str] = []
    for person in value[:50] if isinstance(value, list) else (value,):
        if isinstance(person, dict) and "name" not in person and "@id" in person:
            id_ = person["@id"]
            named = (known for known in objects if known.get("@id") == id_ and "name" in known)
            person = next(named, None)
        names.extend(list_texts(person))
    return names


def clean_text(text: str) -> str:
    """Collapse white space, and resolve references that were escaped twice."""
    if "&" in text and ";" in text:
        text = resolve_references(text, attribute=True)
    return " ".join(text.split())


# A page with more says nothing by it.
_MOST_ELEMENTS = 20_000
_MOST_ITEMS = 20
_TYPEOF = re.compile(rb"typeof=[\"']?([\w:/.# -]{1,100})")


def find_items(page: Page, kind: str) -> Iterator[Object]:
    """Find the outermost items whose type ends with a word, at most 20 of each vocabulary."""
    for types, names in (_find_microdata(page, kind), _find_rdfa(page)):
        end = -1
        count = 0
        for scope in sorted(types):
            if scope > end and types[scope].endswith(kind) and count < _MOST_ITEMS:
                end = int(page.nodes.last[scope])
                count += 1
                yield _read_item(page, scope, types, names)


def _find_microdata(page: Page, kind: str) -> tuple[dict[int, str], dict[int, str]]:
    """Find the types of items and the names of properties, by their elements."""
    named = dict(_find_values(page, _ITEMTYPE))
    if not any(name.endswith(kind) for name in named.values()):
        return {}, {}
    types = dict.fromkeys((node for node, _ in _find_values(page, _ITEMSCOPE)), "")
    return types | named, dict(_find_values(page, _ITEMPROP))


def _find_rdfa(page: Page) -> tuple[dict[int, str], dict[int, str]]:
    names = dict(_find_values(page, _PROPERTY))
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


def _find_values(page: Page, attribute: int) -> Iterator[tuple[int, str]]:
    """Find each element with an attribute, and its value."""
    kinds, starts, ends = page.attribute_rows
    rows = np.flatnonzero(kinds == attribute)[:_MOST_ELEMENTS]
    nodes = np.searchsorted(page.nodes.attributes, rows, "right") - 1
    for node, start, end in zip(
        nodes.tolist(), starts[rows].tolist(), ends[rows].tolist(), strict=True
    ):
        yield node, value_of(page.source[start : min(end, start + 200)])


def _read_item(page: Page, scope: int, types: dict[int, str], names: dict[int, str]) -> Object:
    """Read an item with its properties; a property that is an item has its own."""
    made: Object = {"@type": _read_last_word(types[scope])}
    last = int(page.nodes.last[scope])
    opened = [(last, made)]
    for node in sorted(node for node in types.keys() | names.keys() if scope < node <= last):
        while opened[-1][0] < node:
            opened.pop()
        around = opened[-1][1]
        value: str | Object
        if node in types:
            value = {"@type": _read_last_word(types[node])}
            opened.append((int(page.nodes.last[node]), value))
        else:
            value = _read_value(page, node)
        for name in names.get(node, "").split()[:5]:
            around.setdefault(_read_last_word(name), []).append(value)
    return made


def _read_last_word(name: str) -> str:
    """Read the last word of a type or name: of `https://schema.org/Product`, `schema:price`."""
    return re.split(r"[/#:]", name.rstrip("/").split(" ")[0])[-1]


def _read_inside(page: Page, node: int) -> str:
    first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
    return " ".join(map(page.text, range(first, min(end, first + _MOST_TEXTS))))


def _read_value(page: Page, node: int) -> str:
    """Read what an element says: in its attribute for that, in its text, or by its address."""
    value = page.attribute(node, "content")
    if value is None and page.nodes.tag[node] == _LINK:
        value = page.attribute(node, "href")
    if value is None:
        value = (
            _read_inside(page, node)
            or page.attribute(node, "href")
            or page.attribute(node, "src")
            or ""
        )
    return clean_text(value[:_LONGEST_VALUE])


Candidate: TypeAlias = tuple[str, str]
"""A value and where it came from, both empty if there is none."""

# Names of meta elements with the name of the site, the best first.
_SITES = "application-name apple-mobile-web-app-title dc.publisher citation_journal_title".split()

# A page that declares more says nothing by it. The most on our 6,447 pages: 802 rows, 153 kB.
_MOST_ROWS = 20_000
_MOST_BYTES = 8 << 20  # of JSON-LD
_MOST_OBJECTS = 5_000
_MOST_CANONICAL = 5


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
        return (content for content, _ in self.of_meta((name,)))

    def of_meta(self, names: Iterable[str]) -> Iterator[Candidate]:
        """Read the contents of the meta elements with these names, the first name first."""
        meta = self.meta
        for name in names:
            if name in meta:
                source = "opengraph" if name.startswith(("og:", "article:")) else "meta"
                for start, end in meta[name]:
                    yield (
                        clean_text(value_of(self._page.source[start:end])[:_LONGEST_VALUE]),
                        source,
                    )

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
                value = _read_inside(page, node)
            yield clean_text(value[:_LONGEST_VALUE]), "microdata"

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
