"""What a page says about itself for machines: meta tags, links, microdata and JSON-LD.

One pass over the attribute columns finds the few rows that matter; only those are decoded. Work is
bounded on any page: so many attribute rows, so many bytes and objects of JSON-LD.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from tamis.describe import census
from tamis.page import tags
from tamis.page.references import resolve
from tamis.page.table import Page

Object: TypeAlias = dict[str, Any]
Candidate: TypeAlias = tuple[str, str]
"""A value and its source, both empty if there is none."""

# A page with more of either says nothing by it. The most of our 6,447 pages: 802 rows, 153 kB.
_MOST_ROWS = 20_000
_MOST_BYTES = 8 << 20
_MOST_OBJECTS = 5_000
_MOST_VALUES = 100_000
# A value is cut here: an article body in a description is not read.
_LONGEST_VALUE = 5_000

_PROPERTIES = frozenset(b"datePublished dateCreated uploadDate dateModified description".split())

_META, _SCRIPT, _LINK = (tags.ID[name] for name in ("meta", "script", "link"))
_NAME, _PROPERTY, _ITEMPROP, _REL, _TYPE, _DATETIME, _EQUIV, _LANG = (
    tags.ATTRIBUTE_ID[name]
    for name in "name property itemprop rel type datetime http-equiv lang".split()
)
# Which attributes of which elements are looked at. The last row is for unknown elements.
_WANTED = np.zeros((len(tags.NAMES) + 1, len(tags.ATTRIBUTES)), np.uint8)
_WANTED[:, [_ITEMPROP, _DATETIME]] = True
_WANTED[_META, [_NAME, _PROPERTY, _EQUIV]] = True
_WANTED[_SCRIPT, _TYPE] = True
_WANTED[_LINK, _REL] = True
_WANTED[tags.ID["html"], _LANG] = True
# How short and how long a value of each attribute may be to be looked at: -1 if it never is.
_SHORTEST = np.zeros(len(tags.ATTRIBUTES), np.intc)
_SHORTEST[_TYPE] = len("ld+json")
_SHORTEST[_REL] = len("canonical")
_LONGEST = np.where(_WANTED.any(axis=0), 200, -1).astype(np.intc)


@dataclass(frozen=True, slots=True)
class Structured:
    """What a page says about itself."""

    meta: dict[str, list[str]] = field(default_factory=dict)
    """Contents of meta elements by name or property, in lower case."""
    canonical: list[int] = field(default_factory=list)
    """Links to the page's own address."""
    properties: dict[str, list[int]] = field(default_factory=dict)
    """Elements by each word of their `itemprop`."""
    times: list[tuple[int, str]] = field(default_factory=list)
    """Elements with a `datetime`, and its value."""
    objects: list[Object] = field(default_factory=list)
    """All objects of the JSON-LD that have a type or an id, outer ones first."""
    languages: list[str] = field(default_factory=list)
    """`lang` of the html elements; there may be more than one in a broken page."""


def structured(page: Page, names: frozenset[bytes]) -> Structured:
    """Read what a page says about itself; `names` are the meta elements that matter."""
    found = Structured()
    scripts: list[int] = []
    source, nodes = page.source, page.nodes
    rows = census.telling(
        nodes.tag, nodes.attributes, page.attribute_rows, _WANTED, _SHORTEST, _LONGEST, _MOST_ROWS
    )
    for node, tag, attribute, start, end, content, content_end in rows.tolist():
        raw = source[start:end]
        if attribute == _DATETIME:
            found.times.append((node, cleaned(raw.decode("utf-8", "replace"))))
        elif attribute == _REL:
            if b"canonical" in raw.lower().split():
                found.canonical.append(node)
        elif attribute == _ITEMPROP:
            for word in raw.split():
                if word in _PROPERTIES:
                    found.properties.setdefault(word.decode(), []).append(node)
        elif attribute == _LANG:
            found.languages.append(raw.decode("utf-8", "replace"))
        elif tag == _SCRIPT:
            if b"ld+json" in raw.lower():
                scripts.append(node)
        else:
            if b"&" in raw:
                raw = resolve(raw.decode("utf-8", "replace")).encode()
            if (name := raw.lower()) in names:
                value = source[content:content_end].decode("utf-8", "replace")
                value = resolve(value.replace("\0", "\ufffd"), attribute=True)[:_LONGEST_VALUE]
                found.meta.setdefault(name.decode(), []).append(cleaned(value))
    found.objects.extend(json_ld(page, scripts))
    return found


