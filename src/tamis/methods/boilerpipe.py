"""Shallow text features: how dense a block is in words and in links, and its two neighbours.

Kohlschuetter, Fankhauser and Nejdl found that two numbers of a block and of the blocks before
and after it separate text from boilerplate, and published two decision trees that can be read.

Our reading: a word is a white-space separated token with a letter or digit; a script without
spaces counts by code points (`tamis.page.text.characters`). Blocks are those of the page table;
hidden ones are left out before neighbours are taken. Outside the page every number is 0. The
trees give yes or no, so the scores are 1 and 0.

When it fails: short content (headlines, lists, product data, forum replies) between short
blocks; long boilerplate (legal notices, cookie texts); text whose words are mostly links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import Choices, Method, Scores, on_all_blocks, visible_blocks
from tamis.methods._shared.features import next_values, previous_values
from tamis.methods._shared.verdicts import count_things
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.table import Page

_Tree: TypeAlias = "bool | tuple[str, float, _Tree, _Tree]"
"""A verdict; or a number, up to what the first branch holds, that branch, and the other."""

# "own", "previous" and "next" are words, or words per line, of the block and its neighbours.
_TREES: dict[str, _Tree] = {
    "numwords": (
        "previous links",
        5 / 9,
        ("own", 16, ("next", 15, ("previous", 4, False, True), True), True),
        ("own", 40, ("next", 17, False, True), True),
    ),
    "density": (
        "previous links",
        5 / 9,
        ("own", 9, ("next", 10, ("previous", 4, False, True), True), ("next", 0, False, True)),
        ("next", 11, False, True),
    ),
}
_MOST_LINKS = 1 / 3
_NAMES = {
    "links": "{} of its words are links",
    "previous links": "{} of those before are",
    "own": "it has {}",
    "previous": "the block before has {}",
    "next": "the block after has {}",
}


@dataclass(frozen=True)
class Boilerpipe(Method):
    """Word and link density of a block and its neighbours, by a published decision tree."""

    variant: str = "numwords"
    """Which tree: `numwords` (sec. 4.2 of the paper, algorithm 2) or `density` (algorithm 1)."""

    citation: ClassVar[str] = (
        "C. Kohlschuetter, P. Fankhauser, W. Nejdl: Boilerplate Detection using Shallow Text"
        " Features. WSDM 2010."
    )
    _choices: ClassVar[Choices] = {"variant": tuple(_TREES)}

    def score(self, page: Page) -> Scores:
        """1 where the tree says content, else 0."""
        blocks = visible_blocks(page)
        return on_all_blocks(page, blocks, _walk_tree(self._tree, self._measure(page, blocks)))

    @property
    def _tree(self) -> _Tree:
        return "links", _MOST_LINKS, _TREES[self.variant], False

    def _measure(self, page: Page, blocks: Indexes) -> dict[str, Floats]:
        links = page.blocks.link_density[blocks]
        by_words = self.variant == "numwords"
        own = page.blocks.words.astype(float) if by_words else page.blocks.text_density
        own = own[blocks]
        return {
            "links": links,
            "previous links": previous_values(links),
            "own": own,
            "previous": previous_values(own),
            "next": next_values(own),
        }

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        visible = visible_blocks(page)
        numbers = self._measure(page, visible)
        rows = zip(
            *(numbers[name][np.searchsorted(visible, blocks)].tolist() for name in _NAMES),
            strict=True,
        )
        return [
            self._describe(dict(zip(_NAMES, row, strict=True))) for row in limits.check_each(rows)
        ]

    def _describe(self, numbers: dict[str, float]) -> str:
        tree, steps = self._tree, []
        while not isinstance(tree, bool):
            name, most, low, high = tree
            side = "above" if numbers[name] > most else "at most"
            number, border = (self._format_number(name, value) for value in (numbers[name], most))
            steps.append(f"{_NAMES[name].format(number)} ({side} {border.split()[0]})")
            tree = high if numbers[name] > most else low
        return f"The tree: {', '.join(steps)}: {'content' if tree else 'not content'}."

    def _format_number(self, name: str, value: float) -> str:
        if name.endswith("links"):
            return f"{100 * value:.3g}%"
        if self.variant == "density":
            return f"{value:.3g} words a line"
        return count_things(int(value), "word")


def _walk_tree(tree: _Tree, numbers: dict[str, Floats]) -> Flags:
    if isinstance(tree, bool):
        return np.full(len(numbers["own"]), tree)
    name, most, low, high = tree
    return np.where(numbers[name] > most, _walk_tree(high, numbers), _walk_tree(low, numbers))
