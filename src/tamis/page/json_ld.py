"""JSON in the scripts of a page, as broken as it may be, and what its JSON-LD describes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from tamis.page.references import resolve

Object: TypeAlias = dict[str, Any]

LONGEST_VALUE = 5_000
"""Characters of a value; an article body in a description is not read."""

# A page with more says nothing by it. The most of our 6,447 pages: 153 kB.
_MOST_BYTES = 8 << 20
_MOST_OBJECTS = 5_000
_MOST_VALUES = 100_000

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


def values_in(scripts: Iterable[str]) -> list[Any]:
    """The JSON values in these scripts."""
    values = []
    room = _MOST_BYTES
    for script in scripts:
        if len(script) <= room:
            room -= len(script)
            values.append(read_json(script))
    return [value for value in values if value is not None]


def objects_in(values: Iterable[Any]) -> list[Object]:
    """The objects with a type or an id in these values, outer ones first."""
    objects: list[Object] = []
    for value in values:
        objects.extend(flatten(value, _MOST_OBJECTS - len(objects)))
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


def flatten(value: Any, most: int) -> list[Object]:
    """The objects inside a JSON value that have a type or an id, outer ones first."""
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


def main_object(objects: list[Object]) -> Object:
    """The object of the JSON-LD that the page is about, empty if there is none.

    An article before any other subject, that before a description of the page itself; the outermost
    and first of its kind.
    """
    ranks = [_rank(described) for described in objects]
    best = max(ranks, default=0)
    return objects[ranks.index(best)] if best else {}


def is_subject(described: Object) -> bool:
    """Whether an object is what a page can be about: an article, a product, a question."""
    return _rank(described) > 1


def _rank(described: Object) -> int:
    rank = 0
    kinds = described.get("@type")
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
    contents = []
    for part in value[:50] if isinstance(value, list) else (value,):
        if isinstance(part, dict):
            part = part.get("name") or part.get("@value")
            if isinstance(part, list) and part:
                part = part[0]
        if isinstance(part, str) and (text := clean_text(part[:LONGEST_VALUE])):
            contents.append(text)
        elif isinstance(part, int) and not isinstance(part, bool) and abs(part) < 1 << 60:
            contents.append(str(part))
    return contents


def people(described: Object, objects: list[Object]) -> list[str]:
    """The names of an object's authors; an author may be the id of another object."""
    value = described.get("author") or described.get("creator")
    names: list[str] = []
    for person in value[:50] if isinstance(value, list) else (value,):
        if isinstance(person, dict) and "name" not in person and "@id" in person:
            id_ = person["@id"]
            named = (known for known in objects if known.get("@id") == id_ and "name" in known)
            person = next(named, None)
        names.extend(texts(person))
    return names


def clean_text(text: str) -> str:
    """White space collapsed, and references resolved that were escaped twice."""
    if "&" in text and ";" in text:
        text = resolve(text, attribute=True)
    return " ".join(text.split())