def cleaned(text: str) -> str:
    """White space collapsed, and references resolved that were escaped twice."""
    if "&" in text and ";" in text:
        text = resolve(text, attribute=True)
    return " ".join(text.split())


# --- JSON-LD --------------------------------------------------------------------------------

# Comments and CDATA marks around the JSON; what comes after it is not read anyway.
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


def json_ld(page: Page, scripts: list[int]) -> list[Object]:
    """The objects with a type or an id in these scripts, outer ones first."""
    objects: list[Object] = []
    room = _MOST_BYTES
    for node in scripts:
        size = int(page.nodes.close[node] - page.nodes.start[node])
        if size > room:
            continue
        room -= size
        objects.extend(flattened(read_json(page.content(node)), _MOST_OBJECTS - len(objects)))
    return objects


def read_json(text: str) -> Any:
    """The value of JSON text, the usual faults mended; None if it is beyond that."""
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


def flattened(value: Any, most: int) -> list[Object]:
    """The objects inside a JSON value that have a type or an id, outer ones first."""
    found: list[Object] = []
    level = [value]
    steps = _MOST_VALUES
    while level and steps > 0:
        inner: list[Any] = []
        for one in level:
            steps -= 1
            if isinstance(one, dict):
                if ("@type" in one or "@id" in one) and len(found) < most:
                    found.append(one)
                inner.extend(child for child in one.values() if isinstance(child, dict | list))
            elif isinstance(one, list):
                inner.extend(child for child in one[:steps] if isinstance(child, dict | list))
        level = inner[: max(steps, 0)]
    return found


# --- The object that the page is about ------------------------------------------------------

_SUBJECTS = frozenset(
    "Question Recipe Product ProductGroup HowTo Course Event Book Movie VideoObject Dataset"
    " SoftwareApplication PodcastEpisode CreativeWork LocalBusiness Report".split()
)


def main_object(objects: list[Object]) -> Object:
    """The object of the JSON-LD that the page is about, empty if there is none.

    An article before any other subject, that before a description of the page itself; the outermost
    and first of its kind.
    """
    ranks = [_rank(one) for one in objects]
    best = max(ranks, default=0)
    return objects[ranks.index(best)] if best else {}


def is_subject(one: Object) -> bool:
    """Whether an object is what a page can be about: an article, a product, a question."""
    return _rank(one) > 1


def _rank(one: Object) -> int:
    rank = 0
    kinds = one.get("@type")
    for kind in (kinds,) if isinstance(kinds, str) else texts(kinds):
        if kind.endswith(("Article", "Posting")) and kind != "JobPosting":
            return 3
        if kind in _SUBJECTS:
            rank = 2
        elif kind.endswith("Page"):
            rank = max(rank, 1)
    return rank


def texts(value: Any) -> list[str]:
    """The texts in a JSON-LD value: its own, those of a list, `name` or `@value` of an object."""
    found = []
    for one in value[:50] if isinstance(value, list) else (value,):
        if isinstance(one, dict):
            one = one.get("name") or one.get("@value")
            if isinstance(one, list) and one:
                one = one[0]
        if isinstance(one, str) and (text := cleaned(one[:_LONGEST_VALUE])):
            found.append(text)
        elif isinstance(one, int) and not isinstance(one, bool) and abs(one) < 1 << 60:
            found.append(str(one))
    return found


def people(one: Object, objects: list[Object]) -> list[str]:
    """The names of an object's authors; an author may be the id of another object."""
    value = one.get("author") or one.get("creator")
    found: list[str] = []
    for person in value[:50] if isinstance(value, list) else (value,):
        if isinstance(person, dict) and "name" not in person and "@id" in person:
            known = person["@id"]
            named = (two for two in objects if two.get("@id") == known and "name" in two)
            person = next(named, None)
        found.extend(texts(person))
    return found


def property_value(page: Page, node: int) -> str:
    """The value of a microdata property: the attribute that the element has for it, or its text."""
    for attribute in ("content", "datetime", "href", "src"):
        if value := page.attribute(node, attribute):
            return cleaned(value[:_LONGEST_VALUE])
    first, end = page.nodes.first_text[node], page.nodes.end_text[node]
    text = " ".join(page.text(int(text)) for text in range(first, min(end, first + 50)))
    return cleaned(text[:_LONGEST_VALUE])
