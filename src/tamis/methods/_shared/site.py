"""What the methods that learn from several pages of a site share."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np

from tamis.methods._base import Method, Scores
from tamis.methods._shared.density import Floats
from tamis.page import tags
from tamis.page.table import Page


class SiteMethod(Method):
    """A method that is fitted to pages of one site, without gold, and scores any page of it.

    Not fitted, it sees a site of one page, of which nothing repeats.
    """

    # Not a field: it is no parameter. Other parameters need another fit, so a copy has none.
    learned: ClassVar[Any] = None

    def fit(self, pages: Sequence[Page]) -> Self:
        """A copy of the method that knows these pages. The same page twice counts once."""
        fitted = dataclasses.replace(self)  # type: ignore[type-var]  # every method is a dataclass
        object.__setattr__(fitted, "learned", self._learn(pages))
        return fitted

    @abstractmethod
    def _learn(self, pages: Sequence[Page]) -> Any:
        """What `score` needs to know of the pages."""


def by_pages(pages: Floats, border: float) -> Scores:
    """Scores of blocks by the number of pages they are on: 1 if it is their own alone.

    From the border on, and at least two pages, the score is below one half.
    """
    middle = max(2, math.ceil(border)) - 1.5
    return 1 / (1 + np.maximum(pages - 1, 0) / middle)


def listed_tags(names: str) -> list[str]:
    """The tags of a list, which must be ones of HTML."""
    listed = names.split()
    if unknown := [name for name in listed if name not in tags.ID]:
        raise ValueError(f"no elements of HTML: {', '.join(unknown)}")
    return listed
