"""Which tables of a page hold data; the others lay it out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.page import tags
from tamis.page.table import Page

Rows = npt.NDArray[np.intp]

# Blocks in one cell from which on a table without a header cell is taken for a layout.
_MANY_BLOCKS = 12

_TABLE, _ROW, _CELL, _HEADER = (tags.ID[name] for name in ("table", "tr", "td", "th"))
_LISTING = tags.ID["pre"]
_HEADINGS = np.array([tags.ID[f"h{level}"] for level in range(1, 7)])


def data_tables(page: Page, shown: npt.NDArray[np.bool_] | None = None) -> tuple[Rows, Rows]:
    """First and last node of each table of data, in document order; none is inside another.

    Of those alone that have shown texts, if these are given.
    """
    tables = np.flatnonzero(page.nodes.tag == _TABLE)
    if not len(tables):
        return tables, tables
    last = page.nodes.last[tables].astype(np.intp)
    # A table around another one is a layout. What is left does not overlap, so the work is linear.
    innermost = np.append(last[:-1] < tables[1:], True)
    tables, last = tables[innermost], last[innermost]
    if shown is not None:
        before = np.append(0, np.cumsum(shown))
        nodes = page.nodes
        with_text = before[nodes.end_text[tables]] > before[nodes.first_text[tables]]
        tables, last = tables[with_text], last[with_text]
    data = [
        _is_data(page, first, end)
        for first, end in limits.checked(zip(tables.tolist(), last.tolist(), strict=True), 100)
    ]
    return tables[data], last[data]


def _is_data(page: Page, first: int, last: int) -> bool:
    """Whether the innermost table from node `first` to node `last` holds data."""
    if (page.attribute(first, "role") or "").strip().lower() in ("presentation", "none"):
        return False
    tag = page.nodes.tag[first : last + 1]
    headers = int(np.count_nonzero(tag == _HEADER))
    cells = np.flatnonzero((tag == _CELL) | (tag == _HEADER)) + first
    rows = int(np.count_nonzero(tag == _ROW))
    if len(cells) <= rows or len(cells) < 2:
        return False
    if headers:
        return True
    begin, end = page.nodes.first_text[cells], page.nodes.end_text[cells]
    full = end > begin
    if np.isin(tag, _HEADINGS).any() or np.count_nonzero(full) < 2:
        return False
    block = page.texts.block
    most = int((block[end[full] - 1] - block[begin[full]]).max()) + 1
    if rows < 2:  # also the line numbers and the lines of a listing
        return most == 1 and not (tag == _LISTING).any()
    return most < _MANY_BLOCKS


def in_data_tables(page: Page) -> npt.NDArray[np.bool_]:
    """Whether each block is inside a table of data."""
    first, last = data_tables(page)
    if not len(first):
        return np.zeros(len(page.blocks), bool)
    place = np.searchsorted(first, page.blocks.node, side="right") - 1
    inside: npt.NDArray[np.bool_] = (place >= 0) & (page.blocks.node <= last[place])
    return inside
