"""The one pass over the attributes of a page that finds those that declare something.

Part of the hot path: ordinary Python that is compiled by Cython, with the C types in the .pxd file
of the same name. Uncompiled it gives the same rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags

if TYPE_CHECKING:
    import cython

BODY = tags.ID["body"]
REL, HREF, CONTENT, TYPE = (
    tags.ATTRIBUTE_ID[_name] for _name in ("rel", "href", "content", "type")
)
DATA = b"ld+json"


def declarations(source, tag, first_row, rows, anywhere, in_head, shortest, longest):
    """The attributes that declare something, one row each, and how many of them are in the head.

    Node, its tag, attribute, start and end of the value; start and end of what the element has
    beside it: its `content`, or for a `rel` its `href`, 0 if there is none. `anywhere` and
    `in_head` say by tag and attribute which are looked at, `shortest` and `longest` by attribute
    which lengths of a value count outside of the head. A type must be that of JSON-LD.
    """
    nodes: cython.Py_ssize_t = tag.shape[0]
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    other: cython.Py_ssize_t
    end_row: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    head: cython.Py_ssize_t = 0
    body: cython.Py_ssize_t = 0
    name: cython.int
    kind: cython.int
    length: cython.int
    searched: cython.Py_ssize_t = -1
    content: cython.Py_ssize_t = -1
    href: cython.Py_ssize_t = -1
    made = np.empty((rows.shape[1], 7), np.intc)
    found: cython.int[:, ::1] = memoryview(made)
    for node in range(nodes):
        if tag[node] == BODY:
            body = node
            break
    for node in range(nodes):
        if node == body:
            head = count
        end_row = first_row[node + 1] if node + 1 < nodes else rows.shape[1]
        kind = min(tag[node], anywhere.shape[0] - 1)
        for row in range(first_row[node], end_row):
            name = rows[0, row]
            if not (node < body and in_head[kind, name]):
                length = rows[2, row] - rows[1, row]
                if not anywhere[kind, name] or not shortest[name] <= length <= longest[name]:
                    continue
            if name == TYPE and not has_data(source, rows[1, row], rows[2, row]):
                continue
            found[count, 0] = node
            found[count, 1] = kind
            found[count, 2] = name
            found[count, 3] = rows[1, row]
            found[count, 4] = rows[2, row]
            found[count, 5] = found[count, 6] = 0
            if searched != node:
                searched = node
                content = href = -1
                for other in range(end_row - 1, first_row[node] - 1, -1):
                    if rows[0, other] == CONTENT:
                        content = other
                    elif rows[0, other] == HREF:
                        href = other
            other = href if name == REL else content
            if other >= 0:
                found[count, 5] = rows[1, other]
                found[count, 6] = rows[2, other]
            count += 1
    return made[:count].copy(), head


def has_data(source, start, end):
    """Whether a value, in lower case, has `DATA` in it."""
    place: cython.Py_ssize_t
    step: cython.Py_ssize_t
    byte: cython.uchar
    data: bytes = DATA
    for place in range(start, end - len(data) + 1):
        for step in range(len(data)):
            byte = source[place + step]
            if 65 <= byte <= 90:
                byte |= 32
            if byte != data[step]:
                break
        else:
            return True
    return False
