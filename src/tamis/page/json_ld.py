"""JSON in the scripts of a page, as broken as it may be, and the objects of JSON-LD in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, TypeAlias

Object: TypeAlias = dict[str, Any]

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


def objects_in(scripts: Iterable[str]) -> list[Object]:
    """The objects with a type or an id in some scripts, outer ones first."""
    objects: list[Object] = []
    room = _MOST_BYTES
    for script in scripts:
        if len(script) <= room:
            room -= len(script)
            objects.extend(flattened(read_json(script), _MOST_OBJECTS - len(objects)))
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
    objects: list[Object] = []
    level = [value]
    steps = _MOST_VALUES
    while level and steps > 0:
        inner: list[Any] = []
        for child in level:
            steps -= 1
            if isinstance(child, dict):
                if ("@type" in child or "@id" in child) and len(objects) < most:
                    objects.append(child)
                inner.extend(value for value in child.values() if isinstance(value, dict | list))
            elif isinstance(child, list):
                inner.extend(value for value in child[:steps] if isinstance(value, dict | list))
        level = inner[: max(steps, 0)]
    return objects
