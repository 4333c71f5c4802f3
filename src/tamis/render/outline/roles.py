# cython: annotation_typing=False, boundscheck=False
"""Passes over a page: which elements a renderer reads, and which words styles set apart."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Bytes, Flags, Ints
from tamis.page.attributes import Attributes
from tamis.page.structure.data_tables import find_data_tables
from tamis.page.table import Blocks, Nodes, Page
from tamis.page.tags import HIDDEN, IN_FIGURE, IN_HEADING

MATH, TYPE = tags.ID["math"], tags.ATTRIBUTE_ID["type"]
TEX = b"math/tex"
"""The type of a script that is TeX."""
FIRST_OF_TEX, LEAST_TEX = TEX[0], len(TEX)

CLASS = tags.ATTRIBUTE_ID["class"]
WRAPPERS = (
    "katex katex-display mwe-math-element math-inline math-block hurmet-tex ztext-math"
).split()
"""Names of classes of elements around MathML that show the same formula again; and `MathJax...`."""
A, E, H, K, M, T, HYPHEN = b"aehkmt-"
FIGCAPTION = tags.ID["figcaption"]
# Levels up from a text to its caption, and on to what is around caption and picture; dropped texts
# beside the picture, such as a button.
CAPTION_LEVELS, CAPTION_TEXTS = 3, 3

# The role of an element in a document; those from IMAGE on have no text.
HEADING, CODE, CONTAINER, TABLE_PART, LINK, MARK, IMAGE, RULE, FORMULA = range(1, 10)

# The last is for tags that are not in `tags.NAMES`.
BLOCK_LEVEL = np.array([traits & tags.BLOCK != 0 for traits in (*tags.TRAITS, 0)], np.uint8)


def find_texts(rows: Nodes | Blocks, row: int) -> range:
    return range(int(rows.first_text[row]), int(rows.end_text[row]))


def find_tagged(page: Page, name: bytes) -> list[int]:
    """The elements with a name that is not in `tags.NAMES`."""
    tagged: list[int] = []
    if name in page.own_names:
        tagged = np.flatnonzero(page.nodes.tag == page.own_names[name]).tolist()
    return tagged


def may_have_formulas(page: Page) -> bool:
    """Whether there is MathML in a page, or a type that may be that of TeX in a script."""
    tag, source, rows = page.nodes.tag.data, page.source, page.attribute_rows
    for node in range(len(tag)):
        if tag[node] == MATH:
            return True
    names, starts, ends = rows[0].data, rows[1].data, rows[2].data
    for row in range(len(names)):
        is_long = names[row] == TYPE and ends[row] - starts[row] >= LEAST_TEX
        if is_long and source[starts[row]] | 32 == FIRST_OF_TEX:
            return True
    return False


def may_have_wrappers(page: Page) -> bool:
    """Whether there may be an element around a formula, by some letters of `WRAPPERS`."""
    source, rows = page.source, page.attribute_rows
    names, starts, ends = rows[0].data, rows[1].data, rows[2].data
    for row in range(len(names)):
        if names[row] == CLASS:
            for place in range(starts[row] + 1, ends[row] - 1):
                if source[place] == T and is_in_wrapper(source, place):
                    return True
    return False


def is_in_wrapper(source: bytes, place: int) -> bool:
    """Whether what stands around a "t" is "kat", "ath" or "met-"."""
    before, after = source[place - 1], source[place + 1]
    if before == A:
        return after == H or source[place - 2] == K
    return before == E and after == HYPHEN and source[place - 2] == M


def find_shown_texts(page: Page, kept: Flags) -> tuple[Flags, int]:
    """Whether each text is in a kept block, and not hidden unless all of the block is.

    And the flags that any of the texts of the kept blocks has.
    """
    shown = np.zeros(len(page.texts), np.bool_)
    out, wanted = shown.view(np.uint8).data, kept.view(np.uint8).data
    first, end = page.blocks.first_text.data, page.blocks.end_text.data
    block_flags, flags = page.blocks.flags.data, page.texts.flags.data
    every = 0
    for block in range(len(wanted)):
        if wanted[block]:
            hidden = block_flags[block] & HIDDEN
            for text in range(first[block], end[block]):
                every |= flags[text]
                out[text] = hidden != 0 or flags[text] & HIDDEN == 0
    return shown, every


def choose_elements(
    page: Page,
    shown: Flags,
    role_of_tag: Bytes,
    formulas: dict[int, Any],
) -> list[Ints]:
    """The shown texts, the elements with such text, and those without text that stand among it.

    Where all that is visible is shown, so is what is visible without text.

    Five columns: the texts; elements, roles, shown texts before each and before its end. Table
    parts count only in the tables of data; their role is that of other containers. `formulas` are
    elements without text.
    """
    choice = _Choice(page)
    texts = choice.count_shown(shown)
    firsts, lasts = find_data_tables(page, shown)
    count = choice.fill(role_of_tag.data, formulas, firsts.data, lasts.data)
    return [texts, *choice.columns[:, :count]]


class _Choice:
    """The columns that the pass reads and those that it makes."""

    def __init__(self, page: Page) -> None:
        nodes, texts = page.nodes, page.texts
        self.tag = nodes.tag.data
        self.parent = nodes.parent.data
        self.last = nodes.last.data
        self.flags = nodes.flags.data
        self.first_text = nodes.first_text.data
        self.end_text = nodes.end_text.data
        self.text_flags = texts.flags.data
        self.text_block = texts.block.data
        self.block_node = page.blocks.node.data
        self.block_level = BLOCK_LEVEL.data
        self.before = np.empty(len(texts) + 1, np.intc).data
        self.texts = np.empty(0, np.intc).data
        self.attributes = Attributes(page)
        self.total = 0
        self.whole = True
        self.caption_before = self.caption = -1
        self.columns = np.empty((4, len(nodes)), np.intc)

    def count_shown(self, shown: Flags) -> Ints:
        """Count the shown texts before each; return the shown texts."""
        wanted, texts = shown.view(np.uint8).data, np.empty(len(shown), np.intc)
        self.texts = out = texts.data
        for text in range(len(wanted)):
            self.before[text] = self.total
            if wanted[text]:
                out[self.total] = text
                self.total += 1
            elif not self.text_flags[text] & HIDDEN:
                self.whole = False
        self.before[len(wanted)] = self.total
        return texts[: self.total]

    def fill(
        self, role_of_tag: Any, formulas: dict[int, Any], table_firsts: Any, table_lasts: Any
    ) -> int:
        """Fill the columns; return how many rows they have."""
        out = self.columns.data
        node = table = count = 0
        others, image, table_part = len(role_of_tag) - 1, IMAGE, TABLE_PART
        while node < len(self.tag):
            first = self.before[self.first_text[node]]
            end = self.before[self.end_text[node]]
            role = role_of_tag[min(self.tag[node], others)]
            if first == end:
                # The largest element without shown text; what is in it has none either.
                stop = self.last[node] + 1
                if self.stands_among(node, first):
                    for inner in range(node, stop):
                        role = role_of_tag[min(self.tag[inner], others)]
                        if formulas and inner in formulas:
                            role = FORMULA
                        if role >= image:
                            out[0, count] = inner
                            out[1, count] = role
                            out[2, count] = out[3, count] = first
                            count += 1
                node = stop
                continue
            if role == 0 and self.flags[node] & IN_HEADING and self.is_heading(node):
                role = HEADING
            if role == table_part:
                while table < len(table_lasts) and table_lasts[table] < node:
                    table += 1
                is_part = table < len(table_lasts) and table_firsts[table] <= node
                role = CONTAINER if is_part else 0
            if 0 < role < image:
                out[0, count] = node
                out[1, count] = role
                out[2, count] = first
                out[3, count] = end
                count += 1
            node += 1
        return count

    def is_heading(self, node: int) -> bool:
        """Whether an element in a heading is one by its attribute `role`, and separates blocks."""
        above = self.parent[node]
        if above >= 0 and self.flags[above] & IN_HEADING:
            return False
        return self.tag[node] < len(self.block_level) and self.block_level[self.tag[node]] != 0

    def stands_among(self, root: int, before: int) -> bool:
        """Whether what is in the largest element around it without shown text stands among such.

        It does if there is shown text on both sides, or if it is in a block or figure with shown
        text; but not if there is dropped text in that element.
        """
        if self.whole:
            return self.flags[root] & HIDDEN == 0 or 0 < before < self.total
        among = 0 < before < self.total or (self.total > 0 and self.is_in_block(root))
        return (among and self.is_without_text(root)) or self.has_caption(root, before)

    def is_without_text(self, root: int) -> bool:
        """Whether an element has no text; that of a figure, as captions, is not counted."""
        for text in range(self.first_text[root], self.end_text[root]):
            if not self.text_flags[text] & (HIDDEN | IN_FIGURE):
                return False
        return True

    def has_caption(self, root: int, before: int) -> bool:
        """Whether the next shown text is a caption beside an element with hardly any text."""
        if before >= self.total or self.end_text[root] - self.first_text[root] > CAPTION_TEXTS:
            return False
        if before != self.caption_before:
            self.caption_before, self.caption = before, self.find_caption(self.texts[before])
        above = self.caption
        if above < root:
            return False
        for _ in range(CAPTION_LEVELS):
            above = self.parent[above]
            if above < root:
                break
        return 0 <= above < root and self.last[root] < self.caption <= self.last[above]

    def find_caption(self, text: int) -> int:
        """The element around a text whose tag or class says that it is a caption, -1 if none."""
        node = self.block_node[self.text_block[text]]
        for _ in range(CAPTION_LEVELS):
            if node < 0 or self.tag[node] == FIGCAPTION:
                break
            if b"caption" in (self.attributes.raw(node, CLASS) or b"").lower():
                break
            node = self.parent[node]
        else:
            return -1
        return node

    def is_in_block(self, root: int) -> bool:
        """Whether the element around is a figure, or the block of a text beside."""
        above = self.parent[root]
        if self.flags[above] & IN_FIGURE:
            return True
        place = self.first_text[root]
        texts = len(self.text_block)
        if self.block_node[self.text_block[place - 1 if place else 0]] == above:
            return True
        return self.block_node[self.text_block[place if place < texts else texts - 1]] == above


# Words of neighbouring elements that styles set apart, without white space in the source. What a
# browser shows depends on styles that nobody reads here. Words are taken to be apart in two links
# side by side, beside a `time`, around an icon, and in elements named as parts of a byline or a
# list of tags; not in `<b>W</b>ord`, and not in scripts that are written without spaces.

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
