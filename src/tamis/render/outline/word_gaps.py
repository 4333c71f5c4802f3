# cython: annotation_typing=False
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
from tamis.page.arrays import Ints
from tamis.page.table import Page

_A, _TIME, _CODE, _I, _SVG = (tags.ID[name] for name in ("a", "time", "code", "i", "svg"))
_INLINE = frozenset(tags.ID[name] for name in "a span time label em i b strong small cite".split())
# White space and code; letters and digits of scripts with spaces, by their first byte in UTF-8.
_TOGETHER = tags.SPACE_BEFORE | tags.BREAK_BEFORE | tags.IN_PRE
_IS_LETTER = bytes(
    chr(byte).isalnum() if byte < 0x80 else 0xC3 <= byte < 0xE0 for byte in range(256)
)
# Levels from a text up to the element that has a sibling.
_LEVELS = 3
_PARTS = re.compile(
    r"(?<![a-z])(?:author|byline|date|time|tags?|categor(?:y|ies)|label|badge|crumb|chip|pill|topic"
    r"|keyword)s?(?![a-z])",
    re.IGNORECASE,
)


def find_word_gaps(page: Page, texts: Ints) -> set[int]:
    """Those of some texts that are apart from the text before, though no white space says so."""
    joined = _find_joined_words(page, texts)
    if not joined:
        return set()
    return {after for before, after in limits.check_each(joined) if _are_apart(page, before, after)}


def _find_joined_words(page: Page, texts: Ints) -> list[tuple[int, int]]:
    """Neighbours among some texts between whose letters there is no white space, but a tag."""
    source, flags, blocks = page.source, page.texts.flags.data, page.texts.block.data
    starts, ends, numbers = page.texts.start.data, page.texts.end.data, texts.data
    pairs = []
    for place in range(1, len(numbers)):
        before, text = numbers[place - 1], numbers[place]
        if flags[text] & _TOGETHER or blocks[before] != blocks[text]:
            continue
        first, last = source[starts[text]], ends[before] - 1
        while last > starts[before] and source[last] & 0xC0 == 0x80:
            last -= 1
        if _IS_LETTER[first] and _IS_LETTER[source[last]]:
            pairs.append((before, text))
    return pairs


def _are_apart(page: Page, before: int, after: int) -> bool:
    if _is_icon_between(page, before, after):
        return True
    tag = page.nodes.tag
    # The elements around both texts, innermost first, each with its parent.
    left, right = (_climb(page, int(page.texts.node[text])) for text in (before, after))
    sides = _find_siblings(page, left, right)
    if sides is None:
        return False
    links = [next((node for node in around if tag[node] == _A), -1) for around in (left, right)]
    if -1 not in links:
        targets = [page.attribute(link, "href") for link in links]
        return None not in targets and targets[0] != targets[1]
    if any(tag[side] == _TIME for side in sides):
        return True
    names = [page.attribute(side, "class") or "" for side in sides]
    return all(names) and any(map(_PARTS.search, names))


def _climb(page: Page, node: int) -> dict[int, int]:
    around = {}
    for _ in range(_LEVELS):
        above = int(page.nodes.parent[node])
        if above < 0:
            break
        around[node] = above
        node = above
    return around


def _find_siblings(
    page: Page, left: dict[int, int], right: dict[int, int]
) -> tuple[int, int] | None:
    """The inline elements around two texts that have the same parent; None inside code."""
    parents, tag = page.nodes.parent, page.nodes.tag
    for side, above in left.items():
        for other, above_other in right.items():
            if above == above_other and side != other:
                inline = {int(tag[side]), int(tag[other])} <= _INLINE
                in_code = _CODE in (tag[above], tag[parents[above]])
                return (side, other) if inline and not in_code else None
    return None


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
