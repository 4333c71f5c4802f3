"""ContentExtractor: a block that many pages of the site have is template.

Debnath et al. cut pages at the elements of a tag list. A block is a vector, one binary entry per
word and the numbers of images, links, scripts and so on; blocks with a cosine above epsilon are the
same. The inverse of the number of pages that have a block, its IBDF, separates content from noise.

Our reading: elements nest; a text belongs to the innermost listed element around it, so that the
words of a block are its own. Counts stand in the vector as they are, so that two lists of links are
similar whatever they say: that is what drops lists of teasers. The page itself counts among the
pages, and one other page is the least that makes a template. The border is that of X-CEX, 20% of
the pages. Epsilon is the best of 0.5 to 0.9 on five of the nine sites of big9. Pairs are compared
if they share a bucket, by their words or by the proportions of their counts; `search="all"`
compares all, as published.

When it fails: text that is on one page only is content, so that captions, dates and comments stay;
an article that is a list of links, which is similar to any other; few pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.methods._shared.near_blocks import count_common
from tamis.methods._shared.repeated_blocks import RepeatedBlocks
from tamis.methods._shared.site_blocks import COUNTED, Buckets, SiteBlocks, SiteIndex, site_blocks
from tamis.methods._shared.site_method import parse_tags
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.table import Page


@dataclass(frozen=True)
class ContentExtractor(RepeatedBlocks):
    """What is nearly the same on a fifth of the site's pages is not content."""

    block_tags: str = "table tr p hr ul div span"
    epsilon: float = 0.5
    """Cosine above which two blocks are the same."""
    terms: bool = False
    """Whether the number of terms is one of the counts, as published (Fernandes 2021, sec. 2.4)."""

    buckets: ClassVar[Buckets] = lambda blocks: blocks.shape_buckets
    citation: ClassVar[str] = (
        "S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic Identification of Informative"
        " Sections of Web Pages. IEEE Transactions on Knowledge and Data Engineering 17(9), 2005."
    )

    def read(self, page: Page, url: str | None = None) -> SiteBlocks:
        tags = parse_tags(self.block_tags)
        return site_blocks(page, tags, url or "", nesting=self.nesting, terms=self.terms)

    def check_learned(self, learned: SiteIndex) -> None:
        if len(learned.blocks) and learned.blocks.counts.shape[1] != len(COUNTED) + self.terms:
            raise ValueError("the blocks have other counts")

    def _are_similar(
        self, blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
    ) -> Flags:
        counts, known_counts = blocks.counts[mine], known.counts[theirs]
        both = count_common(blocks.words, mine, known.words, theirs) + (counts * known_counts).sum(
            axis=1
        )
        squares: Floats = blocks.words.sizes[mine] + (counts**2).sum(axis=1)
        squares *= known.words.sizes[theirs] + (known_counts**2).sum(axis=1)
        similar: Flags = both > self.epsilon * np.sqrt(squares)
        return similar
