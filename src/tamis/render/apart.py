"""Words of neighbouring elements that styles set apart, without white space in the source.

What a browser shows depends on styles that nobody reads here. Words are taken to be apart in two
links side by side, beside a `time`, around an icon, and in elements named as parts of a byline or a
list of tags; not in `<b>W</b>ord`, and not in scripts that are written without spaces.
"""

from __future__ import annotations

import re

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.table import Page

_A, _TIME, _CODE, _I, _SVG = (tags.ID[name] for name in ("a", "time", "code", "i", "svg"))
_INLINE = frozenset(tags.ID[name] for name in "a span time label em i b strong small cite".split())
# Levels from a text up to the element that has a sibling.
_LEVELS = 3
_PARTS = re.compile(
    r"(?<![a-z])(?:author|byline|date|time|tags?|categor(?:y|ies)|label|badge|crumb|chip|pill|topic"
    r"|keyword)s?(?![a-z])",
    re.IGNORECASE,
)


def find_apart(page: Page, pairs: list[tuple[int, int]]) -> set[int]:
    """The second of those pairs of neighbouring texts that are apart, see `walk.joined_words`."""
    return {after for before, after in limits.checked(pairs) if _are_apart(page, before, after)}


def _are_apart(page: Page, before: int, after: int) -> bool:
    nodes = page.nodes
    around = [int(page.texts.node[text]) for text in (before, after)]
    if _is_icon_between(page, before, after):
        return True
    sides = _siblings(page, *around)
    if sides is None:
        return False
    links = [next((up for up in _climb(page, node) if nodes.tag[up] == _A), -1) for node in around]
    if -1 not in links:
        targets = [page.attribute(link, "href") for link in links]
        return None not in targets and targets[0] != targets[1]
    if any(nodes.tag[side] == _TIME for side in sides):
        return True
    names = [page.attribute(side, "class") or "" for side in sides]
    return all(names) and any(map(_PARTS.search, names))


def _siblings(page: Page, first: int, second: int) -> tuple[int, int] | None:
    """The inline elements around two texts that have the same parent; None inside code."""
    parents, tag = page.nodes.parent, page.nodes.tag
    left, right = _climb(page, first), _climb(page, second)
    for side, above in left.items():
        for other, above_other in right.items():
            if above == above_other and side != other:
                inline = {int(tag[side]), int(tag[other])} <= _INLINE
                in_code = _CODE in (tag[above], tag[parents[above]])
                return (side, other) if inline and not in_code else None
    return None


def _climb(page: Page, node: int) -> dict[int, int]:
    """An element and those above it, each with its parent."""
    around = {}
    for _ in range(_LEVELS):
        above = int(page.nodes.parent[node])
        if above < 0:
            break
        around[node] = above
        node = above
    return around


def _is_icon_between(page: Page, before: int, after: int) -> bool:
    """Whether there is an `svg` or an empty `i` between two texts."""
    nodes, texts = page.nodes, page.texts
    node = int(np.searchsorted(nodes.start, texts.end[before]))
    while node < len(nodes) and nodes.start[node] < texts.start[after]:
        tag = int(nodes.tag[node])
        if tag == _SVG or (tag == _I and nodes.first_text[node] == nodes.end_text[node]):
            return True
        node += 1
    return False
