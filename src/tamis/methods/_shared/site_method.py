"""What a site method is, and which pages of a site share a block."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import repeat
from typing import Any, ClassVar, Self

import numpy as np

from tamis._runtime import limits
from tamis.errors import MethodError
from tamis.methods._base import Method, Scores
from tamis.methods._shared.verdicts import longest_runs
from tamis.page import tags
from tamis.page.arrays import Flags, Floats, Hashes, Indexes
from tamis.page.table import Page

REFERENCES = 128
"""Pages that are known by name, and whose blocks are compared.

A share of 20% of all pages then has a standard error of 3.5%.
"""

# Pages that a reason names, and letters of a name.
_NAMED, _LETTERS = 3, 200


class SiteMethod(Method):
    """A method that is fitted to pages of one site, without gold, and scores any page of it.

    A fitted copy knows its pages as a record of arrays, `learned`. Not fitted, it refuses to score.
    """

    # Not a field: it is not a parameter. Other parameters need another fit, so a copy has none.
    learned: ClassVar[Any] = None

    reading: ClassVar[type[Any]]
    """What `read` gives: a record of arrays, with the `name` of the page."""
    measure: ClassVar[str]
    """What `repetition` gives of a block: IBDF, entropy, importance."""
    knowledge: ClassVar[type[Any]]
    """What is learned: a record of arrays with its `page_count`."""

    def fit(self, pages: Iterable[Page], names: Iterable[str | None] = ()) -> Self:
        """A copy of the method that knows these pages. The same page twice counts once.

        The names, addresses or files, are for `repetition`.
        """
        pages = list(pages)
        return self.fit_readings(map(self.read, pages, list(names) or repeat(None)), len(pages))

    def fit_readings(self, readings: Iterable[Any], count: int) -> Self:
        """`fit`, by what `read` gives for each of the pages, and their number."""
        if self.learned is not None:
            raise MethodError(
                f"method {self.name} learns all pages at once: fit it anew, with the old and the"
                " new pages"
            )
        return self.with_knowledge(self._learn(readings, count))

    def with_knowledge(self, learned: Any) -> Self:
        """A copy of the method with this knowledge."""
        fitted = dataclasses.replace(self)  # type: ignore[type-var]  # every method is a dataclass
        object.__setattr__(fitted, "learned", learned)
        return fitted

    def check_learned(self, learned: Any) -> None:
        """Refuse, by a `ValueError`, what was learned with other parameters than these."""

    @property
    def known(self) -> Any:
        """What was learned; a `MethodError` if that is nothing."""
        if self.learned is None:
            raise MethodError(
                f"method {self.name} learns from pages of one site before it scores:"
                f" tamis.Site().fit(pages, method={self.name!r}), or `tamis site learn`"
            )
        return self.learned

    @property
    def site_pages(self) -> int:
        """Different pages that were learned."""
        return 0 if self.learned is None else int(self.learned.page_count)

    @abstractmethod
    def read(self, page: Page, url: str | None = None) -> Any:
        """What can be learned from a page, a record of arrays."""

    @abstractmethod
    def repetition(self, page: Page) -> Repetition:
        """On which pages of the site each block of a page is."""

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        """The pages that share each block, and what is measured by that against the border."""
        shared = self.repetition(page)
        pages_and_values = np.column_stack((shared.pages, shared.values))[blocks].tolist()
        rows = zip(blocks.tolist(), pages_and_values, strict=True)
        return [
            f"It is on {pages:,.0f} of {shared.all_pages:,} pages"
            f"{_quote(shared.list_names(block))};"
            f" {shared.measure} {value:.2f}, the border is {shared.border:.2f}."
            if not math.isnan(value)
            else "It is in no element that the method compares."
            for block, (pages, value) in limits.check_each(rows, every=100)
        ]

    def _learn(self, readings: Iterable[Any], count: int) -> Any:
        """What `score` needs to know, from what `read` gives for each of so many pages."""
        return self.knowledge.from_readings(readings, count)


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

    def list_names(self, block: int) -> list[str]:
        """The named pages that share a block."""
        return [self.names[number] for number in np.flatnonzero(self.on[block])]


def _quote(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f" ({', '.join(name[:_LETTERS] for name in names[:_NAMED])}{more})" if names else ""


def border_of(share: float, pages: int) -> int:
    """The pages from which on a block is a template's: a share of all, and at least two."""
    return max(2, math.ceil(round(share * pages, 9)))


def score_by_pages(pages: Floats, border: int) -> Scores:
    """Scores of blocks by the number of pages they are on: 1 if it is their own alone.

    From the border on the score is below one half.
    """
    return 1 / (1 + np.maximum(pages - 1, 0) / (border - 1.5))


def parse_tags(names: str) -> list[str]:
    """The tags of a list, which must be ones of HTML."""
    listed = names.split()
    if unknown := [name for name in listed if name not in tags.ID]:
        raise ValueError(f"no elements of HTML: {', '.join(unknown)}")
    return listed


def longest_texts(page: Page) -> Indexes:
    """For each block the text that most of its visible characters are in, -1 for none."""
    runs = longest_runs(page, np.arange(len(page.blocks)))
    shown = (page.texts.flags[runs] & tags.HIDDEN == 0) & (page.texts.chars[runs] > 0)
    return np.where(shown, runs, -1)


# Pages by name: one bit per page


def spread(count: int, most: int) -> list[int]:
    """The numbers below `count`: all, or if that is more, so many at equal steps."""
    if count <= most:
        return list(range(count))
    return [round(place) for place in np.linspace(0, count - 1, most)]


class PageNames:
    """Names some of the pages that are learned, as many as `REFERENCES`, spread evenly."""

    def __init__(self, count: int) -> None:
        self.names: list[str] = []
        self._chosen = set(spread(count, REFERENCES))

    def add(self, number: int, name: str) -> Hashes:
        """The bit of a page; none for a page that is not named."""
        if number not in self._chosen:
            return no_bits()
        self.names.append(name or f"page {number + 1}")
        return page_bit(len(self.names) - 1)


def no_bits(*rows: int) -> Hashes:
    """Bits of no page, of one thing or of so many."""
    return np.zeros((*rows, REFERENCES // 64), np.uint64)


def page_bit(number: int) -> Hashes:
    """The bit of a page among `REFERENCES`, 64 of them in each column."""
    bits = no_bits()
    bits[number // 64] = np.uint64(1) << np.uint64(number % 64)
    return bits


def check_bits(bits: Hashes, rows: int, names: tuple[str, ...]) -> None:
    if bits.shape != (rows, REFERENCES // 64) or len(names) > REFERENCES:
        raise ValueError("the bits of the pages have another shape")


def unpack_bits(bits: Hashes, pages: int) -> Flags:
    """For each row of bits one flag per page."""
    octets = np.ascontiguousarray(bits.astype("<u8")).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=pages, bitorder="little").astype(bool)
