# cython: boundscheck=False
"""The one pass over the attributes of a page that finds those that declare something.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags
from tamis.page.arrays import Ints
from tamis.page.attributes import value_of

if TYPE_CHECKING:
    import cython
    import numpy.typing as npt

    from tamis.page.text.strings import Utf8

BODY, META, SCRIPT = tags.find_ids("body meta script")
REL, HREF, CONTENT, TYPE, NAME, PROPERTY, EQUIV, ITEMPROP, ITEMTYPE, DATETIME, LANG = (
    tags.find_attribute_ids(
        "rel href content type name property http-equiv itemprop itemtype datetime lang"
    )
)
DATA = b"ld+json"

# Columns of the attributes that declare something: the node, its tag, the attribute, its value,
# and what the element has beside it: its `content`, or for a `rel` its `href`.
NODE, TAG, ATTRIBUTE, START, END, BESIDE_START, BESIDE_END, COLUMNS = range(8)


def make_tables() -> tuple[npt.NDArray[np.integer], ...]:
    """Say which attributes of which elements are read, and how long their values may be.

    One table for the whole page and one for the head alone, each with a row per tag, the last for
    unknown elements; the shortest and the longest value of each attribute outside of the head; the
    attributes that are read on any element.
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


ANYWHERE, IN_HEAD, SHORTEST, LONGEST, LOOKED_AT = make_tables()


def scan_declarations(source: Utf8, tag: Ints, first_row: Ints, rows: Ints) -> tuple[Ints, int]:
    """Find the attributes that declare something, one row each, and how many are in the head.

    A type must be that of JSON-LD. Start and end are 0 where the element has nothing beside.
    """
    nodes: cython.Py_ssize_t = tag.shape[0]
    node: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    head: cython.Py_ssize_t = 0
    body: cython.Py_ssize_t = 0
    searched: cython.Py_ssize_t = -1
    content: cython.Py_ssize_t = -1
    href: cython.Py_ssize_t = -1
    found = np.empty((rows.shape[1], COLUMNS), np.intc)
    out: cython.int[:, ::1] = found.data
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
        out[count, NODE] = node
        out[count, TAG] = kind
        out[count, ATTRIBUTE] = name
        out[count, START] = rows[1, row]
        out[count, END] = rows[2, row]
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
        out[count, BESIDE_START] = rows[1, beside] if beside >= 0 else 0
        out[count, BESIDE_END] = rows[2, beside] if beside >= 0 else 0
        count += 1
        head += node < body
    return found[:count].copy(), head


def select_rows(rows: Ints, attribute: cython.int) -> list[tuple[int, ...]]:
    """Select the rows of an attribute: node, tag, start, end, start and end beside."""
    return [
        select_row(rows, row) for row in range(rows.shape[0]) if rows[row, ATTRIBUTE] == attribute
    ]


def select_row(rows: Ints, row: cython.Py_ssize_t) -> tuple[int, ...]:
    return (
        rows[row, NODE],
        rows[row, TAG],
        rows[row, START],
        rows[row, END],
        rows[row, BESIDE_START],
        rows[row, BESIDE_END],
    )


def find_described(rows: Ints, longest: cython.int) -> list[tuple[int, ...]]:
    """Select names and properties of meta elements, up to a length, and JSON-LD, in page order."""
    found = []
    for row in range(rows.shape[0]):
        if rows[row, TAG] == META:
            if rows[row, ATTRIBUTE] != NAME and rows[row, ATTRIBUTE] != PROPERTY:
                continue
            if rows[row, END] - rows[row, START] > longest:
                continue
        elif rows[row, TAG] != SCRIPT or rows[row, ATTRIBUTE] != TYPE:
            continue
        found.append(select_row(rows, row))
    return found


def index_meta(source: bytes, rows: Ints) -> dict[str, list[tuple[int, int]]]:
    """Find where the contents of meta elements are, by name or property in lower case."""
    places: dict[str, list[tuple[int, int]]] = {}
    for row in range(rows.shape[0]):
        name: cython.int = rows[row, ATTRIBUTE]
        if rows[row, TAG] == META and name in (NAME, PROPERTY, EQUIV):
            value = value_of(source[rows[row, START] : rows[row, END]]).lower()
            place = rows[row, BESIDE_START], rows[row, BESIDE_END]
            if value in places:
                places[value].append(place)
            else:
                places[value] = [place]
    return places


def has_data(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> bool:
    """Whether a value contains `DATA`, in any case."""
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
