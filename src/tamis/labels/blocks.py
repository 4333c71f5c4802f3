"""Labels of parts of a page, and the blocks of the page that they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.labels.alignment import block_shares
from tamis.labels.datasets import KINDS, BlockLabel, Example
from tamis.methods._base import Floats
from tamis.page import tags
from tamis.page.reader import parse
from tamis.page.table import Page

Kinds: TypeAlias = npt.NDArray[np.int8]

UNLABELLED = -1
"""The kind of a text that no label is about."""

_MAIN, _TITLE, _COMMENTS = map(KINDS.index, ("main", "title", "comments"))
_LONGEST_NUMBER = 9
_STEP = re.compile(r"([^/\[\]]+)(?:\[(\d+)\])?")


_DROPPED: Final = {
    "title": "title",
    "comments": "comments",
    "navigation": "navigation",
    "related": "navigation",  # links that lead on, whatever they are called
    "promotion": "promotion",
}
"""What a person would call a dropped block, by its kind; `other` where nothing is said."""


def propose_kind(kind: str, kept: bool) -> str:
    """The label that is proposed for a block: what was kept is content or the title."""
    if kept:
        return "title" if kind == "title" else "main"
    return _DROPPED.get(kind, "other")


def paint_blocks(page: Page, labels: Iterable[BlockLabel]) -> tuple[Kinds, list[BlockLabel]]:
    """The kind of each block, its place in `KINDS`, and the labels that the page does not have.

    A text run is what the last label says that covers its middle; a block is what most of its
    visible characters are, so that half a paragraph may be marked.
    """
    texts = page.texts
    middle = (texts.start + texts.end) // 2
    runs: Kinds = np.full(len(texts), UNLABELLED, np.int8)
    paths = XPaths(page)
    missing = []
    for label in labels:
        below = slice(0, len(texts))
        if label.xpath is not None:
            node = paths.find_node(label.xpath)
            if node is None:
                missing.append(label)
                continue
            below = slice(int(page.nodes.first_text[node]), int(page.nodes.end_text[node]))
        if label.start is None or label.end is None:
            runs[below] = KINDS.index(label.kind)
            continue
        first, end = np.searchsorted(middle, (label.start, label.end)).tolist()
        first, end = max(first, below.start), min(end, below.stop)
        if first >= end:
            missing.append(label)
        runs[first:end] = KINDS.index(label.kind)
    return _choose_kinds(page, runs), missing


def _choose_kinds(page: Page, runs: Kinds) -> Kinds:
    texts = page.texts
    shown = np.where(texts.flags & tags.HIDDEN, 0.001, 1.0)  # hidden runs decide where all are
    weight = shown * np.maximum(texts.chars, 1)
    counts = np.zeros((len(page.blocks), len(KINDS) + 1))
    inside = texts.block >= 0
    np.add.at(counts, (texts.block[inside], runs[inside]), weight[inside])
    best = counts.argmax(axis=1)
    return np.where(best == len(KINDS), UNLABELLED, best).astype(np.int8)


def content_shares(kinds: Kinds, *, comments: bool = False) -> Floats:
    """What a model learns: 1 for the main content, 0 for the rest, NaN for the title.

    Whether the title is content is a matter of how the text is used: nothing is learned from it.
    """
    result = np.isin(kinds, (_MAIN, _COMMENTS) if comments else (_MAIN,)).astype(float)
    result[kinds == _TITLE] = np.nan
    return result


def join_main(page: Page, kinds: Kinds) -> str:
    """The main content as text, a line per block."""
    return "\n".join(page.block_texts(np.flatnonzero(kinds == _MAIN)))


def label_kinds(page: Page, kinds: Kinds) -> tuple[BlockLabel, ...]:
    blocks, texts = page.blocks, page.texts
    return tuple(
        BlockLabel(
            kind=KINDS[kinds[block]],
            xpath=page.xpath(int(blocks.node[block])),
            start=int(texts.start[blocks.first_text[block]]),
            end=int(texts.end[blocks.end_text[block] - 1]),
        )
        for block in np.flatnonzero(kinds != UNLABELLED).tolist()
    )


class XPaths:
    """From XPaths to elements: those that `Page.xpath` writes, and those of a browser."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._children: dict[tuple[int, str], list[int]] = {}
        self._named: dict[str, list[int]] = {}
        for node, parent in enumerate(page.nodes.parent.tolist()):
            name = page.tag_name(node)
            for each in (name, "*"):
                self._children.setdefault((parent, each), []).append(node)
                self._named.setdefault(each, []).append(node)

    def find_node(self, xpath: str) -> int | None:
        if xpath.startswith("(//"):
            name, _, place = xpath.removeprefix("(//").partition(")")
            return _get_nth(self._named.get(name, []), place.strip("[]"))
        node = -1
        for step in xpath.strip("/").split("/"):
            parts = _STEP.fullmatch(step)
            if not parts:
                return None
            inside = self._children.get((node, parts[1].lower()), [])
            below = _get_nth(inside, parts[2] or "1")
            if below is None:
                return None
            node = below
        return node

    def find_first(self, name: str) -> int | None:
        return _get_nth(self._named.get(name, []), "1")


def _get_nth(nodes: list[int], place: str) -> int | None:
    if not place.isdecimal() or len(place) > _LONGEST_NUMBER or not 0 < int(place) <= len(nodes):
        return None
    return nodes[int(place) - 1]


@dataclass(frozen=True, eq=False)
class LabelledSource:
    """A page with the kind of each of its blocks."""

    example: Example
    page: Page
    kinds: Kinds
    missing: int
    """Labels that are about nothing on the page."""


def label_blocks(example: Example) -> LabelledSource:
    """A page and its labels as kinds of blocks; a gold text alone is aligned with the page."""
    page = parse(example.html)
    if example.blocks:
        kinds, missing = paint_blocks(page, example.blocks)
        return LabelledSource(example, page, kinds, len(missing))
    kinds = np.full(len(page.blocks), KINDS.index("other"), np.int8)
    if example.text is not None:
        kinds[block_shares(page, example.text) > 0.5] = KINDS.index("main")
    return LabelledSource(example, page, kinds, 0)
