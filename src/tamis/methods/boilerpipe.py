"""Shallow text features: how dense a block is in words and in links, and its two neighbours.

Kohlschuetter, Fankhauser and Nejdl found that two numbers of a block and of the blocks before
and after it separate text from boilerplate, and published two decision trees that can be read.

Our reading: a word is a white-space separated token with a letter or digit; a script without
spaces counts by code points (`tamis.page.characters`). Blocks are those of the page table;
hidden ones are left out before neighbours are taken. Outside the page every number is 0. The
trees give yes or no, so the scores are 1 and 0.

When it fails: short content (headlines, lists, product data, forum replies) between short
blocks; long boilerplate (legal notices, cookie texts); text whose words are mostly links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.methods._base import Flags, Method, Scores, check_choice, on_all_blocks, visible_blocks
from tamis.methods._shared.sequences import following, previous
from tamis.page.table import Page

_VARIANTS = ("numwords", "density")


@dataclass(frozen=True)
class Boilerpipe(Method):
    """Word and link density of a block and its neighbours, by a published decision tree."""

    variant: str = "numwords"
    """Which tree: `numwords` (sec. 4.2 of the paper, algorithm 2) or `density` (algorithm 1)."""

    citation: ClassVar[str] = (
        "C. Kohlschuetter, P. Fankhauser, W. Nejdl: Boilerplate Detection using Shallow Text"
        " Features. WSDM 2010."
    )

    def __post_init__(self) -> None:
        """Refuse an unknown variant."""
        check_choice("variant", self.variant, _VARIANTS)

    def score(self, page: Page) -> Scores:
        """1 where the tree says content, else 0."""
        blocks = visible_blocks(page)
        links = page.blocks.link_density[blocks]
        if self.variant == "numwords":
            content = _by_words(page.blocks.words[blocks].astype(float), previous(links))
        else:
            content = _by_density(page.blocks.text_density[blocks], previous(links))
        return on_all_blocks(page, blocks, content & (links <= 1 / 3))


def _by_words(words: Scores, previous_links: Scores) -> Flags:
    before, after = previous(words), following(words)
    after_text = (words > 16) | (after > 15) | (before > 4)
    after_links = (words > 40) | (after > 17)
    return np.where(previous_links <= 5 / 9, after_text, after_links)


def _by_density(density: Scores, previous_links: Scores) -> Flags:
    before, after = previous(density), following(density)
    after_text = np.where(density > 9, after > 0, (after > 10) | (before > 4))
    return np.where(previous_links <= 5 / 9, after_text, after > 11)
