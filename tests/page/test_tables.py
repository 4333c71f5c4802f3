"""Which tables hold data."""

from __future__ import annotations

import numpy as np

import tamis
from tamis.page import tables


def test_blocks_in_tables_of_data_are_not_those_in_layouts() -> None:
    page = tamis.parse(
        "<table><tr><td><h1>a</h1><table><tr><th>b<th>c<tr><td>d<td>e</table></table><p>f"
    )
    inside = tables.in_data_tables(page)
    assert page.block_texts(np.flatnonzero(inside)) == ["b", "c", "d", "e"]
