"""What every method is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.errors import MethodError
from tamis.page import tags
from tamis.page.arrays import Flags as Flags
from tamis.page.arrays import Floats as Floats
from tamis.page.arrays import Indexes as Indexes
from tamis.page.arrays import Matrix
from tamis.page.table import Page

Scores: TypeAlias = Floats
Choices: TypeAlias = Mapping[str, Sequence[str]]
"""By the name of a parameter, what it may be."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a paper decides on if not on blocks, with its verdict."""

    text: str
    start: int
    """Where its text begins in `Page.source`, in bytes."""
    end: int
    """Where its text ends in `Page.source`."""
    block: int
    """The block it is in."""
    score: float
    """How sure the method is that it is content, from 0 to 1."""
    content: bool
    """The verdict."""
    attributes: Mapping[str, float | str]
    """What the verdict rests on, by the names of the paper."""
    xpath: str = ""
    """The element that it is, or is in."""


class Method(ABC):
    """A method maps a page to one score in [0, 1] per block; higher is more surely content.

    A subclass is a frozen dataclass whose fields are the parameters of the paper. It changes
    neither itself nor the page.
    """

    citation: ClassVar[str] = "No paper."
    """The paper."""
    _choices: ClassVar[Choices] = MappingProxyType({})
    """What the parameters that are one of few words may be."""

    def __post_init__(self) -> None:
        """Refuse, by a `ValueError`, parameters that make no sense."""
        for name, words in self._choices.items():
            check_choice(name, getattr(self, name), words)

    @property
    def name(self) -> str:
        """Its public name: the file of a published method, the class of any other."""
        if self.base is not self:
            return self.base.name
        folder, _, file = type(self).__module__.rpartition(".")
        return file if folder.startswith("tamis.methods") else type(self).__name__

    @property
    def calibrated(self) -> bool:
        """Whether the scores are probabilities."""
        return self.base is not self and self.base.calibrated

    @property
    def site_pages(self) -> int:
        """Pages of a site that it was fitted to, if it was."""
        return 0

    @property
    def base(self) -> Method:
        """The method that scores a page by itself, if this one corrects another.

        The name, the calibration and the chance of nothing are then those of the base.
        """
        return self

    @abstractmethod
    def score(self, page: Page) -> Scores:
        """One score per block of `page`."""

    def score_many(self, pages: Sequence[Page]) -> list[Scores]:
        """The scores of several pages: exactly what `score` gives for each.

        A method that is faster with the rows of many pages in one pass does it here.
        """
        return [self.score(page) for page in pages]

    @property
    def decides_on(self) -> str:
        """What the paper decides on, in the plural: `blocks`, or what `units` lists."""
        if self.base is not self:
            return self.base.decides_on
        return "blocks" if type(self).units is Method.units else "units"

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The verdicts on the paper's own units, of a method that has such; else nothing."""
        return () if self.base is self else self.base.units(page)

    def chance_of_nothing(self, page: Page, scores: Scores, expected: float) -> float:
        """Probability that the page has no content at all, of a method that can tell.

        `expected` is the best expected F.
        """
        return 0.0 if self.base is self else self.base.chance_of_nothing(page, scores, expected)

    @property
    def ranks_readings(self) -> bool:
        """Whether `rank_readings` can tell; if not, a page is read in one way only."""
        return self.base is not self and self.base.ranks_readings

    def rank_readings(self, readings: Matrix) -> Floats | None:
        """How much better than the first each reading of a page is, of a method that can tell.

        The readings are rows of `tamis.model.features.reading_features`.
        """
        return None if self.base is self else self.base.rank_readings(readings)

    def overview(self, page: Page) -> float | None:
        """How sure a method is that the page is an overview page, above 0.5 if it is one.

        None leaves that to the page type.
        """
        return None if self.base is self else self.base.overview(page)

    def because(self, page: Page, blocks: Indexes) -> Sequence[str]:
        """What the scores of these blocks rest on, a sentence or two each; () if it cannot say.

        Asked for the blocks that a browser shows, and only when somebody wants a reason.
        """
        return () if self.base is self else self.base.because(page, blocks)


def score_blocks(method: Method, page: Page) -> Scores:
    """Score the blocks of a page; a `MethodError` if a method gives not one number for each."""
    if not len(page.blocks):
        return np.zeros(0)
    scores = method.score(page)
    if not isinstance(scores, np.ndarray) or scores.shape != (len(page.blocks),):
        raise MethodError(
            f"method {method.name} gave {np.shape(scores)} scores for {len(page.blocks)} blocks;"
            " `score` returns an array with one number per block"
        )
    return scores


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Refuse a parameter that is none of the choices."""
    if value not in choices:
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")


def visible_blocks(page: Page) -> Indexes:
    """The blocks that a browser shows. Methods look at these; the others are not content."""
    return np.flatnonzero(page.blocks.flags & tags.HIDDEN == 0)


def visible_texts(page: Page) -> Flags:
    """Which runs of text a browser shows."""
    visible: Flags = page.texts.flags & tags.HIDDEN == 0
    return visible


def on_all_blocks(page: Page, blocks: Indexes, scores: npt.ArrayLike) -> Scores:
    """Scores of some blocks as scores of all, 0 for the rest."""
    result = np.zeros(len(page.blocks))
    result[blocks] = scores
    return result


def kept_share(page: Page, kept: npt.ArrayLike) -> Scores:
    """From one number per text run to one score per block: the share of its characters kept.

    Only visible characters count; hidden blocks have 0.
    """
    texts, blocks = page.texts, len(page.blocks)
    chars = np.where(visible_texts(page), texts.chars, 0)
    sums = np.bincount(texts.block, chars * np.asarray(kept, float), blocks)
    share: Scores = sums / np.maximum(np.bincount(texts.block, chars, blocks), 1)
    # Sums of fractions may end a rounding error above 1.
    return np.clip(share, 0.0, 1.0)
