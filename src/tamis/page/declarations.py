# cython: boundscheck=False
"""The one pass over the attributes of a page that finds those that declare something.

Part of the hot path, see `tamis.page.lex`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags
from tamis.page.attributes import value_of

if TYPE_CHECKING:
    import cython
    import numpy.typing as npt

    from tamis.page.strings import Utf8
    from tamis.page.table import Column

BODY, META = tags.ID["body"], tags.ID["meta"]
REL, HREF, CONTENT, TYPE, NAME, PROPERTY, EQUIV, ITEMPROP, ITEMTYPE, DATETIME, LANG = (
    tags.ATTRIBUTE_ID[_name]
    for _name in (
        "rel href content type name property http-equiv itemprop itemtype datetime lang"
    ).split()
)
DATA = b"ld+json"


def tables() -> tuple[npt.NDArray[np.integer], ...]:
    """Which attributes of which elements are looked at, and which lengths of a value count.

    Anywhere, and only in the head: one row per tag, the last for unknown elements. The shortest and
    the longest value of each attribute outside of the head. Which attributes count on any element.
    """
    anywhere = np.zeros((len(tags.NAMES) + 1, len(tags.ATTRIBUTES)), np.uint8)
    anywhere[:, [ITEMPROP, ITEMTYPE, DATETIME, TYPE]] = True
    anywhere[tags.ID["meta"], [NAME, PROPERTY, EQUIV]] = True
    anywhere[tags.ID["link"], REL] = True
    anywhere[tags.ID["html"], LANG] = True
    in_head = np.zeros_like(anywhere)
    in_head[:, [NAME, PROPERTY, REL]] = True
    shortest = np.zeros(len(tags.ATTRIBUTES), np.intc)
    shortest[REL] = len("canonical")
    longest = np.full(len(tags.ATTRIBUTES), 200, np.intc)
    longest[ITEMTYPE] = np.iinfo(np.intc).max
    return anywhere, in_head, shortest, longest, (anywhere | in_head).max(axis=0)


ANYWHERE, IN_HEAD, SHORTEST, LONGEST, LOOKED_AT = tables()


def declarations(source: Utf8, tag: Column, first_row: Column, rows: Column) -> tuple[Column, int]:
    """The attributes that declare something, one row each, and how many of them are in the head.

    Node, its tag, attribute, start and end of the value; start and end of what the element has
    beside it: its `content`, or for a `rel` its `href`, 0 if there is none. A type must be that of
    JSON-LD.
    """
    nodes: cython.Py_ssize_t = tag.shape[0]
    node: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    head: cython.Py_ssize_t = 0
    body: cython.Py_ssize_t = 0
    beside: cython.Py_ssize_t
    searched: cython.Py_ssize_t = -1
    content: cython.Py_ssize_t = -1
    href: cython.Py_ssize_t = -1
    made = np.empty((rows.shape[1], 7), np.intc)
    out: cython.int[:, ::1] = made.data
    while body < nodes and tag[body] != BODY:
        body += 1
    if body == nodes:
        body = 0
    for row in range(rows.shape[1]):
        name: cython.int = rows[0, row]
        if not LOOKED_AT[name]:
            continue
        while node + 1 < nodes and first_row[node + 1] <= row:
            node += 1
        kind: cython.int = min(tag[node], ANYWHERE.shape[0] - 1)
        if not (node < body and IN_HEAD[kind, name]):
            length: cython.int = rows[2, row] - rows[1, row]
            if not ANYWHERE[kind, name] or not SHORTEST[name] <= length <= LONGEST[name]:
                continue
        if name == TYPE and not has_data(source, rows[1, row], rows[2, row]):
            continue
        out[count, 0] = node
        out[count, 1] = kind
        out[count, 2] = name
        out[count, 3] = rows[1, row]
        out[count, 4] = rows[2, row]
        if searched != node:
            searched = node
            content = href = -1
            end_row: cython.Py_ssize_t = first_row[node + 1] if node + 1 < nodes else rows.shape[1]
            for beside in range(end_row - 1, first_row[node] - 1, -1):
                if rows[0, beside] == CONTENT:
                    content = beside
                elif rows[0, beside] == HREF:
                    href = beside
        beside = href if name == REL else content
        out[count, 5] = rows[1, beside] if beside >= 0 else 0
        out[count, 6] = rows[2, beside] if beside >= 0 else 0
        count += 1
        head += node < body
    return made[:count].copy(), head


def rows_of(rows: Column, attribute: cython.int) -> list[tuple[int, ...]]:
    """The rows of an attribute, without its number."""
    return [
        (rows[row, 0], rows[row, 1], rows[row, 3], rows[row, 4], rows[row, 5], rows[row, 6])
        for row in range(rows.shape[0])
        if rows[row, 2] == attribute
    ]


def meta_contents(source: bytes, rows: Column) -> dict[str, list[tuple[int, int]]]:
    """Where the contents of the meta elements are, by name or property in lower case."""
    row: cython.Py_ssize_t
    places: dict[str, list[tuple[int, int]]] = {}
    for row in range(rows.shape[0]):
        name: cython.int = rows[row, 2]
        if rows[row, 1] == META and name in (NAME, PROPERTY, EQUIV):
            value = value_of(source[rows[row, 3] : rows[row, 4]]).lower()
            place = rows[row, 5], rows[row, 6]
            if value in places:
                places[value].append(place)
            else:
                places[value] = [place]
    return places


def has_data(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> bool:
    """Whether a value, in lower case, has `DATA` in it."""
    place: cython.Py_ssize_t
    step: cython.Py_ssize_t
    data: bytes = DATA
    for place in range(start, end - len(data) + 1):
        for step in range(len(data)):
            byte: cython.uchar = source[place + step]
            if 65 <= byte <= 90:
                byte |= 32
            if byte != data[step]:
                break
        else:
            return True
    return False
