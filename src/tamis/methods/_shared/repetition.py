"""Which pages of a site share a block: flags, kept as one bit per page for some of the pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.methods._base import Flags, Floats, Indexes
from tamis.methods._shared.sentences import longest_runs
from tamis.page import tags
from tamis.page.hashes import Hashes
from tamis.page.table import Page

REFERENCES = 128
"""Pages that are known by name, and whose blocks are compared.

A share of 20% of all pages then has a standard error of 3.5%.
"""


@dataclass(frozen=True, eq=False)
class Repetition:
    """On which pages of the site the blocks of a page are, and what the method measures by it."""

    measure: str
    """What the method measures: IBDF, entropy, importance."""
    values: Floats
    """That of each block; NaN for a block that the method does not look at."""
    border: float
    """The value at which a block stops to be content."""
    pages: Floats
    """Pages that share each block, its own among them; an estimate if only a part is searched."""
    all_pages: int
    """Pages that were learned, and the page itself."""
    on: Flags
    """For each block, which of the named pages share it."""
    names: tuple[str, ...]
    """The pages that are known by name: all, or of very many some, spread evenly."""

    def names_of(self, block: int) -> list[str]:
        """The named pages that share a block."""
        return [self.names[number] for number in np.flatnonzero(self.on[block])]


def spread(count: int, most: int) -> list[int]:
    """The numbers below `count`: all, or if that is more, so many at equal steps."""
    if count <= most:
        return list(range(count))
    return [round(place) for place in np.linspace(0, count - 1, most)]


def page_bits(number: int) -> Hashes:
    """The bit of a page among `REFERENCES`, 64 of them in each column."""
    bits = np.zeros(REFERENCES // 64, np.uint64)
    bits[number // 64] = np.uint64(1) << np.uint64(number % 64)
    return bits


class PageNames:
    """Names some of the pages that are learned, as many as `REFERENCES`, spread evenly."""

    def __init__(self, count: int) -> None:
        self.names: list[str] = []
        self._chosen = set(spread(count, REFERENCES))

    def bits(self, number: int, name: str) -> Hashes:
        """The bit of a page; none for a page that is not named."""
        if number not in self._chosen:
            return np.zeros(REFERENCES // 64, np.uint64)
        self.names.append(name or f"page {number + 1}")
        return page_bits(len(self.names) - 1)


def check_bits(bits: Hashes, rows: int, names: tuple[str, ...]) -> None:
    """Refuse bits that are not one row of `REFERENCES` per thing, or too many names."""
    if bits.shape != (rows, REFERENCES // 64) or len(names) > REFERENCES:
        raise ValueError("the bits of the pages have another shape")


def flags_of(bits: Hashes, pages: int) -> Flags:
    """For each row of bits one flag per page."""
    octets = np.ascontiguousarray(bits.astype("<u8")).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=pages, bitorder="little").astype(bool)


def longest_text(page: Page) -> Indexes:
    """For each block the text that most of its visible characters are in, -1 for none."""
    runs = longest_runs(page, np.arange(len(page.blocks)))
    shown = (page.texts.flags[runs] & tags.HIDDEN == 0) & (page.texts.chars[runs] > 0)
    return np.where(shown, runs, -1)
