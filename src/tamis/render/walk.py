# cython: annotation_typing=False
"""One pass over the elements of a page: which of them a renderer reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Column, Page
from tamis.page.tables import data_tables
from tamis.page.tags import HIDDEN, IN_FIGURE, IN_HEADING

MATH, TYPE = tags.ID["math"], tags.ATTRIBUTE_ID["type"]
TEX = b"math/tex"
"""The type of a script that is TeX."""
FIRST_OF_TEX, LEAST_TEX = TEX[0], len(TEX)

# The role of an element in a document; those from IMAGE on have no text.
HEADING, CODE, CONTAINER, TABLE_PART, LINK, MARK, IMAGE, RULE, FORMULA = range(1, 10)

# The last is for tags that are not in `tags.NAMES`.
BLOCK_LEVEL = np.array([traits & tags.BLOCK != 0 for traits in (*tags.TRAITS, 0)], np.uint8)


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


def shown_texts(page: Page, kept: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.bool_], int]:
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


def chosen(
    page: Page,
    shown: npt.NDArray[np.bool_],
    role_of_tag: npt.NDArray[np.uint8],
    formulas: dict[int, Any],
) -> list[Column]:
    """The elements with shown text, and those without text that stand among it.

    Four columns: elements, roles, shown texts before each and before its end. Table parts count
    only in the tables of data; their role is that of other containers. `formulas` are elements
    without text.
    """
    choice = _Choice(page, shown)
    firsts, lasts = data_tables(page, shown)
    count = choice.run(role_of_tag.data, formulas, firsts.data, lasts.data)
    return list(choice.columns[:, :count])


class _Choice:
    """The columns that the pass reads and those that it makes."""

    def __init__(self, page: Page, shown: npt.NDArray[np.bool_]) -> None:
        nodes, texts = page.nodes, page.texts
        self.tag = nodes.tag.data
        self.parent = nodes.parent.data
        self.flags = nodes.flags.data
        self.first_text = nodes.first_text.data
        self.end_text = nodes.end_text.data
        self.text_flags = texts.flags.data
        self.text_block = texts.block.data
        self.block_node = page.blocks.node.data
        self.block_level = BLOCK_LEVEL.data
        before = np.zeros(len(texts) + 1, np.intc)
        np.cumsum(shown, out=before[1:])
        self.before = before.data
        self.total = self.before[len(texts)]
        self.root = np.empty(len(nodes), np.intc).data
        self.columns = np.empty((4, len(nodes)), np.intc)
        # The last root that was checked, and the results.
        self.checked = -1
        self.without_text = self.in_block = False

    def run(
        self, role_of_tag: Any, formulas: dict[int, Any], table_firsts: Any, table_lasts: Any
    ) -> int:
        """Fill the columns; how many rows they have."""
        out = self.columns.data
        table = count = 0
        others, image, table_part = len(role_of_tag) - 1, IMAGE, TABLE_PART
        for node in range(len(self.tag)):
            above = self.parent[node]
            first = self.before[self.first_text[node]]
            end = self.before[self.end_text[node]]
            # The largest element around it without shown text, -1 if it has shown text itself.
            self.root[node] = -1
            if first == end and above >= 0:
                self.root[node] = self.root[above] if self.root[above] >= 0 else node
            role = role_of_tag[min(self.tag[node], others)]
            if formulas and node in formulas:
                role = FORMULA
            if role == 0 and self.flags[node] & IN_HEADING and self.is_heading(node, above):
                role = HEADING
            if role == 0 or (role < image and first == end):
                continue
            if role >= image and not self.stands_among(node, first):
                continue
            if role == table_part:
                while table < len(table_lasts) and table_lasts[table] < node:
                    table += 1
                if table == len(table_lasts) or table_firsts[table] > node:
                    continue
                role = CONTAINER
            out[0, count] = node
            out[1, count] = role
            out[2, count] = first
            out[3, count] = end
            count += 1
        return count

    def is_heading(self, node: int, above: int) -> bool:
        """Whether an element in a heading is one by its attribute `role`, and separates blocks."""
        if above >= 0 and self.flags[above] & IN_HEADING:
            return False
        return self.tag[node] < len(self.block_level) and self.block_level[self.tag[node]] != 0

    def stands_among(self, node: int, before: int) -> bool:
        """Whether an element without text stands among shown text.

        It does if there is shown text on both sides, or if it is in a block or figure with shown
        text; but not if the largest element around it without shown text has dropped text.
        """
        root = self.root[node]
        if root < 0 or not self.total:
            return False
        if root != self.checked:
            self.checked = root
            self.without_text = self.is_without_text(root)
            self.in_block = self.is_in_block(root)
        between = 0 < before < self.total
        return self.without_text and (between or self.in_block)

    def is_without_text(self, root: int) -> bool:
        """Whether an element has no text; that of a figure, as captions, is not counted."""
        for text in range(self.first_text[root], self.end_text[root]):
            if not self.text_flags[text] & (HIDDEN | IN_FIGURE):
                return False
        return True

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
