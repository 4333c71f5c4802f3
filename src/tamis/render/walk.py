# cython: annotation_typing=False
"""One pass over the elements of a page: which of them a renderer reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Column, Page
from tamis.page.tags import HIDDEN, IN_FIGURE, IN_HEADING

# The role of an element in a document; those from IMAGE on have no text.
HEADING, CODE, CONTAINER, TABLE_PART, LINK, MARK, IMAGE, RULE, FORMULA = range(1, 10)

# The last is for tags that are not in `tags.NAMES`.
BLOCK_LEVEL = np.array([traits & tags.BLOCK != 0 for traits in (*tags.TRAITS, 0)], np.uint8)


def chosen(
    page: Page,
    shown: npt.NDArray[np.bool_],
    roles: npt.NDArray[np.uint8],
    table_firsts: npt.NDArray[np.intp],
    table_lasts: npt.NDArray[np.intp],
) -> list[Column]:
    """The elements with shown text, and those without text that stand among it.

    Four columns: elements, roles, shown texts before each and before its end. Table parts count
    only in the tables of data; their role is that of other containers.
    """
    choice = _Choice(page, shown)
    count = choice.run(roles.data, table_firsts.data, table_lasts.data)
    return [column[:count] for column in choice.columns]


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
        self.columns = [np.empty(len(nodes), np.intc) for _ in range(4)]
        # The last root that was checked, and the results.
        self.checked = -1
        self.without_text = self.in_block = False

    def run(self, roles: Any, table_firsts: Any, table_lasts: Any) -> int:
        """Fill the columns; how many rows they have."""
        nodes, out_roles = self.columns[0].data, self.columns[1].data
        firsts, ends = self.columns[2].data, self.columns[3].data
        table = count = 0
        for node in range(len(roles)):
            above = self.parent[node]
            first = self.before[self.first_text[node]]
            end = self.before[self.end_text[node]]
            # The largest element around it without shown text, -1 if it has shown text itself.
            self.root[node] = -1
            if first == end and above >= 0:
                self.root[node] = self.root[above] if self.root[above] >= 0 else node
            role = roles[node]
            if role == 0 and self.flags[node] & IN_HEADING and self.is_heading(node, above):
                role = HEADING
            if role == 0 or (role < IMAGE and first == end):
                continue
            if role >= IMAGE and not self.stands_among(node, first):
                continue
            if role == TABLE_PART:
                while table < len(table_lasts) and table_lasts[table] < node:
                    table += 1
                if table == len(table_lasts) or table_firsts[table] > node:
                    continue
                role = CONTAINER
            nodes[count] = node
            out_roles[count] = role
            firsts[count] = first
            ends[count] = end
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
