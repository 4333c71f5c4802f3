"""What an extraction gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.page.table import Page

SCHEMA = 1
"""Version of the dictionary that `Result.to_dict` gives."""


@dataclass(frozen=True, slots=True)
class Block:
    """One text block of the page and the verdict on it."""

    text: str
    """Its text, white space as a browser shows it."""
    score: float
    """How sure the method is that it is content, from 0 to 1."""
    label: bool
    """Whether it was kept."""
    start: int
    """Where its text begins in `Page.source`, in bytes."""
    end: int
    """Where its text ends in `Page.source`."""
    xpath: str
    """The lowest block-level element around it."""


@dataclass(frozen=True, eq=False)
class Result:
    """The content of a page. Everything but the decision is made when asked for."""

    _page: Page | Callable[[], Page] = field(repr=False)
    scores: npt.NDArray[np.float64] = field(repr=False)
    """One score a block, from the method."""
    kept: npt.NDArray[np.bool_] = field(repr=False)
    """One decision a block."""
    method: str
    """Name of the method that scored the blocks."""
    url: str | None
    """Address of the page, if the caller gave it."""
    _text: str | Callable[[Page, npt.NDArray[np.bool_]], str] = field(repr=False)

    @cached_property
    def page(self) -> Page:
        """The page table; a result of another process reads the page again for it."""
        return self._page if isinstance(self._page, Page) else self._page()

    @cached_property
    def text(self) -> str:
        """The kept blocks as plain text, one a line."""
        return self._text if isinstance(self._text, str) else self._text(self.page, self.kept)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Every block of the page, kept or not, in document order."""
        page = self.page
        texts, columns = page.texts, page.blocks
        return tuple(
            map(
                Block,
                page.block_texts(np.arange(len(columns))),
                self.scores.tolist(),
                self.kept.tolist(),
                texts.start[columns.first_text].tolist(),
                texts.end[columns.end_text - 1].tolist(),
                map(page.xpath, columns.node.tolist()),
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain dictionaries and lists, ready for JSON."""
        return {
            "schema": SCHEMA,
            "url": self.url,
            "method": self.method,
            "encoding": self.page.encoding,
            "text": self.text,
            "blocks": [
                {name: getattr(block, name) for name in Block.__slots__} for block in self.blocks
            ],
        }
