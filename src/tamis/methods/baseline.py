"""All visible text: the floor that every table starts with.

Our reading: a block is visible unless a browser shows none of it (display:none, hidden,
template, noscript, fallback content). `aria-hidden` is seen on the screen, so it counts.

When it fails: always in precision; its recall is what any method can reach at best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tamis.methods._base import Method, Scores, on_all_blocks, visible_blocks
from tamis.page.arrays import Indexes
from tamis.page.table import Page


@dataclass(frozen=True)
class Baseline(Method):
    """All visible text of the page."""

    citation: ClassVar[str] = "No paper: the page as it is."

    def score(self, page: Page) -> Scores:
        return on_all_blocks(page, visible_blocks(page), 1.0)

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        return ["A browser shows it, and this method keeps all that one shows."] * len(blocks)
