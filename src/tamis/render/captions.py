"""Captions that stay with their pictures, though they are no text of the page.

Most gold has no captions, and so the methods leave them out of the text. Where the picture is
shown, what it shows is said.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.table import Column, Page

_FIGCAPTION, _FIGURE, _IMG = (tags.ID[name] for name in ("figcaption", "figure", "img"))
_MOST_WORDS = 100


def with_captions(page: Page, kept: Flags) -> Flags:
    """What is kept, with the captions of the figures that stand between kept blocks."""
    captions = np.flatnonzero(page.nodes.tag == _FIGCAPTION).tolist()
    if not captions:
        return kept
    pictures = np.cumsum(page.nodes.tag == _IMG)
    dropped = [
        blocks
        for node in limits.checked(captions)
        if (blocks := _caption(page, node, pictures)) and not kept[slice(*blocks)].any()
    ]
    if not dropped:
        return kept
    with_them = kept.copy()
    # Runs of figures, between what is before and after them.
    starts = [0, *(n for n, (a, b) in enumerate(pairwise(dropped), 1) if a[1] < b[0]), len(dropped)]
    for start, end in pairwise(starts):
        first, after = dropped[start][0], dropped[end - 1][1]
        if first > 0 and after < len(kept) and kept[first - 1] and kept[after]:
            with_them[first:after] = page.blocks.flags[first:after] & tags.HIDDEN == 0
    return with_them


def _caption(page: Page, node: int, pictures: Column) -> tuple[int, int] | None:
    """The blocks of a caption, None if it has none of its own or there is no picture with it."""
    nodes, texts = page.nodes, page.texts
    first, end = int(nodes.first_text[node]), int(nodes.end_text[node])
    figure = int(nodes.parent[node])
    if first == end or figure < 0 or nodes.tag[figure] != _FIGURE:
        return None
    if pictures[nodes.last[figure]] == pictures[figure]:
        return None
    blocks = int(texts.block[first]), int(texts.block[end - 1]) + 1
    of_others = (
        page.blocks.first_text[blocks[0]] < first or page.blocks.end_text[blocks[1] - 1] > end
    )
    return None if of_others or page.blocks.words[slice(*blocks)].sum() > _MOST_WORDS else blocks
