"""What the methods share that look for the blocks of a page on the other pages of its site."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tamis.methods._base import Scores
from tamis.methods._shared.neighbours import Flags, Indexes
from tamis.methods._shared.site import SiteMethod, by_pages, listed_tags
from tamis.methods._shared.site_blocks import Buckets, SiteBlocks, SiteIndex, site_blocks
from tamis.methods._shared.texts import kept_share
from tamis.page.table import Page

SEARCHES = ("buckets", "all")


@dataclass(frozen=True)
class RepeatedBlocks(SiteMethod):
    """What has its like on a fifth of the site's pages is not content."""

    block_tags: str
    """The elements that are compared."""
    epsilon: float
    """Similarity above which two blocks are alike."""
    share: float = 0.2
    """Share of the pages from which on a block is not content (Fernandes 2021, sec. 3.3)."""
    search: str = "buckets"
    """Which pairs are compared: those that share a bucket, or `all` (the papers)."""

    buckets: ClassVar[Buckets]
    """In which the blocks meet that may be alike."""
    learned: ClassVar[SiteIndex | None] = None
    reading: ClassVar[type[Any]] = SiteBlocks
    knowledge: ClassVar[type[Any]] = SiteIndex

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        listed_tags(self.block_tags)
        if self.search not in SEARCHES:
            raise ValueError(f"search is one of {', '.join(SEARCHES)}, not {self.search!r}")

    def score(self, page: Page) -> Scores:
        """High for what is on few pages."""
        blocks = self.read(page)
        scores = np.append(self._scores(blocks), 0.0)
        return kept_share(page, scores[blocks.of_text])

    def read(self, page: Page, url: str | None = None) -> SiteBlocks:
        """The elements of the tag list."""
        return site_blocks(page, listed_tags(self.block_tags))

    def _learn(self, readings: Iterable[SiteBlocks], count: int) -> SiteIndex:
        return SiteIndex.of(readings, count, type(self).buckets, exhaustive=self.search == "all")

    def _scores(self, blocks: SiteBlocks) -> Scores:
        """Scores of the elements."""
        index: SiteIndex = self.known

        def similar(mine: Indexes, theirs: Indexes) -> Flags:
            return self._similar(blocks, index, mine, theirs)

        found, pages = index.pages_alike(blocks, type(self).buckets, similar)
        return by_pages(found, self.share * pages)

    @abstractmethod
    def _similar(
        self, blocks: SiteBlocks, index: SiteIndex, mine: Indexes, theirs: Indexes
    ) -> Flags:
        """Whether pairs of a block and one of the index are alike."""
