"""Which tables hold data."""

from __future__ import annotations

import numpy as np

import tamis
from tamis.page.structure import data_tables as tables


def test_blocks_in_tables_of_data_are_not_those_in_layouts() -> None:
    page = tamis.parse(
        "<table><tr><td><h1>a</h1><table><tr><th>b<th>c<tr><td>d<td>e</table></table><p>f"
    )
    inside = tables.mark_data_tables(page)
    assert page.block_texts(np.flatnonzero(inside)) == ["b", "c", "d", "e"]


def test_tables_without_a_shown_text_are_left_out() -> None:
    page = tamis.parse("<table><tr><th>a<th>b</table><table><tr><th>c<th>d</table>")
    shown = np.array([False, False, False, True])
    assert len(tables.find_data_tables(page)[0]) == 2
    first, last = tables.find_data_tables(page, shown)
    assert [page.node_text(node) for node in first.tolist()] == ["c\nd"]
    assert last.tolist() == page.nodes.last[first].tolist()
