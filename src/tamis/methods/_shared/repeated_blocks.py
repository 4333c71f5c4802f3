"""What the methods share that look for the blocks of a page on the other pages of its site."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from tamis.methods._base import Choices, Scores, Unit, kept_share, visible_texts
from tamis.methods._shared.site_blocks import (
    NESTINGS,
    Buckets,
    SiteBlocks,
    SiteIndex,
    owner_of_nodes,
)
from tamis.methods._shared.site_method import (
    Repetition,
    SiteMethod,
    border_of,
    longest_texts,
    parse_tags,
    score_by_pages,
)
from tamis.methods._shared.verdicts import first_texts, list_units
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.table import Page

SEARCHES = ("buckets", "all")


@dataclass(frozen=True)
class RepeatedBlocks(SiteMethod):
    """What has a similar block on a fifth of the site's pages is not content."""

    block_tags: str
    """The elements that are compared."""
    epsilon: float
    """Similarity above which two blocks are the same."""
    share: float = 0.2
    """Share of the pages from which on a block is not content (Fernandes 2021, sec. 3.3)."""
    nesting: str = "innermost"
    """How listed elements inside each other are cut: see `site_blocks` (sec. 3.1)."""
    search: str = "buckets"
    """Which pairs are compared: those that share a bucket, or `all` (the papers)."""

    buckets: ClassVar[Buckets]
    """In which the blocks meet that may be similar."""
    measure: ClassVar[str] = "IBDF"
    reading: ClassVar[type[Any]] = SiteBlocks
    knowledge: ClassVar[type[Any]] = SiteIndex
    decides_on: ClassVar[str] = "elements"
    _choices: ClassVar[Choices] = {"nesting": NESTINGS, "search": SEARCHES}

    def __post_init__(self) -> None:
        parse_tags(self.block_tags)
        super().__post_init__()
        if not 0 < self.share <= 1:
            raise ValueError(f"share is above 0 and at most 1, not {self.share}")

    def score(self, page: Page) -> Scores:
        blocks = self.read(page)
        scores = np.append(self._score_elements(blocks), 0.0)
        return kept_share(page, scores[blocks.of_text])

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The elements that are compared, by their IBDF, with the text that is judged by each."""
        blocks = self.read(page)
        pages, count, _ = self._find_pages(blocks)
        border = border_of(self.share, count)
        owner = owner_of_nodes(page, parse_tags(self.block_tags), self.nesting)
        shown = visible_texts(page)
        return list_units(
            page,
            np.where(shown & self._find_judged(page), blocks.of_text, -1),
            owner[page.texts.node[first_texts(blocks.of_text, len(blocks))]],
            score_by_pages(pages, border),
            {
                "IBDF": (1 / pages).tolist(),
                "border": [1 / border] * len(blocks),
                "pages": pages.astype(float).tolist(),
                "of": [float(count)] * len(blocks),
            },
        )

    def _find_judged(self, page: Page) -> Flags:
        return np.ones(len(page.texts), bool)

    def _score_elements(self, blocks: SiteBlocks) -> Scores:
        pages, count, _ = self._find_pages(blocks)
        return score_by_pages(pages, border_of(self.share, count))

    def _find_pages(self, blocks: SiteBlocks) -> tuple[Floats, int, Flags]:
        """Of the elements: the pages with a similar one, of how many, and which."""
        similar = partial(self._are_similar, blocks, self.known.blocks)
        pages: tuple[Floats, int, Flags] = self.known.similar_pages(
            blocks, type(self).buckets, similar
        )
        return pages

    def repetition(self, page: Page) -> Repetition:
        """The IBDF of each block, by the pages with a similar one (sec. 3.3)."""
        blocks = self.read(page)
        pages, count, on = self._find_pages(blocks)
        text = longest_texts(page)
        row = np.where(text >= 0, np.append(blocks.of_text, -1)[text], -1)
        pages, on = np.append(pages, 1.0), np.concatenate((on, np.zeros((1, on.shape[1]), bool)))
        return Repetition(
            measure=self.measure,
            values=np.where(row >= 0, 1 / pages[row], np.nan),
            border=1 / border_of(self.share, count),
            pages=pages[row],
            all_pages=count,
            on=on[row],
            names=self.known.names,
        )

    def _learn(self, readings: Iterable[SiteBlocks], count: int) -> SiteIndex:
        return SiteIndex.from_readings(
            readings,
            count,
            type(self).buckets,
            share=self.share,
            exhaustive=self.search == "all",
        )

    @abstractmethod
    def _are_similar(
        self, blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
    ) -> Flags:
        """Whether pairs of a block of the page and a known one are similar."""
