"""Structures that are kept whole: footnotes of a kept text, callouts in the middle of it."""

from __future__ import annotations

import re

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.structure.class_names import find_callouts, find_named, may_be_torn
from tamis.page.table import Page
from tamis.page.tags import HIDDEN, IN_LINK

_NOTES = re.compile(
    r"(?:^|[\s_-])(?:foot-?notes?|end-?notes?|footdef)(?:$|\s|-(?:list|definition|item|wrapper|content))",
    re.IGNORECASE,
)
_HOLDERS = frozenset(
    tags.ID[name] for name in "div section aside ol ul li dl dd table footer p".split()
)
_SUP = tags.ID["sup"]
# Notes are less than the text that they belong to.
_MOST_OF_TEXT = 0.7
# A callout that was dropped as a whole has so many words at least, and at most.
_LEAST, _MOST = 8, 200


def add_torn_parts(page: Page, kept: Flags) -> Flags:
    """What is kept, with the rest of its footnotes and callouts; few pages have such."""
    if not may_be_torn(page, kept):
        return kept
    named = find_named(page, np.arange(len(page.texts), dtype=np.intc))
    wanted = kept.copy()
    notes = [node for node, names in named["note"] if _NOTES.search(names)]
    if notes and _has_references(page, kept):
        _add_notes(page, wanted, notes)
    for node in find_callouts(page, named["callout"]):
        first, end = _find_blocks(page, node)
        if first < end and not kept[first:end].all():
            _add_callout(page, wanted, kept, first, end)
    return wanted


def _find_blocks(page: Page, node: int) -> tuple[int, int]:
    """The blocks that lie in an element."""
    first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
    if first == end:
        return 0, 0
    return int(page.texts.block[first]), int(page.texts.block[end - 1]) + 1


def _has_references(page: Page, kept: Flags) -> bool:
    """Whether a kept text has a short link or a raised number in it."""
    texts = page.texts
    short = np.flatnonzero((texts.chars <= 5) & (texts.chars > 0))
    short = short[kept[texts.block[short]]]
    linked = texts.flags[short] & IN_LINK != 0
    raised = page.nodes.tag[texts.node[short]] == _SUP
    return bool((linked | raised).any())


def _add_notes(page: Page, wanted: Flags, notes: list[int]) -> None:
    words = page.blocks.words
    most = _MOST_OF_TEXT * int(words[wanted].sum())
    for node in limits.check_each(notes):
        if int(page.nodes.tag[node]) in _HOLDERS:
            first, end = _find_blocks(page, node)
            before = wanted[:first].any()
            if before and first < end and int(words[first:end].sum()) <= most:
                wanted[first:end] |= page.blocks.flags[first:end] & HIDDEN == 0


def _add_callout(page: Page, wanted: Flags, kept: Flags, first: int, end: int) -> None:
    """A callout of which a part is kept, or that stands between kept blocks."""
    visible = page.blocks.flags[first:end] & HIDDEN == 0
    if kept[first:end].any():
        wanted[first:end] |= visible
        return
    between = first > 0 and end < len(kept) and kept[first - 1] and kept[end]
    if between and _LEAST <= int(page.blocks.words[first:end].sum()) <= _MOST:
        wanted[first:end] |= visible
