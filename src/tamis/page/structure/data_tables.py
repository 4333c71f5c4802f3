# cython: annotation_typing=False
"""Which tables of a page hold data; the others lay it out.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Indexes
from tamis.page.table import Page

# Blocks in one cell from which on a table without a header cell is taken for a layout.
MANY_BLOCKS = 12

TABLE, ROW, CELL, HEADER, LISTING = tags.find_ids("table tr td th pre")
IS_HEADING = bytes([trait & tags.HEADING != 0 for trait in tags.TRAITS])
NONE = np.empty(0, np.intp)
NONE.flags.writeable = False
# Tables after which the limits are looked at.
OFTEN = 100


def find_data_tables(page: Page, shown: Flags | None = None) -> tuple[Indexes, Indexes]:
    """First and last node of each table of data, in document order; none is inside another.

    Of those alone that have shown texts, if these are given.
    """
    tag = page.nodes.tag.data
    if not _has_table(tag):
        return NONE, NONE
    last = page.nodes.last.data
    begin, end = page.nodes.first_text.data, page.nodes.end_text.data
    wanted = None if shown is None else shown.view(np.uint8).data
    tables: list[int] = []
    # A table around another one is a layout. What is left does not overlap, so the work is linear.
    innermost, steps = -1, 0
    for node in range(len(tag) - 1, -1, -1):
        if tag[node] != TABLE:
            continue
        is_innermost = innermost < 0 or last[node] < innermost
        innermost = node
        if not is_innermost or (wanted is not None and not _is_any(wanted, begin[node], end[node])):
            continue
        steps += 1
        if steps % OFTEN == 0:
            limits.check()
        if _is_data(page, node, last[node]):
            tables.append(node)
    tables.reverse()
    firsts = np.array(tables, np.intp)
    return firsts, page.nodes.last[firsts].astype(np.intp)


def _has_table(tag: memoryview) -> bool:
    node = 0
    while node < len(tag) and tag[node] != TABLE:
        node += 1
    return node < len(tag)


def _is_any(flags: memoryview, begin: int, end: int) -> bool:
    while begin < end and not flags[begin]:
        begin += 1
    return begin < end


def _is_data(page: Page, first: int, last: int) -> bool:
    if (page.attribute(first, "role") or "").strip().lower() in ("presentation", "none"):
        return False
    tag, block = page.nodes.tag.data, page.texts.block.data
    begin, end = page.nodes.first_text.data, page.nodes.end_text.data
    rows = cells = headers = full = most = listings = headings = 0
    for node in range(first, last + 1):
        kind = tag[node]
        rows += kind == ROW
        listings += kind == LISTING
        headings += kind < len(IS_HEADING) and IS_HEADING[kind]
        if kind in (CELL, HEADER):
            cells += 1
            headers += kind == HEADER
            if end[node] > begin[node]:
                full += 1
                most = max(most, block[end[node] - 1] - block[begin[node]] + 1)
    if cells <= rows or cells < 2:
        return False
    if headers:
        return True
    if headings or full < 2:
        return False
    if rows < 2:  # also the line numbers and the lines of a listing
        return most == 1 and not listings
    return most < MANY_BLOCKS


def mark_data_tables(page: Page) -> Flags:
    first, last = find_data_tables(page)
    if not len(first):
        return np.zeros(len(page.blocks), bool)
    place = np.searchsorted(first, page.blocks.node, side="right") - 1
    inside: Flags = (place >= 0) & (page.blocks.node <= last[place])
    return inside
