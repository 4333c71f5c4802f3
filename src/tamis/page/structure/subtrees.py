"""A part of a page as a page of its own, to be rendered by itself."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from tamis.page import tags
from tamis.page.arrays import Flags, Indexes, Ints
from tamis.page.table import Blocks, Nodes, Page, Texts


def copy_part(page: Page, first: int, end: int, dropped: Flags | None = None) -> Page:
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
    own = {name: _prepend(around[name], column) for name, column in columns.items()}
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
        Nodes(**{name: _freeze(column) for name, column in own.items()}),
        Texts(**{name: _freeze(column) for name, column in runs.items()}),
        Blocks(**{name: _freeze(column) for name, column in lines.items()}),
        _freeze(page.attribute_rows[:, rows]),
        page.own_names,
    )


def _rows_end(page: Page, end: int) -> int:
    if end < len(page.nodes):
        return int(page.nodes.attributes[end])
    return len(page.attribute_rows[0])


def _prepend(value: int, column: Ints) -> Ints:
    return np.concatenate(([value], column))


def _freeze(column: Ints) -> Ints:
    made = np.array(column, np.intc)
    made.flags.writeable = False
    return made


def mark_texts(page: Page, nodes: Indexes) -> Flags:
    """The texts at or below any of these nodes."""
    texts = len(page.texts) + 1
    opened = np.bincount(page.nodes.first_text[nodes], minlength=texts)
    closed = np.bincount(page.nodes.end_text[nodes], minlength=texts)
    below: Flags = np.cumsum(opened - closed)[:-1] > 0
    return below


def mark_nodes(page: Page, nodes: Indexes) -> Flags:
    """The nodes at or below any of these nodes."""
    count = len(page.nodes) + 1
    opened = np.bincount(nodes, minlength=count)
    closed = np.bincount(page.nodes.last[nodes] + 1, minlength=count)
    within: Flags = np.cumsum(opened - closed)[:-1] > 0
    return within


def find_nearest(page: Page, chosen: Flags) -> Indexes:
    """For each node the nearest chosen node at or above it, else the root."""
    above = np.where(chosen, np.arange(len(chosen)), np.maximum(page.nodes.parent, 0))
    # Each round doubles the steps that have been taken.
    for _ in range(int(page.nodes.depth.max(initial=0)).bit_length()):
        above = above[above]
    return above


def mark_outside_forms(page: Page, *, frames: bool = True) -> Flags:
    """The texts that are shown and in no form.

    A form around half of the page or more is a frame of its server (ASP.NET) and does not count,
    unless `frames` is off.
    """
    shown: Flags = page.texts.flags & tags.HIDDEN == 0
    forms = np.flatnonzero(page.nodes.tag == tags.ID["form"])
    if len(forms):
        if frames:
            length = page.sums_below(page.texts.chars * shown).astype(float)
            forms = forms[2 * length[forms] < length[0]]
        shown = shown & ~mark_texts(page, forms)
    return shown
