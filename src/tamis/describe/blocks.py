"""The blocks of a page with the verdict on each, as objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.decide.decision import Decision
from tamis.describe.reasons import Reason
from tamis.page.table import Page


@dataclass(frozen=True, slots=True)
class Block:
    """One text block of the page and the verdict on it."""

    text: str
    """Its text, white space as a browser shows it."""
    score: float
    """How sure the method is that it is content, from 0 to 1."""
    kept: bool
    """Whether it was kept."""
    kind: str
    """What it is part of: title, main, comments, navigation, related, promotion, form, ..."""
    start: int
    """Where its text begins in `Page.source`, in bytes."""
    end: int
    """Where its text ends in `Page.source`."""
    xpath: str
    """The lowest block-level element around it."""
    _number: int = field(repr=False, compare=False)
    _reasons: Callable[[], Sequence[Reason]] = field(repr=False, compare=False)

    @property
    def reason(self) -> str:
        """Why it was kept or dropped, in words."""
        return self._reasons()[self._number].text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; without the reason, which takes its time."""
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS = tuple(name for name in Block.__slots__ if name[0] != "_")
"""The fields of a block that are plain values."""


def list_blocks(
    page: Page,
    decision: Decision,
    kinds: npt.NDArray[np.str_],
    reasons: Callable[[], Sequence[Reason]],
) -> tuple[Block, ...]:
    """List every block of the page, kept or not, in document order.

    `kinds` are the names of `Result.regions`; `reasons` is called when somebody asks for one.
    """
    texts, columns = page.texts, page.blocks
    numbers = np.arange(len(columns))
    made = map(
        Block,
        page.block_texts(numbers),
        decision.scores.tolist(),
        decision.kept.tolist(),
        kinds.tolist(),
        texts.start[columns.first_text].tolist(),
        texts.end[columns.end_text - 1].tolist(),
        map(page.xpath, columns.node.tolist()),
        numbers.tolist(),
        repeat(reasons),
    )
    return tuple(limits.limit_output(made, count_characters))


def count_characters(block: Block) -> int:
    """Count the characters of a block that may be many: those of its text and its XPath."""
    return len(block.text) + len(block.xpath)


def find_containing(blocks: Sequence[Block], text: str) -> list[int]:
    """Find the numbers of the blocks that contain a text, whatever its case and white space."""
    wanted = _normalize(text)
    return [number for number, block in enumerate(blocks) if wanted in _normalize(block.text)]


def find_nearest(blocks: Sequence[Block], text: str) -> int | None:
    """Find the number of the block with most words of a text; None if none has half of them."""
    wanted = set(_normalize(text).split())
    shared = [len(wanted.intersection(_normalize(block.text).split())) for block in blocks]
    most = max(shared, default=0)
    return shared.index(most) if most and 2 * most >= len(wanted) else None


def _normalize(text: str) -> str:
    return " ".join(text.split()).casefold()
