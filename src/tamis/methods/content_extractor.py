"""ContentExtractor: a block that many pages of the site have is template.

Debnath et al. cut pages at the elements of a tag list. A block is a vector, one binary entry a word
and the numbers of images, links, scripts and the like; blocks with a cosine above epsilon are the
same. The inverse of the number of pages that have a block, its IBDF, tells content from the rest.

Our reading: elements nest; a text belongs to the innermost listed element around it, so that the
words of a block are its own. Counts stand in the vector as they are, so that two lists of links are
alike whatever they say: that is what drops lists of teasers. The page itself counts among the
pages, and one other page is the least that makes a template. The border is that of X-CEX, 20% of
the pages. Epsilon is the best of 0.5 to 0.9 on five of the nine sites of big9. Pairs are compared
if they share a bucket, by their words or by the proportions of their counts; `search="all"`
compares all, as published.

When it fails: text that is on one page only is content, so that captions, dates and comments stay;
an article that is a list of links, which is like any other; few pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.features.neighbours import Flags, Hashes, Indexes, common
from tamis.features.ratios import kept_share
from tamis.features.site_blocks import SiteBlocks, SiteIndex, site_blocks
from tamis.methods._base import Scores
from tamis.methods._site import SiteMethod, by_pages, listed_tags
from tamis.page.table import Page

SEARCHES = ("buckets", "all")


@dataclass(frozen=True)
class ContentExtractor(SiteMethod):
    """What is nearly the same on a fifth of the site's pages is not content."""

    block_tags: str = "table tr p hr ul div span"
    """The elements that are compared."""
    epsilon: float = 0.5
    """Cosine above which two blocks are the same."""
    share: float = 0.2
    """Share of the pages from which on a block is not content."""
    search: str = "buckets"
    """Which pairs are compared: those that share a bucket, or `all` (the paper)."""

    citation: ClassVar[str] = (
        "S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic Identification of Informative"
        " Sections of Web Pages. IEEE Transactions on Knowledge and Data Engineering 17(9), 2005."
    )
    learned: ClassVar[SiteIndex | None] = None

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        listed_tags(self.block_tags)
        if self.search not in SEARCHES:
            raise ValueError(f"search is one of {', '.join(SEARCHES)}, not {self.search!r}")

    def score(self, page: Page) -> Scores:
        """High for what is on few pages."""
        blocks = site_blocks(page, listed_tags(self.block_tags))
        scores = np.append(self._scores(blocks), 0.0)
        return kept_share(page, scores[blocks.of_text])

    def _learn(self, pages: Sequence[Page]) -> SiteIndex:
        exhaustive = self.search == "all"
        return SiteIndex.of(pages, listed_tags(self.block_tags), _buckets, exhaustive=exhaustive)

    def _scores(self, blocks: SiteBlocks) -> Scores:
        """Scores of the elements."""
        index = self.learned
        if index is None:
            return np.ones(len(blocks))
        squares = blocks.words.sizes + (blocks.counts**2).sum(axis=1)
        others = index.blocks.words.sizes + (index.blocks.counts**2).sum(axis=1)

        def similar(mine: Indexes, theirs: Indexes) -> Flags:
            both = common(blocks.words, mine, index.words, theirs)
            both = both + (blocks.counts[mine] * index.blocks.counts[theirs]).sum(axis=1)
            alike: Flags = both > self.epsilon * np.sqrt(squares[mine] * others[theirs])
            return alike

        found, pages = index.pages_alike(blocks, _buckets, similar)
        return by_pages(found, self.share * pages)


def _buckets(blocks: SiteBlocks) -> Hashes:
    return blocks.shape_buckets
