"""What the methods share that learn from several pages of a site."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Iterable
from itertools import repeat
from typing import Any, ClassVar, Self

import numpy as np

from tamis._runtime import limits
from tamis.errors import MethodError
from tamis.methods._base import Floats, Indexes, Method, Scores
from tamis.methods._shared.repetition import Repetition
from tamis.page import tags
from tamis.page.table import Page

# Pages that a reason names, and letters of a name.
_NAMED, _LETTERS = 3, 200


class SiteMethod(Method):
    """A method that is fitted to pages of one site, without gold, and scores any page of it.

    A fitted copy knows its pages as a record of arrays, `learned`. Not fitted, it refuses to score.
    """

    # Not a field: it is no parameter. Other parameters need another fit, so a copy has none.
    learned: ClassVar[Any] = None

    reading: ClassVar[type[Any]]
    """What `read` gives: a record of arrays (see `arrays`)."""
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
        return self.knowing(self._learn(readings, count))

    def knowing(self, learned: Any) -> Self:
        """A copy of the method with the given knowledge."""
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
            f"It is on {pages:,.0f} of {shared.all_pages:,} pages{_named(shared.names_of(block))};"
            f" {shared.measure} {value:.2f}, the border is {shared.border:.2f}."
            if not math.isnan(value)
            else "It is in no element that the method compares."
            for block, (pages, value) in limits.checked(rows, every=100)
        ]

    @abstractmethod
    def _learn(self, readings: Iterable[Any], count: int) -> Any:
        """What `score` needs to know, from what `read` gives for each of so many pages."""


def _named(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f" ({', '.join(name[:_LETTERS] for name in names[:_NAMED])}{more})" if names else ""


def border_of(share: float, pages: int) -> int:
    """The pages from which on a block is a template's: a share of all, and at least two."""
    return max(2, math.ceil(round(share * pages, 9)))


def by_pages(pages: Floats, border: int) -> Scores:
    """Scores of blocks by the number of pages they are on: 1 if it is their own alone.

    From the border on the score is below one half.
    """
    return 1 / (1 + np.maximum(pages - 1, 0) / (border - 1.5))


def listed_tags(names: str) -> list[str]:
    """The tags of a list, which must be ones of HTML."""
    listed = names.split()
    if unknown := [name for name in listed if name not in tags.ID]:
        raise ValueError(f"no elements of HTML: {', '.join(unknown)}")
    return listed
