"""A part of a page as a page of its own, to be rendered by itself."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.table import Blocks, Column, Nodes, Page, Texts


def part(page: Page, first: int, end: int, dropped: Flags | None = None) -> Page:
    """The elements from `first` up to `end`, below the element around the first.

    `dropped` has one flag per text of the page; such texts are as good as hidden. The work is
    linear in the size of the part.
    """
    nodes, texts = page.nodes, page.texts
    above = int(nodes.parent[first])
    low = int(nodes.first_text[first])
    high = int(nodes.first_text[end]) if end < len(nodes) else len(texts)
    high = min(high, int(nodes.end_text[above]) if above >= 0 else high)
    begin = int(texts.block[low]) if low < high else 0
    stop = int(texts.block[high - 1]) + 1 if low < high else 0
    rows = slice(int(nodes.attributes[first]), _rows_end(page, end))
    columns = {column.name: getattr(nodes, column.name)[first:end] for column in fields(Nodes)}
    last = end - first
    columns["parent"] = np.where(columns["parent"] <= above, 0, columns["parent"] - first + 1)
    columns["last"] = np.minimum(columns["last"] - first + 1, last)
    columns["depth"] = columns["depth"] - nodes.depth[first] + 1
    columns["attributes"] = columns["attributes"] - rows.start
    for name in ("first_text", "end_text"):
        columns[name] = np.clip(columns[name], low, high) - low
    around = dict.fromkeys(columns, 0) | {
        "tag": nodes.tag[above] if above >= 0 else tags.ID["body"],
        "parent": -1,
        "last": last,
        "start": nodes.start[first],
        "close": nodes.start[first],
        "flags": tags.IMPLIED,
        "end_text": high - low,
    }
    own = {name: _after(around[name], column) for name, column in columns.items()}
    runs = {column.name: getattr(texts, column.name)[low:high] for column in fields(Texts)}
    runs["node"] = np.where(runs["node"] <= above, 0, runs["node"] - first + 1)
    runs["block"] = runs["block"] - begin
    if dropped is not None:
        runs["flags"] = runs["flags"] | np.where(dropped[low:high], tags.UNRENDERED, 0)
    blocks = page.blocks
    lines = {column.name: getattr(blocks, column.name)[begin:stop] for column in fields(Blocks)}
    for name in ("first_text", "end_text"):
        lines[name] = np.clip(lines[name], low, high) - low
    lines["node"] = np.where(lines["node"] < first, 0, lines["node"] - first + 1)
    return Page(
        page.source,
        page.encoding,
        Nodes(**{name: _intc(column) for name, column in own.items()}),
        Texts(**{name: _intc(column) for name, column in runs.items()}),
        Blocks(**{name: _intc(column) for name, column in lines.items()}),
        _intc(page.attribute_rows[:, rows]),
        page.own_names,
    )


def _rows_end(page: Page, end: int) -> int:
    """The first row of attributes after those of the elements before `end`."""
    if end < len(page.nodes):
        return int(page.nodes.attributes[end])
    return len(page.attribute_rows[0])


def _after(value: int, column: Column) -> Column:
    return np.concatenate(([value], column))


def _intc(column: Column) -> Column:
    made = np.array(column, np.intc)
    made.flags.writeable = False
    return made
